package sharing

import (
	"fmt"
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Locks has a lock variable for each pair of warps of the same index in the two CTAs of a pair. The holder may use
// the registers existing once per pair.
//
// A warp in a closed context cannot issue instructions naming such registers. Contexts of unshared CTAs are opened
// when the CTA begins, contexts of pairs when they are granted their lock. A lock is kept to the end of its warp. A
// request that cannot be granted is retried in every cycle, at no further cost. The block sleeps through the cycles
// in which no retry can succeed.
type Locks struct {
	wire.Comp

	Warp   []wire.InPort[regfile.WarpNotice] // by scheduler
	Begun  wire.InPort[Begun]                // from the pairs
	Taken  wire.OutPort[Taken]               // to the pairs
	Pulses wire.OutPort[Pulse]               // to the throttle; unconnected without one

	// Closed is the set of warp contexts without access to shared registers.
	Closed wire.Signal[regfile.WarpSet]

	rule  bool // the deadlock rule
	owner *wire.Signal[regfile.WarpSet]
	index *bank.Index     // where the banks have the registers; nil in tests without
	all   regfile.WarpSet `soft:"constants"`
	plan  plan

	lock   []uint16        `bits:"1+log(holder)"`        // by context: its lock; unassigned and unlocked are none
	side   []uint8         `bits:"1"`                    // by context
	holder []uint16        `row:"Locks: lock variables"` // by lock: its holder, or free
	of     []uint16        `bits:"8"`                    // by lock: its pair
	held   [][2]uint16     `bits:"8"`                    // by pair and side: locks held
	asked  regfile.WarpSet `bits:"lock" room:"1"`        // contexts requesting their lock
	since  []wire.Cycle    `soft:"statistics"`           // by context: cycle of its request
	closed regfile.WarpSet `bits:"lock" room:"1"`
	try    bool            // something has changed: a try may succeed

	requests, grants, waits, refusedHeld, refusedRule uint64
	waited                                            stats.Histogram
}

// Values of lock for contexts without a lock: unassigned if no CTA has begun in the context, unlocked for an unshared
// CTA.
const (
	unassigned = 1<<16 - 1
	unlocked   = 1<<16 - 2
)

// free stands for a lock without a holder. In hardware the number of any warp outside the pair can stand for it, so
// it needs no further bit.
const free = 1<<16 - 1

// lockGate and dynamicGate are the numbers of the gates.
const (
	lockGate = iota
	dynamicGate
)

// Pulse notifies the throttle of a cycle in which warps issued or began to wait for the throttle.
type Pulse struct {
	Issued   bool
	Withheld uint8
}

// LocksSpec describes the SM of the locks and the rule for granting them.
type LocksSpec struct {
	Contexts, Schedulers int
	Rule                 bool // the rule of section III.A against deadlocks
	// Owner has the warps of owner CTAs. When both warps of a pair could get their first lock, the owner's warp
	// gets it.
	Owner *wire.Signal[regfile.WarpSet]
	Index *bank.Index
}

// NewLocks builds the locks of an SM.
func NewLocks(name string, d *wire.Domain, s LocksSpec, reg *stats.Registry) *Locks {
	n, schedulers := s.Contexts, s.Schedulers
	l := &Locks{rule: s.Rule, owner: s.Owner, index: s.Index, lock: make([]uint16, n), side: make([]uint8, n),
		since:  make([]wire.Cycle, n),
		holder: make([]uint16, n/2), of: make([]uint16, n/2), held: make([][2]uint16, n/2)}
	for w := range n {
		l.all.Add(w)
	}
	l.Init(name, d, l)
	l.Warp = make([]wire.InPort[regfile.WarpNotice], schedulers)
	for i := range l.Warp {
		l.Warp[i].Init(&l.Comp, fmt.Sprintf("Warp[%d]", i), 16)
	}
	l.Begun.Init(&l.Comp, "Begun", 8)
	l.Taken.Init(&l.Comp, "Taken")
	l.Pulses.Init(&l.Comp, "Pulses").SetOptional()
	l.Closed.Init(&l.Comp, regfile.WarpSet{})
	l.count(name, reg)
	return l
}

func (l *Locks) count(name string, reg *stats.Registry) {
	reg.Count("regfile.sharing.lock_requests", stats.Events, "warps that asked for the lock of their shared registers",
		name, &l.requests)
	reg.Count("regfile.sharing.lock_grants", stats.Events, "warps that were given their lock", name, &l.grants)
	reg.Count("regfile.sharing.lock_wait_cycles", stats.Cycles,
		"from a request at the locks to its grant, summed over grants", name, &l.waits)
	reg.Histogram("regfile.sharing.lock_wait", stats.Cycles, "from a request at the locks to its grant", &l.waited)
	reg.Count("regfile.sharing.lock_refused_held", stats.Events,
		"requests not granted at once because the partner warp held the lock", name, &l.refusedHeld)
	reg.Count("regfile.sharing.lock_refused_rule", stats.Events,
		"requests for a free lock not granted at once because another warp of the partner CTA held one", name,
		&l.refusedRule)
}

// Load prepares the locks for a launch. The SM is idle.
func (l *Locks) Load(x plan) {
	l.plan = x
	for w := range l.lock {
		l.lock[w] = unassigned
	}
	for i := range l.holder {
		l.holder[i] = free
	}
	clear(l.held)
	l.asked, l.closed = regfile.WarpSet{}, regfile.WarpSet{}
	if x.on() {
		l.closed = l.all
	}
	l.Closed.Set(l.closed)
}

// Tick begins CTAs, accepts notices, and grants locks.
func (l *Locks) Tick(now wire.Cycle) bool {
	for s := l.Begun.Take(); s != nil; s = l.Begun.Take() {
		l.begin(s)
	}
	var p Pulse
	for i := range l.Warp {
		for n := l.Warp[i].Take(); n != nil; n = l.Warp[i].Take() {
			l.notice(n, &p, now)
		}
	}
	if (p.Issued || p.Withheld > 0) && l.Pulses.Connected() {
		l.Pulses.Put(p)
	}
	if l.try {
		l.grant(now)
	}
	l.Closed.Set(l.closed)
	return false
}

// begin assigns locks to the contexts of a CTA of a pair, or opens the contexts of an unshared CTA.
func (l *Locks) begin(s *Begun) {
	for i, w := range s.Contexts {
		if s.Pair == alone {
			l.lock[w] = unlocked
			l.closed.Remove(int(w))
			l.asked.Remove(int(w))
			l.share(w, alone)
			continue
		}
		k := int(s.Pair)*l.plan.warps + i
		l.lock[w], l.side[w], l.of[k] = uint16(k), s.Side, uint16(s.Pair)
		l.share(w, k)
		if x := l.plan.beside; x != nil && l.index != nil {
			l.index.SplitOf(w, x.private[s.Kernel])
		}
	}
	l.try = true
}

// share reports to the banks the place of a context's shared registers.
func (l *Locks) share(w uint16, place int) {
	if l.index != nil {
		l.index.Lift(w, place)
	}
}

func (l *Locks) notice(n *regfile.WarpNotice, p *Pulse, now wire.Cycle) {
	w := int(n.Warp)
	switch {
	case n.Event == regfile.WarpIssued:
		p.Issued = true
	case n.Event == regfile.WarpHeld && n.Gate == dynamicGate:
		p.Withheld++
	case n.Event == regfile.WarpHeld:
		if l.closed.Has(w) && !l.asked.Has(w) {
			l.asked.Add(w)
			l.since[w] = now
			l.requests++
			l.try = true
		}
	case n.Event == regfile.WarpFinished && l.plan.on():
		l.release(w)
	}
}

// release closes the context of a finished warp, and frees its lock.
func (l *Locks) release(w int) {
	l.closed.Add(w)
	l.asked.Remove(w)
	if k := l.lock[w]; k < unlocked && l.holder[k] == uint16(w) {
		l.holder[k] = free
		l.held[l.pair(k)][l.side[w]]--
		l.try = true
	}
	l.lock[w] = unassigned
}

func (l *Locks) pair(lock uint16) int { return int(l.of[lock]) }

// number returns the number of a lock in its pair.
func (l *Locks) number(lock uint16) int { return int(lock) - l.pair(lock)*l.plan.warps }

// grant tries every request, those of owner CTAs first.
func (l *Locks) grant(now wire.Cycle) {
	l.try = false
	owner := l.owner.Get()
	for _, first := range [...]bool{true, false} {
		for i := range l.asked {
			set := l.asked[i] & owner[i]
			if !first {
				set = l.asked[i] &^ owner[i]
			}
			for ; set != 0; set &= set - 1 {
				l.tryOne(uint16(i<<6+bits.TrailingZeros64(set)), now)
			}
		}
	}
}

// tryOne grants a request if it can be granted.
func (l *Locks) tryOne(w uint16, now wire.Cycle) {
	k := l.lock[w]
	if k >= unlocked {
		return // the message Begun is on the way
	}
	pair, side := l.pair(k), l.side[w]
	other := l.held[pair][1-side]
	first := l.since[w] == now
	switch {
	case l.holder[k] != free:
		if first {
			l.refusedHeld++
		}
		return
	case l.rule && other > 0:
		if first {
			l.refusedRule++
		}
		return
	}
	if other == 0 && l.held[pair][side] == 0 {
		if !l.Taken.CanPut() {
			l.try = true // woken when there is room
			return
		}
		l.Taken.Put(Taken{Pair: int16(pair), Side: side})
	}
	l.holder[k] = w
	l.held[pair][side]++
	l.asked.Remove(int(w))
	l.closed.Remove(int(w))
	l.grants++
	l.waits += now - l.since[w]
	l.waited.Add(now - l.since[w])
}

// State returns the storage of the block, in bits (section 6): a warp's number for each lock. A request is no
// state: in hardware the warp repeats it in every cycle.
func (l *Locks) State() []regfile.State {
	n := len(l.holder)
	width := bits.Len(uint(len(l.lock) - 1))
	return []regfile.State{{Block: "Locks", What: "lock variables", Count: 1, Bits: n * width, Kind: storage.FlipFlop,
		Width: width}}
}

// Waiting lists the waiting warps, each with the warp it waits for.
func (l *Locks) Waiting() string {
	out, more := "", 0
	for w := range l.lock {
		if !l.asked.Has(w) {
			continue
		}
		if len(out) > 300 {
			more++
			continue
		}
		if out != "" {
			out += "; "
		}
		out += l.obstacle(w)
	}
	if more > 0 {
		out += fmt.Sprintf("; and %d more", more)
	}
	return out
}

func (l *Locks) obstacle(w int) string {
	k := l.lock[w]
	if k >= unlocked {
		return fmt.Sprintf("warp %d waits for its CTA to begin", w)
	}
	who := fmt.Sprintf("warp %d waits for lock %d of pair %d", w, l.number(k), l.pair(k))
	if h := l.holder[k]; h != free {
		return fmt.Sprintf("%s, which warp %d holds", who, h)
	}
	for o := range l.lock {
		if x := l.lock[o]; x < unlocked && l.pair(x) == l.pair(k) && l.side[o] != l.side[w] &&
			l.holder[x] == uint16(o) {
			return fmt.Sprintf("%s, while warp %d of the partner CTA holds lock %d", who, o, l.number(x))
		}
	}
	return who
}
