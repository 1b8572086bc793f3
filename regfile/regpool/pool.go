package regpool

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// Pool deals blocks of registers to warps. A table has the place of each block of a warp.
//
// A request is served in the cycle of its arrival if there are enough blocks for it. Waiting requests are served in
// the order of arrival; one without enough blocks does not hold up the next.
type Pool struct {
	wire.Comp

	Warp []wire.InPort[regfile.WarpNotice] // by scheduler
	CTAs wire.InPort[regfile.CTANotice]

	// Closed is the set of warp contexts without a granted request.
	Closed wire.Signal[regfile.WarpSet]

	spec  *PoolSpec `soft:"settings"`
	plan  *plan     `soft:"of the launch"`
	idle  []uint16  `row:"Registers: blocks in use"`       // blocks of no warp, the next to be given last
	free  []int32   `row:"Registers: blocks in the pools"` // by slot of the CTA, or one for all
	warps []warp    `row:"Registers: blocks of each warp"` // by context
	table []uint16  `row:"Registers: places of blocks"`    // by context and block of the warp
	queue []uint16  `bits:"log(warps)" room:"warps"`       // waiting contexts, in the order of their requests

	claims []claim `soft:"worked out for each request"` // by slot of the CTA

	all    regfile.WarpSet `soft:"constants"`
	closed regfile.WarpSet `bits:"warps" room:"1"`

	counts
}

// warp has the blocks of a context, and its request.
type warp struct {
	held  int16 // blocks
	want  int16 // blocks asked for, 0: nothing is asked for
	cta   int16 // its CTA's slot, -1: no warp has the context
	given bool  // the request is granted, and its instruction has not issued
	asked wire.Cycle
	next  wire.Cycle // the next try, where requests fail
}

// pools returns the number of pools of an SM.
func (s *PoolSpec) pools() int {
	if s.Pool == PoolSM {
		return 1
	}
	return s.CTAs
}

// PoolSpec describes the SM of a pool: its warp contexts, slots of CTAs, schedulers, and blocks of registers.
type PoolSpec struct {
	Spec
	Contexts, CTAs, Schedulers, Blocks int
}

// NewPool builds the pools of an SM.
func NewPool(name string, d *wire.Domain, s *PoolSpec, reg *stats.Registry) *Pool {
	x := &Pool{spec: s, plan: &plan{}, idle: make([]uint16, 0, s.Blocks), free: make([]int32, s.pools()),
		warps: make([]warp, s.Contexts), table: make([]uint16, s.Contexts*s.most()),
		queue: make([]uint16, 0, s.Contexts), claims: make([]claim, s.CTAs)}
	for c := range s.Contexts {
		x.all.Add(c)
	}
	x.Init(name, d, x)
	x.Warp = make([]wire.InPort[regfile.WarpNotice], s.Schedulers)
	for i := range x.Warp {
		x.Warp[i].Init(&x.Comp, fmt.Sprintf("Warp[%d]", i), 16)
	}
	x.CTAs.Init(&x.Comp, "CTAs", 4)
	x.Closed.Init(&x.Comp, regfile.WarpSet{})
	x.register(name, reg)
	return x
}

// Load prepares the pools for a launch. The SM is idle.
func (x *Pool) Load(p *plan) {
	x.plan, x.closed = p, regfile.WarpSet{}
	if p.on {
		x.closed = x.all
	}
	x.queue = x.queue[:0]
	for i := range x.warps {
		x.warps[i] = warp{cta: -1}
	}
	clear(x.free)
	if x.spec.Pool == PoolSM {
		x.free[0] = int32(p.pool)
	}
	x.idle = x.idle[:0]
	for b := x.spec.Blocks - 1; b >= 0; b-- {
		x.idle = append(x.idle, uint16(b))
	}
	x.Closed.Set(x.closed)
}

// Tick processes the notices, and grants requests.
func (x *Pool) Tick(now wire.Cycle) bool {
	x.count(now)
	for i := range x.Warp {
		for n := x.Warp[i].Take(); n != nil; n = x.Warp[i].Take() {
			if x.plan.on {
				x.notice(n, now)
			}
		}
	}
	for n := x.CTAs.Take(); n != nil; n = x.CTAs.Take() {
		if x.plan.on {
			x.cta(n)
		}
	}
	x.serve(now)
	x.Closed.Set(x.closed)
	return false
}

// cta deals the blocks of its launch to a new CTA.
func (x *Pool) cta(n *regfile.CTANotice) {
	if n.Finished {
		return // its warps have ended
	}
	if x.spec.Pool == PoolCTA {
		x.free[n.CTA] = 0
	}
	for _, c := range n.Contexts {
		x.warps[c] = warp{cta: int16(n.CTA)}
		x.resize(c, x.plan.start)
	}
}

func (x *Pool) notice(n *regfile.WarpNotice, now wire.Cycle) {
	w := &x.warps[n.Warp]
	switch {
	case n.Event == regfile.WarpFinished:
		x.end(n.Warp)
	case n.Inst == nil || n.Inst.Op != ir.OpSetmaxnreg:
	case n.Event == regfile.WarpHeld:
		x.ask(n.Warp, x.spec.blocks(int(n.Inst.Src[0].Imm)), now)
	case n.Event == regfile.WarpIssued && n.Inst.Mods.Grow:
		if !w.given {
			panic("regpool: a warp has more registers than it was given")
		}
		w.given = false
		x.closed.Add(int(n.Warp))
	case n.Event == regfile.WarpIssued:
		x.shrink(n.Warp, x.spec.blocks(int(n.Inst.Src[0].Imm)))
	}
}

// ask records a request.
func (x *Pool) ask(c uint16, blocks int, now wire.Cycle) {
	w := &x.warps[c]
	w.want, w.asked, w.next = int16(blocks), now, now
	x.queue = append(x.queue, c)
	x.requests++
}

// shrink takes blocks from a warp until the given number is left, and puts them into its pool. With one pool per SM a
// warp keeps at least the blocks that it began with, because the next warp of the context begins with these.
func (x *Pool) shrink(c uint16, blocks int) {
	w := &x.warps[c]
	if x.spec.Pool == PoolSM {
		blocks = max(blocks, x.plan.start)
	}
	if given := int(w.held) - blocks; given > 0 {
		*x.pool(c) += int32(given)
		x.released += uint64(given)
		x.resize(c, blocks)
	}
}

// end takes all blocks from an ended warp.
func (x *Pool) end(c uint16) {
	w := &x.warps[c]
	begun := 0
	if x.spec.Pool == PoolSM {
		begun = x.plan.start
	}
	*x.pool(c) += int32(max(0, int(w.held)-begun))
	x.resize(c, 0)
	w.cta = -1
}

// pool returns the number of blocks for the warp of a context.
func (x *Pool) pool(c uint16) *int32 {
	if x.spec.Pool == PoolSM {
		return &x.free[0]
	}
	return &x.free[x.warps[c].cta]
}

// resize gives a warp blocks, or takes its last ones.
func (x *Pool) resize(c uint16, blocks int) {
	w, row := &x.warps[c], x.table[int(c)*x.spec.most():]
	for ; int(w.held) < blocks; w.held++ {
		last := len(x.idle) - 1
		row[w.held], x.idle = x.idle[last], x.idle[:last]
	}
	for ; int(w.held) > blocks; w.held-- {
		x.idle = append(x.idle, row[w.held-1])
	}
}
