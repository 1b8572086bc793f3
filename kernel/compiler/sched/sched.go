package sched

import (
	"slices"

	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/compiler/maxnreg"
	"kumiko/kernel/ir"
)

// slack is the number of registers always allowed to the scheduler. With fewer, no more warps would fit anyway: 32
// registers give the full occupancy of the GPUs since Kepler, 20 that of Fermi.
const slack = 16

// Run schedules every block of k. limit is the number of registers available, 0 for no limit. The registers live in
// any block are limited to the kernel's maximum before scheduling plus spare, or to slack if larger.
func Run(k *ir.Kernel, limit, spare int) {
	s := newScheduler(k)
	if s.most = max(s.most+spare, slack); limit > 0 {
		s.most = min(s.most, max(limit, slack))
	}
	s.run()
}

// Ahead schedules every block of k with loads far enough ahead of their uses to cover their latency. The live
// registers are limited to registers, or to the kernel's maximum before scheduling if larger.
func Ahead(k *ir.Kernel, registers int) {
	s := newScheduler(k)
	s.most = max(s.most, registers)
	s.ahead = true
	s.run()
}

// newScheduler returns a scheduler limited to the register pressure of k.
func newScheduler(k *ir.Kernel) *scheduler {
	l := liveness.Analyze(k, cfg.Build(k.Insts))
	most, _ := l.MaxLive()
	return &scheduler{l: l, most: most, limits: maxnreg.Of(k, l.G),
		live: bitset.New(l.Regs + l.Preds), left: make([]int, l.Regs+l.Preds)}
}

func (s *scheduler) run() {
	most := s.most
	for b := range s.l.G.Blocks {
		if s.limits != nil {
			s.most = min(most, s.limits.Least(b))
		}
		s.block(b)
	}
}

type scheduler struct {
	l       *liveness.Info
	most    int
	limits  *maxnreg.Limits // nil: the kernel does not change its registers
	ahead   bool            // loads are placed so far before their uses that their latency is covered
	scratch tables
	live    bitset.Set
	left    []int // by register: reads in the rest of the block
	words   int   // number of live registers
	margin  int   // registers below the limit at which latency gives way to pressure
}

// maxBlock is the largest block scheduled, in instructions: the search is quadratic.
const maxBlock = 1500

func (s *scheduler) block(b int) {
	blk := &s.l.G.Blocks[b]
	insts := s.l.K.Insts[blk.Start:blk.End]
	if len(insts) < 3 || len(insts) > maxBlock {
		return
	}
	after, order := func(in *ir.Inst) int { return latency[ir.ClassOf(in)] }, s.order
	if s.ahead {
		after, order = delays, s.backward
	}
	d := newDAG(insts, s.each, s.l.Regs+s.l.Preds, after, &s.scratch)
	before := s.pressure(b, insts, identity(len(insts)))
	s.margin = margin
	list := order(b, d)
	p := s.pressure(b, insts, list)
	// A wide store may lead from below the margin beyond the limit.
	for s.ahead && p > max(before, s.most) && s.margin < widest {
		s.margin += margin
		list = order(b, d)
		p = s.pressure(b, insts, list)
	}
	if p > max(before, s.most) || p > before && before >= s.most {
		return
	}
	out := make([]ir.Inst, 0, len(insts))
	for _, i := range list {
		out = append(out, insts[i])
	}
	old := slices.Clone(insts)
	copy(insts, out)
	// Both pressures count a register as live from its first write to its last read, even if it holds no value in
	// between. So the old order's pressure may be too high a bound for the new order.
	if p > s.most {
		if live, _ := liveness.Analyze(s.l.K, s.l.G).MaxLive(); live > s.most {
			copy(insts, old)
		}
	}
}

