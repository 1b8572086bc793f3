package regmutex

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/regmutex"
	"kumiko/regfile"
)

// Sections grants sections of the shared pool to requesting warps. Each sub-core has its own sections, in its
// banks.
//
// A request is served in the cycle of its arrival if a section is free. Requests of a sub-core are served in the
// order of arrival, and requests of one cycle in the order of their schedulers.
type Sections struct {
	wire.Comp

	Warp []wire.InPort[regfile.WarpNotice] // by scheduler

	// Closed is the set of warp contexts without a section.
	Closed wire.Signal[regfile.WarpSet]

	index *bank.Index // where the banks have the registers; nil in tests without
	needs []bool      `soft:"in instructions"`      // by instruction: it needs a section; nil: nothing is shared
	base  []int       `soft:"in instructions"`      // by instruction: its warp's base set; nil: one kernel
	parts []part      `bits:"state*(1+log(state))"` // by sub-core

	schedulers int
	state      []state         `bits:"2"`                             // by context
	section    []int16         `row:"Sections: section of each warp"` // by context: its section
	leaves     []uint16        `bits:"log(state)" room:"state"`       // contexts giving up their section
	bases      []int16         `soft:"in instructions"`               // by context: its base set, of several kernels
	since      []wire.Cycle    `soft:"statistics"`                    // by context: cycle of its request, or of the issue of an instruction without need of its section
	all        regfile.WarpSet `soft:"constants"`
	closed     regfile.WarpSet `bits:"state" room:"1"`

	requests, grants, atOnce, releases, kept, waits, busy uint64
	held                                                  uint64 // sections held by warps
	seen                                                  wire.Cycle
}

// part is the pool of a sub-core.
type part struct {
	free  []int16  // free sections, the next to be granted last
	queue []uint16 // waiting contexts, in order
}

// state is the relation of a context to sections.
type state uint8

const (
	without state = iota
	asking        // waits in the queue
	holding
	leaving // holding, but has issued an instruction without need of the section
)

// SectionsSpec describes the SM of a pool of sections: its warp contexts and schedulers, the
// parts (sub-cores) with their own sections, and the places of registers.
type SectionsSpec struct {
	Contexts, Schedulers, Parts int
	Index                       *bank.Index
}

// NewSections builds the pool of an SM.
func NewSections(name string, d *wire.Domain, s SectionsSpec, reg *stats.Registry) *Sections {
	contexts, schedulers := s.Contexts, s.Schedulers
	x := &Sections{index: s.Index, schedulers: schedulers, parts: make([]part, s.Parts), state: make([]state, contexts),
		section: make([]int16, contexts), bases: make([]int16, contexts),
		since: make([]wire.Cycle, contexts), leaves: make([]uint16, 0, contexts)}
	for i := range x.parts {
		x.parts[i] = part{free: make([]int16, 0, contexts), queue: make([]uint16, 0, contexts)}
	}
	for c := range contexts {
		x.all.Add(c)
	}
	x.Init(name, d, x)
	x.Warp = make([]wire.InPort[regfile.WarpNotice], schedulers)
	for i := range x.Warp {
		x.Warp[i].Init(&x.Comp, fmt.Sprintf("Warp[%d]", i), 16)
	}
	x.Closed.Init(&x.Comp, regfile.WarpSet{})
	x.register(name, reg)
	return x
}

// Load assigns each sub-core the given number of sections, for a launch with the given plan, or for several kernels.
// The SM is idle.
func (x *Sections) Load(sections int, code *regmutex.Plan, b *beside) {
	x.needs, x.base, x.closed = nil, nil, regfile.WarpSet{}
	if b != nil {
		x.base = b.base
		for c := range x.state {
			x.split(uint16(c), bank.NoSplit)
		}
	}
	if sections > 0 {
		x.needs, x.closed = code.Needs, x.all
	}
	clear(x.state)
	x.leaves, x.held = x.leaves[:0], 0
	for i := range x.parts {
		p := &x.parts[i]
		p.free, p.queue = p.free[:0], p.queue[:0]
		for s := sections - 1; s >= 0; s-- {
			p.free = append(p.free, int16(s))
		}
	}
	x.Closed.Set(x.closed)
}

// Tick processes the notices of warps, collects released sections and grants free ones.
func (x *Sections) Tick(now wire.Cycle) bool {
	x.busy += x.held * (now - x.seen)
	x.seen = now
	for i := range x.Warp {
		for n := x.Warp[i].Take(); n != nil; n = x.Warp[i].Take() {
			x.notice(n, now)
		}
	}
	x.collect(now)
	for i := range x.parts {
		x.grant(&x.parts[i], now)
	}
	x.Closed.Set(x.closed)
	return len(x.leaves) > 0
}

