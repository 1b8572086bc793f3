package access

import (
	"fmt"
	"math/bits"

	"kumiko/components/cause"
	"kumiko/components/spec"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/memsys/req"
)

// Spec is the size of the access unit.
type Spec struct {
	// InFlight is so bounded because slots have numbers of 16 bits.
	InFlight int `toml:"in_flight" unit:"instructions" range:"1 to 65536" doc:"warp memory instructions that may be under way per SM"`
	Queue    int `toml:"queue" unit:"instructions" range:"1 to 65536" doc:"instructions that may wait in front of the access unit"`
}

// Check returns an error for settings outside their ranges.
func (s *Spec) Check() error { return spec.Ranges(s) }

// Completing pipelines, the indices of Completions.
const (
	FromShared = iota
	FromConstant
	FromL1Hit
	FromL1Fill
	FromTextureHit
	FromTextureFill
	numCompletions
)

// Parts an access is split into, by index.
const (
	global = iota // also local-only, texture, constant and shared-only accesses
	local
	shared
)

// Unit is an access unit.
type Unit struct {
	wire.Comp
	In          wire.InPort[req.Access]
	Out         wire.OutPort[req.Reply]
	Memory      wire.OutPort[req.Part]
	Shared      wire.OutPort[req.Part]
	Constant    wire.OutPort[req.Part]
	Completions [numCompletions]wire.InPort[req.Done]
	Missed      []wire.InPort[req.Missed] // one per cache reporting misses: see ReceiveMisses

	slots []slot                   `bits:"type"`
	free  []uint16                 `bits:"log(slots)"` // last freed first
	sinks bool                     // see Sink
	done  [numCompletions]finished `bits:"3*log(slots)"`
	// parts of the access being dispatched
	parts  [req.MaxParts]req.Part `bits:"type"`
	nParts int

	accesses [ir.Texture + 1]uint64 `soft:"statistics"` // by space; accesses to several spaces count as Generic
	loads    uint64
	latency  uint64
	occupied uint64 // slot-cycles up to the last change
	since    wire.Cycle
}

// slot is an access in flight.
type slot struct {
	start wire.Cycle `soft:"statistics"`
	tag   uint32
	warp  uint16
	left  [req.MaxParts]uint8 // completions awaited; 0 before the first one
	open  uint8               // incomplete parts
	store bool
	told  bool   // its miss has been reported
	next  uint16 // next finished slot, while both wait for room in Out
}

// New builds an access unit.
func New(name string, d *wire.Domain, s Spec, r *stats.Registry) (*Unit, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	u := &Unit{slots: make([]slot, s.InFlight)}
	u.Init(name, d, u)
	u.In.Init(&u.Comp, "In", s.Queue)
	u.Out.Init(&u.Comp, "Out")
	u.Memory.Init(&u.Comp, "Memory")
	u.Shared.Init(&u.Comp, "Shared")
	u.Constant.Init(&u.Comp, "Constant")
	for i := s.InFlight - 1; i >= 0; i-- {
		u.free = append(u.free, uint16(i))
	}
	for sp := ir.Generic; sp <= ir.Texture; sp++ {
		r.Count("mem.access."+sp.String(), stats.Accesses, "warp memory instructions on "+sp.String()+" space", name,
			&u.accesses[sp])
	}
	r.Count("mem.access.loads", stats.Accesses, "warp memory instructions with a result that were answered", name,
		&u.loads)
	r.Count("mem.access.load_latency", stats.Cycles,
		"cycles from entry to the reply, summed over warp memory instructions with a result", name, &u.latency)
	r.Count("mem.access.occupancy", stats.Cycles, "warp memory instructions under way, summed over cycles", name,
		&u.occupied)
	return u, nil
}

// Connect joins a completing pipeline to the unit; latency is the depth of the
// pipeline behind its last stage.
func (u *Unit) Connect(from int, out *wire.OutPort[req.Done], latency int) {
	u.ConnectWide(from, out, Pipeline{Latency: latency, Stages: latency, Width: 1})
}

// Pipeline describes a completing pipeline. The unit provides room for its completions.
type Pipeline struct {
	Latency int // of the link to the unit
	Stages  int // of the whole pipeline, including the link at its end
	Width   int // completions per stage
}

