package liveness

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// Info is the liveness of a kernel. Registers and predicates share one index
// space: register r is r, predicate p is Regs+p.
type Info struct {
	K     *ir.Kernel
	G     *cfg.Graph
	Regs  int
	Preds int
	// In and Out are the live sets at the ends of each block.
	In, Out []bitset.Set

	guardOf []int32 // per index: the guard it is live under, if only one, or 0
	under   []int   // indices with an entry in guardOf, possibly stale
	words   int     // registers in the live set of a scan
}

// Analyze computes the liveness of k, with graph g.
func Analyze(k *ir.Kernel, g *cfg.Graph) *Info {
	n := k.NumRegs + k.NumPreds
	l := &Info{K: k, G: g, Regs: k.NumRegs, Preds: k.NumPreds, guardOf: make([]int32, n)}
	l.In = make([]bitset.Set, len(g.Blocks))
	l.Out = make([]bitset.Set, len(g.Blocks))
	kill := make([]bitset.Set, len(g.Blocks))
	for b := range g.Blocks {
		l.Out[b], kill[b] = bitset.New(n), bitset.New(n)
		gen := bitset.New(n)
		l.scan(b, gen, nil)
		l.In[b] = gen
		for pc := g.Blocks[b].Start; pc < g.Blocks[b].End; pc++ {
			if in := &k.Insts[pc]; !code.Guarded(in) {
				code.Defs(in, func(o *ir.Operand) { l.each(o, kill[b].Add) })
			}
		}
	}
	l.solve(kill)
	return l
}

func (l *Info) solve(kill []bitset.Set) {
	queued := make([]bool, len(l.G.Blocks))
	work := make([]int, 0, len(queued))
	for b := range queued {
		queued[b] = true
		work = append(work, b)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		queued[b] = false
		for _, s := range l.G.Blocks[b].Succs {
			l.Out[b].Or(l.In[s])
		}
		changed := false
		for i, w := range l.Out[b] {
			if n := l.In[b][i] | w&^kill[b][i]; n != l.In[b][i] {
				l.In[b][i] = n
				changed = true
			}
		}
		if !changed {
			continue
		}
		for _, p := range l.G.Blocks[b].Preds {
			if !queued[p] {
				queued[p] = true
				work = append(work, p)
			}
		}
	}
}

// each calls f with the indices of an operand.
func (l *Info) each(o *ir.Operand, f func(int)) {
	switch o.Kind {
	case ir.KindReg:
		for i := range code.Words(o) {
			f(int(o.Reg) + i)
		}
	case ir.KindPred:
		f(l.Regs + int(o.Reg))
	}
}

// Uses calls f with the index of every register and predicate read by in.
func (l *Info) Uses(in *ir.Inst, f func(int)) {
	code.Uses(in, func(o *ir.Operand) { l.each(o, f) })
}

// Defs calls f with the index of every register and predicate written by in.
func (l *Info) Defs(in *ir.Inst, f func(int)) {
	code.Defs(in, func(o *ir.Operand) { l.each(o, f) })
}

// Scan walks block b backward. It calls visit for each instruction with the live set behind the instruction. The
// set changes as the scan goes on.
func (l *Info) Scan(b int, visit func(pc int, after bitset.Set)) {
	l.scan(b, l.Out[b].Clone(), visit)
}

// ScanWords walks block b backward. It calls visit for each instruction with the number of registers live behind it,
// which costs nothing to know, whereas the elements of the set cost a walk for each instruction.
func (l *Info) ScanWords(b int, visit func(pc, after int)) {
	l.scan(b, l.Out[b].Clone(), func(pc int, _ bitset.Set) { visit(pc, l.words) })
}

func (l *Info) scan(b int, live bitset.Set, visit func(pc int, after bitset.Set)) {
	l.words = live.CountBelow(l.Regs)
	for _, i := range l.under {
		l.guardOf[i] = 0
	}
	l.under = l.under[:0]
	blk := &l.G.Blocks[b]
	for pc := blk.End - 1; pc >= blk.Start; pc-- {
		if visit != nil {
			visit(pc, live)
		}
		l.step(&l.K.Insts[pc], live)
	}
}

// step turns the set live behind in into the set live before it.
func (l *Info) step(in *ir.Inst, live bitset.Set) {
	g := int32(0)
	if in.Guard.Kind == ir.KindPred {
		g = 2 * (int32(in.Guard.Reg) + 1)
		if in.Guard.Neg {
			g++
		}
	}
	for d := range in.Dst {
		o := &in.Dst[d]
		if o.Kind == ir.KindPred {
			l.forget(int32(o.Reg))
		}
		l.each(o, func(i int) {
			if g == 0 || l.guardOf[i] == g {
				if i < l.Regs && live.Has(i) {
					l.words--
				}
				live.Remove(i)
				l.guardOf[i] = 0
			}
		})
	}
	l.Uses(in, func(i int) {
		switch {
		case !live.Has(i):
			live.Add(i)
			if i < l.Regs {
				l.words++
			}
			if l.guardOf[i] = g; g != 0 {
				l.under = append(l.under, i)
			}
		case l.guardOf[i] != g:
			l.guardOf[i] = 0
		}
	})
	if g != 0 {
		l.guardOf[l.Regs+int(in.Guard.Reg)] = 0 // the guard itself is read by all lanes
	}
}

// forget makes everything live under a guard with predicate p live without a guard, because before a write of p the
// guard has another value.
func (l *Info) forget(p int32) {
	kept := l.under[:0]
	for _, i := range l.under {
		switch l.guardOf[i] >> 1 {
		case p + 1:
			l.guardOf[i] = 0
		case 0:
		default:
			kept = append(kept, i)
		}
	}
	l.under = kept
}