func identity(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func (s *scheduler) each(o *ir.Operand, f func(int)) {
	switch o.Kind {
	case ir.KindReg:
		for i := range code.Words(o) {
			f(int(o.Reg) + i)
		}
	case ir.KindPred:
		f(s.l.Regs + int(o.Reg))
	}
}

// begin sets up the counts for walking block b forward.
func (s *scheduler) begin(b int, insts []ir.Inst) {
	copy(s.live, s.l.In[b])
	s.words = 0
	s.live.Each(func(i int) {
		if i < s.l.Regs {
			s.words++
		}
	})
	for i := range insts {
		code.Uses(&insts[i], func(o *ir.Operand) { s.each(o, func(r int) { s.left[r] = 0 }) })
		code.Defs(&insts[i], func(o *ir.Operand) { s.each(o, func(r int) { s.left[r] = 0 }) })
	}
	for i := range insts {
		code.Uses(&insts[i], func(o *ir.Operand) { s.each(o, func(r int) { s.left[r]++ }) })
	}
}

// effect returns the growth of the live registers if in is next: its new results less the operands without a later
// read.
func (s *scheduler) effect(b int, in *ir.Inst) int {
	n := 0
	code.Defs(in, func(o *ir.Operand) {
		s.each(o, func(r int) {
			if r < s.l.Regs && !s.live.Has(r) {
				n++
			}
		})
	})
	code.Uses(in, func(o *ir.Operand) {
		s.each(o, func(r int) {
			if r < s.l.Regs && s.left[r] == 1 && s.live.Has(r) && !s.l.Out[b].Has(r) {
				n--
			}
		})
	})
	return n
}

// step updates the live registers for the issue of in, and returns their peak.
func (s *scheduler) step(b int, in *ir.Inst) (peak int) {
	grow := 0
	code.Uses(in, func(o *ir.Operand) {
		s.each(o, func(r int) {
			if s.left[r]--; s.left[r] == 0 && !s.l.Out[b].Has(r) && s.live.Has(r) {
				s.live.Remove(r)
				if r < s.l.Regs {
					s.words--
				}
			}
		})
	})
	code.Defs(in, func(o *ir.Operand) {
		s.each(o, func(r int) {
			if !s.live.Has(r) {
				if r < s.l.Regs {
					grow++
				}
				if s.left[r] > 0 || s.l.Out[b].Has(r) {
					s.live.Add(r)
					if r < s.l.Regs {
						s.words++
						grow--
					}
				}
			}
		})
	})
	return s.words + grow
}

func (s *scheduler) pressure(b int, insts []ir.Inst, order []int) int {
	s.begin(b, insts)
	most := s.words
	for _, i := range order {
		most = max(most, s.step(b, &insts[i]))
	}
	return most
}

// order returns the new order of the block's instructions. Among the ready instructions the one on the longest path
// goes first. If the next instructions would need too many registers, the one that frees the most registers goes
// first.
func (s *scheduler) order(b int, d *dag) []int {
	s.begin(b, d.insts)
	n := len(d.insts)
	waits := append([]int(nil), d.npreds...)
	at := make([]int, n) // earliest cycle
	var ready, out []int
	for i := range n {
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	for now := 0; len(ready) > 0; now++ {
		best := 0
		for k := 1; k < len(ready); k++ {
			if s.better(b, d, ready[k], ready[best], at, now) {
				best = k
			}
		}
		i := ready[best]
		ready = append(ready[:best], ready[best+1:]...)
		out = append(out, i)
		s.step(b, &d.insts[i])
		now = max(now, at[i])
		for _, e := range d.succs[i] {
			at[e.to] = max(at[e.to], now+e.delay)
			if waits[e.to]--; waits[e.to] == 0 {
				ready = append(ready, e.to)
			}
		}
	}
	return out
}

// margin is the number of registers below the limit at which the scheduler chooses by register pressure and no longer
// by latency. If a block still exceeds the limit, because a single instruction adds more than margin registers, it is
// scheduled again with a margin larger by this number, up to widest: a wide store adds four registers, and a matrix
// instruction up to twelve.
const (
	margin = 2
	widest = 12
)

func (s *scheduler) better(b int, d *dag, x, y int, at []int, now int) bool {
	if s.words >= s.most-s.margin {
		if ex, ey := s.effect(b, &d.insts[x]), s.effect(b, &d.insts[y]); ex != ey {
			return ex < ey
		}
		return x < y
	}
	wx, wy := max(0, at[x]-now), max(0, at[y]-now)
	if wx != wy {
		return wx < wy
	}
	if d.path[x] != d.path[y] {
		return d.path[x] > d.path[y]
	}
	return x < y
}
