package liveness

import (
	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/ir"
)

// Vectors gives the live set before each instruction: what a lane needs that is
// about to execute it. Registers and predicates are indexed as in Info.
func (l *Info) Vectors() []bitset.Set {
	out := make([]bitset.Set, len(l.K.Insts))
	for b := range l.G.Blocks {
		l.Scan(b, func(pc int, after bitset.Set) {
			if pc+1 < l.G.Blocks[b].End {
				out[pc+1] = after.Clone()
			}
		})
		out[l.G.Blocks[b].Start] = l.In[b]
	}
	return out
}

// Union adds up the live vectors of a warp whose lanes stand, or will resume, at
// the given PCs: the entries of its reconvergence stack. A PC past the last
// instruction needs nothing.
func Union(vectors []bitset.Set, pcs ...int) bitset.Set {
	if len(vectors) == 0 {
		return nil
	}
	out := make(bitset.Set, len(vectors[0]))
	for _, pc := range pcs {
		if pc < len(vectors) {
			out.Or(vectors[pc])
		}
	}
	return out
}

// MaxLive is the largest number of registers, in words, and of predicates that
// are live at once. Before an instruction that is what it and its successors
// read; behind it what they read and what it writes, read or not.
func (l *Info) MaxLive() (regs, preds int) {
	count := func(s bitset.Set, extra []int) {
		r, p := 0, 0
		s.Each(func(i int) {
			if i < l.Regs {
				r++
			} else {
				p++
			}
		})
		for _, i := range extra {
			switch {
			case s.Has(i):
			case i < l.Regs:
				r++
			default:
				p++
			}
		}
		regs, preds = max(regs, r), max(preds, p)
	}
	var defs []int
	for b := range l.G.Blocks {
		l.Scan(b, func(pc int, after bitset.Set) {
			defs = defs[:0]
			l.Defs(&l.K.Insts[pc], func(i int) { defs = append(defs, i) })
			count(after, defs)
		})
		count(l.In[b], nil)
	}
	return regs, preds
}

// Registers lists the registers of a live set, in ascending order.
func (l *Info) Registers(s bitset.Set) []ir.Reg {
	var out []ir.Reg
	s.Each(func(i int) {
		if i < l.Regs {
			out = append(out, ir.Reg(i))
		}
	})
	return out
}
