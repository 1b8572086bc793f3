package sched

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// ahead schedules a block from its end upwards. Each instruction is placed as late as the latency of its result
// permits. So a load moves up past independent instructions until its latency is covered, and no farther. At the
// limit of live registers, the instruction that frees the most registers is placed first, for example a load
// defining a register.
type ahead struct {
	*scheduler
	d      *dag
	b      int
	preds  [][]edge
	height []int // longest delay from the beginning of the block
	at     []int // earliest place, counted from the end of the block
	defs   []int // writes not yet placed, per register
	live   bitset.Set
	words  int
}

// delays returns the latency assumed by order, in cycles: for a load from the SM's own memory its real latency, for
// a load from elsewhere the part not hidden by other warps.
func delays(in *ir.Inst) int {
	if in.Op == ir.OpLd && (in.Space == ir.Shared || in.Space == ir.Const || in.Space == ir.Param) {
		return sharedLatency
	}
	return latency[ir.ClassOf(in)]
}

// sharedLatency is the approximate latency of shared memory from Fermi to Maxwell, in cycles: maxas' wiki has 30.
const sharedLatency = 30

func (s *scheduler) backward(b int, d *dag) []int {
	n := len(d.insts)
	a := &ahead{scheduler: s, d: d, b: b, preds: make([][]edge, n), height: make([]int, n), at: make([]int, n),
		defs: make([]int, s.l.Regs+s.l.Preds), live: s.l.Out[b].Clone()}
	waits := make([]int, n)
	for i := range n {
		for _, e := range d.succs[i] {
			a.preds[e.to] = append(a.preds[e.to], edge{i, e.delay})
			a.height[e.to] = max(a.height[e.to], a.height[i]+e.delay)
		}
		waits[i] = len(d.succs[i])
		code.Defs(&d.insts[i], func(o *ir.Operand) { s.each(o, func(r int) { a.defs[r]++ }) })
	}
	a.live.Each(func(r int) { a.words += a.word(r) })
	return a.list(waits)
}

// list places the instructions, and returns them in program order.
func (a *ahead) list(waits []int) []int {
	n := len(waits)
	var ready []int
	for i := range n {
		if waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	out := make([]int, n)
	for now, place := 0, n-1; len(ready) > 0; now, place = now+1, place-1 {
		best := 0
		for k := 1; k < len(ready); k++ {
			if a.better(ready[k], ready[best], now) {
				best = k
			}
		}
		i := ready[best]
		ready = append(ready[:best], ready[best+1:]...)
		out[place] = i
		a.place(&a.d.insts[i])
		now = max(now, a.at[i])
		for _, e := range a.preds[i] {
			a.at[e.to] = max(a.at[e.to], now+max(e.delay, 1))
			if waits[e.to]--; waits[e.to] == 0 {
				ready = append(ready, e.to)
			}
		}
	}
	return out
}

// better reports whether x is to be placed before y in the walk, and so stand behind y.
func (a *ahead) better(x, y, now int) bool {
	if a.words >= a.most-a.margin {
		if ex, ey := a.effect(&a.d.insts[x]), a.effect(&a.d.insts[y]); ex != ey {
			return ex < ey
		}
		return x > y
	}
	wx, wy := max(0, a.at[x]-now), max(0, a.at[y]-now)
	if wx != wy {
		return wx < wy
	}
	if a.height[x] != a.height[y] {
		return a.height[x] > a.height[y]
	}
	return x > y
}

// word returns 1 for a register, 0 for a predicate.
func (a *ahead) word(r int) int {
	if r < a.l.Regs {
		return 1
	}
	return 0
}

// begins reports whether the value of register r begins with a write by in.
func (a *ahead) begins(in *ir.Inst, r int) bool {
	return !code.Guarded(in) || a.defs[r] == 1 && !a.l.In[a.b].Has(r)
}

// effect returns the number of registers live above in less the number live below in.
func (a *ahead) effect(in *ir.Inst) int {
	n := 0
	code.Defs(in, func(o *ir.Operand) {
		a.each(o, func(r int) {
			if a.live.Has(r) && a.begins(in, r) {
				n -= a.word(r)
			}
		})
	})
	code.Uses(in, func(o *ir.Operand) {
		a.each(o, func(r int) {
			if !a.live.Has(r) {
				n += a.word(r)
			}
		})
	})
	return n
}

// place updates the live set for in, placed above all instructions placed so far.
func (a *ahead) place(in *ir.Inst) {
	code.Defs(in, func(o *ir.Operand) {
		a.each(o, func(r int) {
			if a.live.Has(r) && a.begins(in, r) {
				a.live.Remove(r)
				a.words -= a.word(r)
			}
			a.defs[r]--
		})
	})
	code.Uses(in, func(o *ir.Operand) {
		a.each(o, func(r int) {
			if !a.live.Has(r) {
				a.live.Add(r)
				a.words += a.word(r)
			}
		})
	})
}