// ConnectWide is Connect for a pipeline of any width. The first stages may lie in
// another block.
func (u *Unit) ConnectWide(from int, out *wire.OutPort[req.Done], p Pipeline) {
	in := &u.Completions[from]
	in.Init(&u.Comp, fmt.Sprintf("Completions[%d]", from), (p.Stages+1)*p.Width)
	wire.Connect(out, in, p.Latency)
}

// Tick completes, then dispatches.
func (u *Unit) Tick(now wire.Cycle) bool {
	u.passOn()
	u.complete(now)
	u.send()
	if !u.accept(now) {
		return false
	}
	u.send()
	return u.nParts == 0 && len(u.free) > 0 && u.In.Head() != nil
}

// send hands the parts of the current access on, in order.
func (u *Unit) send() {
	for u.nParts > 0 {
		p := &u.parts[u.nParts-1]
		out := &u.Memory
		switch p.Space {
		case ir.Shared:
			out = &u.Shared
		case ir.Const, ir.Param:
			out = &u.Constant
		}
		if !out.CanPut() {
			out.Held()
			return
		}
		out.Put(*p)
		u.nParts--
	}
}

// accept accepts the next access once all parts of the one before have been sent.
func (u *Unit) accept(now wire.Cycle) bool {
	if u.nParts > 0 {
		return false
	}
	if len(u.free) == 0 {
		u.Holds(cause.Memory) // the accesses under way wait for data
		return false
	}
	a := u.In.Head()
	if a == nil {
		return false
	}
	u.In.Pop()
	u.account(now)
	id := u.free[len(u.free)-1]
	u.free = u.free[:len(u.free)-1]
	s := &u.slots[id]
	*s = slot{start: now, tag: a.Tag, warp: a.Warp, store: a.Inst.Op == ir.OpSt || a.Inst.Op == ir.OpRed}
	u.split(a, id)
	for i := range u.nParts {
		s.open |= 1 << u.parts[i].Index
	}
	return true
}

// split splits an access into its parts.
func (u *Unit) split(a *req.Access, id uint16) {
	p := req.Part{Inst: a.Inst, Acc: a.Acc, Exec: a.Exec, Mask: a.Exec, Slot: id, Warp: a.Warp, Space: a.Acc.Space}
	if a.Exec == 0 || p.Space == ir.SpaceNone || p.Space > ir.Texture {
		panic(fmt.Sprintf("%s: access %d has lanes %#x in space %q", u.Name(), a.Tag, a.Exec, p.Space))
	}
	u.accesses[p.Space]++
	u.nParts = 0
	if p.Space != ir.Generic {
		u.push(p)
		return
	}
	var addr [32]uint64
	a.Acc.Lanes(a.Exec, &addr)
	var masks [req.MaxParts]uint32
	for m := a.Exec; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		masks[window(addr[l])] |= 1 << l
	}
	for i, m := range masks {
		if m == 0 {
			continue
		}
		p.Index, p.Mask, p.Space, p.Base = uint8(i), m, ir.Global, 0
		switch i {
		case shared:
			p.Space, p.Base = ir.Shared, ir.SharedWindow
		case local:
			p.Space, p.Base = ir.Local, ir.LocalWindow
		}
		u.push(p)
	}
}

func (u *Unit) push(p req.Part) {
	u.parts[u.nParts] = p
	u.nParts++
}

// window returns the part of a generic address: shared, local or global.
func window(addr uint64) int {
	switch {
	case addr-ir.SharedWindow < ir.SharedWindowSize:
		return shared
	case addr-ir.LocalWindow < ir.LocalWindowSize:
		return local
	}
	return global
}

func (u *Unit) account(now wire.Cycle) {
	u.occupied += uint64(len(u.slots)-len(u.free)) * (now - u.since)
	u.since = now
}

// InFlight returns the number of unanswered accesses.
func (u *Unit) InFlight() int { return len(u.slots) - len(u.free) }

// Waiting describes the unit's outstanding accesses.
func (u *Unit) Waiting() string {
	if u.InFlight() == 0 {
		return ""
	}
	oldest := -1
	for i := range u.slots {
		if s := &u.slots[i]; s.open != 0 && (oldest < 0 || s.start < u.slots[oldest].start) {
			oldest = i
		}
	}
	if oldest < 0 {
		return fmt.Sprintf("%d memory instructions are complete, their replies wait for %s", u.InFlight(), u.Out.Name())
	}
	s := &u.slots[oldest]
	return fmt.Sprintf("%d memory instructions under way, the oldest (tag %d, warp %d) since cycle %d", u.InFlight(),
		s.tag, s.warp, s.start)
}
