package alloc

import (
	"sort"

	"kumiko/kernel/compiler/bitset"
	"kumiko/kernel/compiler/liveness"
)

// span is a range [from, to) of program points occupied by a value. Instruction pc reads at point 2*pc and writes
// at 2*pc+1. Two values may share a register if their spans are disjoint.
type span struct{ from, to int32 }

// spans is sorted and disjoint: a live range with its holes.
type spans []span

func (a spans) meets(b spans) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b) > 8*len(a) { // a has few spans: look each of them up in b
		for _, s := range a {
			j := sort.Search(len(b), func(j int) bool { return b[j].to > s.from })
			if j < len(b) && b[j].from < s.to {
				return true
			}
		}
		return false
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].to <= b[j].from:
			i++
		case b[j].to <= a[i].from:
			j++
		default:
			return true
		}
	}
	return false
}

// plus returns the union of two live ranges.
func (a spans) plus(b spans) spans {
	out := make(spans, 0, len(a)+len(b))
	for len(a)+len(b) > 0 {
		if len(a) == 0 || len(b) > 0 && b[0].from < a[0].from {
			a, b = b, a
		}
		s := a[0]
		a = a[1:]
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

func (a spans) length() int {
	n := 0
	for _, s := range a {
		n += int(s.to - s.from)
	}
	return n
}

// gatherer finds live ranges by walking blocks backward.
type gatherer struct {
	l    *liveness.Info
	out  []spans
	end  []int32 // of the span being walked, 0 when there is none
	open []int   // indices with a possibly set end
	defs []int   // of the instruction last visited
}

// ranges returns the live range of every register and predicate of l.
func ranges(l *liveness.Info) []spans {
	n := l.Regs + l.Preds
	g := &gatherer{l: l, out: make([]spans, n), end: make([]int32, n)}
	for b := len(l.G.Blocks) - 1; b >= 0; b-- {
		g.block(b)
	}
	for i := range g.out {
		g.out[i] = tidy(g.out[i])
	}
	return g.out
}

func (g *gatherer) block(b int) {
	blk := &g.l.G.Blocks[b]
	g.open = g.open[:0]
	g.l.Out[b].Each(func(i int) { g.begin(i, 2*blk.End) })
	last := -1
	g.l.Scan(b, func(pc int, after bitset.Set) {
		g.inst(last, after)
		last = pc
		g.defs = g.defs[:0]
		g.l.Defs(&g.l.K.Insts[pc], func(i int) { g.defs = append(g.defs, i) })
	})
	g.inst(last, g.l.In[b])
	for _, i := range g.open {
		if g.end[i] != 0 {
			g.finish(i, 2*blk.Start)
		}
	}
}

// inst updates the spans at the instruction at pc. before is the live set before the instruction.
func (g *gatherer) inst(pc int, before bitset.Set) {
	if pc < 0 {
		return
	}
	for _, i := range g.defs {
		switch {
		case g.end[i] == 0: // written, never read
			g.out[i] = append(g.out[i], span{int32(2*pc + 1), int32(2*pc + 2)})
		case !before.Has(i):
			g.finish(i, 2*pc+1)
		}
	}
	g.l.Uses(&g.l.K.Insts[pc], func(i int) {
		if g.end[i] == 0 {
			g.begin(i, 2*pc+1)
		}
	})
}

func (g *gatherer) begin(i, end int) {
	g.end[i] = int32(end)
	g.open = append(g.open, i)
}

// finish ends a span at its definition. If the span continues in the block behind, it becomes part of the span
// there.
func (g *gatherer) finish(i, from int) {
	if n := len(g.out[i]); n > 0 && g.out[i][n-1].from == g.end[i] {
		g.out[i][n-1].from = int32(from)
	} else {
		g.out[i] = append(g.out[i], span{int32(from), g.end[i]})
	}
	g.end[i] = 0
}

// tidy puts spans gathered backward into ascending order and joins adjacent ones.
func tidy(s spans) spans {
	for i, j := 0, len(s)-1; i < j; i, j = i+1, j-1 {
		s[i], s[j] = s[j], s[i]
	}
	out := s[:0]
	for _, x := range s {
		if n := len(out); n > 0 && x.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, x.to)
			continue
		}
		out = append(out, x)
	}
	return out
}