func (x *Sections) notice(n *regfile.WarpNotice, now wire.Cycle) {
	if x.needs == nil {
		return
	}
	c := n.Warp
	switch n.Event {
	case regfile.WarpHeld:
		if x.base != nil {
			x.bases[c] = int16(x.base[n.PC])
		}
		x.ask(c, now)
	case regfile.WarpFinished:
		x.state[c] = x.back(c)
		if x.base != nil {
			x.split(c, bank.NoSplit) // the next warp may be of a kernel that shares nothing
		}
	case regfile.WarpIssued:
		switch needs := x.needs[n.PC]; {
		case !needs && x.state[c] == holding:
			x.state[c], x.since[c] = leaving, now
			x.leaves = append(x.leaves, c)
			x.closed.Add(int(c))
		case needs && x.state[c] == leaving: // it issued before the gate was closed
			x.stay(c)
		case needs && x.state[c] != holding:
			panic("regmutex: an instruction that needs a section was issued without one")
		}
	}
}

// split sets the first register of a context that lies in a section.
func (x *Sections) split(c uint16, first int) {
	if x.index != nil {
		x.index.SplitOf(c, first)
	}
}

// ask records a request, unless it is already recorded: a warp that has lost its slot asks again when it is back.
func (x *Sections) ask(c uint16, now wire.Cycle) {
	switch x.state[c] {
	case leaving:
		x.stay(c)
	case without:
		x.state[c] = asking
		x.since[c] = now
		x.requests++
		p := x.part(c)
		p.queue = append(p.queue, c)
	}
}

// stay lets a warp that was about to give up its section keep it.
func (x *Sections) stay(c uint16) {
	x.state[c] = holding
	x.closed.Remove(int(c))
	x.kept++
}

// back frees the section of a warp, if it has one.
func (x *Sections) back(c uint16) state {
	if s := x.state[c]; s == holding || s == leaving {
		p := x.part(c)
		p.free = append(p.free, x.section[c])
		x.closed.Add(int(c))
		x.held--
		x.releases++
	}
	return without
}

// collect frees the sections given up before this cycle.
func (x *Sections) collect(now wire.Cycle) {
	n := 0
	for _, c := range x.leaves {
		switch {
		case x.state[c] != leaving:
		case x.since[c] == now:
			x.leaves[n] = c
			n++
		default:
			x.state[c] = x.back(c)
		}
	}
	x.leaves = x.leaves[:n]
}

// grant grants free sections to the contexts that have waited for longest.
func (x *Sections) grant(p *part, now wire.Cycle) {
	n := 0
	for n < len(p.queue) && len(p.free) > 0 {
		c, last := p.queue[n], len(p.free)-1
		s := p.free[last]
		p.free = p.free[:last]
		n++
		x.state[c], x.section[c] = holding, s
		if x.index != nil {
			x.index.Lift(c, int(s))
			if x.base != nil {
				x.split(c, int(x.bases[c]))
			}
		}
		x.closed.Remove(int(c))
		x.held++
		x.grants++
		x.waits += now - x.since[c]
		if now == x.since[c] {
			x.atOnce++
		}
	}
	p.queue = append(p.queue[:0], p.queue[n:]...)
}

// part returns the sub-core of a context.
func (x *Sections) part(c uint16) *part {
	return &x.parts[int(c)%x.schedulers*len(x.parts)/x.schedulers]
}

// State returns the storage of the block, in bits: a bit for each section, and for each warp its section (RegMutex:
// a bit mask, and a table of as many entries as warps).
func (x *Sections) State() []regfile.State {
	n := len(x.state)
	return []regfile.State{
		{Block: "Sections", What: "sections in use", Count: 1, Bits: n, Ports: "1rw", Kind: storage.FlipFlop, Width: n},
		{Block: "Sections", What: "section of each warp", Count: 1, Bits: n * sectionBits(n/len(x.parts)),
			Ports: "1rw", Kind: storage.FlipFlop, Width: sectionBits(n / len(x.parts))},
	}
}

// sectionBits returns the size of the number of one of n sections, or none.
func sectionBits(n int) int {
	bits := 0
	for ; n > 0; n >>= 1 {
		bits++
	}
	return bits
}

// Waiting reports the warps waiting for sections, and the holders.
func (x *Sections) Waiting() string {
	for i := range x.parts {
		p := &x.parts[i]
		if len(p.queue) == 0 {
			continue
		}
		out := fmt.Sprintf("sub-core %d: warps %v wait for sections, which are held by warps", i, p.queue)
		for c, s := range x.state {
			if (s == holding || s == leaving) && x.part(uint16(c)) == p {
				out += fmt.Sprintf(" %d", c)
			}
		}
		return out
	}
	return ""
}

func (x *Sections) register(block string, reg *stats.Registry) {
	reg.Count("regfile.regmutex.requests", stats.Events, "warps that asked for a section of the shared pool", block,
		&x.requests)
	reg.Count("regfile.regmutex.grants", stats.Events, "warps that were given a section", block, &x.grants)
	reg.Count("regfile.regmutex.at_once", stats.Events, "warps that were given a section without waiting", block,
		&x.atOnce)
	reg.Count("regfile.regmutex.wait_cycles", stats.Cycles, "from a request to its grant, summed over grants", block,
		&x.waits)
	reg.Count("regfile.regmutex.releases", stats.Events, "sections that warps gave up", block, &x.releases)
	reg.Count("regfile.regmutex.kept", stats.Events,
		"sections that warps were about to give up, and kept because they needed them again", block, &x.kept)
	reg.Count("regfile.regmutex.held", stats.Cycles,
		"sections held by warps, summed over cycles up to the last change", block, &x.busy)
}
