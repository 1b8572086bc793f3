package alloc

import (
	"slices"
	"sort"

	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// isCopy reports whether in is an unmodified copy of one register, or predicate, to another of the same size.
func isCopy(in *ir.Inst) bool {
	if in.Op != ir.OpMov || len(in.Dst) != 1 || len(in.Src) != 1 {
		return false
	}
	d, s := &in.Dst[0], &in.Src[0]
	if d.Kind != s.Kind || s.Neg || s.Abs {
		return false
	}
	switch d.Kind {
	case ir.KindPred:
		return true
	case ir.KindReg:
		return code.Words(d) == code.Words(s) && in.Type.Size() >= 4
	}
	return false
}

type copyOf struct{ dst, src, words, depth int }

// copies lists the copies in the register file kind, innermost first.
func copies(k *ir.Kernel, depthOf func(pc int) int, kind ir.Kind) []copyOf {
	var out []copyOf
	for pc := range k.Insts {
		in := &k.Insts[pc]
		if isCopy(in) && in.Dst[0].Kind == kind {
			out = append(out, copyOf{int(in.Dst[0].Reg), int(in.Src[0].Reg), max(1, code.Words(&in.Dst[0])),
				depthOf(pc)})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].depth > out[j].depth })
	return out
}

// coalesce joins the two sides of copies with disjoint live ranges. This never raises the number of registers live
// at a point.
func (w *web) coalesce(list []copyOf) {
	for changed := true; changed; {
		changed = false
		for _, c := range list {
			if w.join(c) {
				changed = true
			}
		}
	}
	for r := range w.places {
		w.places[r] = w.places[r].present()
	}
	w.nodes = slices.DeleteFunc(w.nodes, func(n *node) bool { return n.into != nil })
}

// present returns the present place of a word, in the node its node has become part of. It shortens the chain of nodes
// for later calls.
func (p place) present() place {
	if p.n == nil || p.n.into == nil {
		return p
	}
	root, shift := p.n, 0
	for ; root.into != nil; root = root.into {
		shift += root.shift
	}
	for n, rest := p.n, shift; n.into != nil; {
		next, by := n.into, n.shift
		n.into, n.shift = root, rest
		n, rest = next, rest-by
	}
	return place{root, p.word + shift}
}

// join makes one node of the two sides of a copy, if possible. The smaller node becomes part of the larger one.
func (w *web) join(c copyOf) bool {
	a, b := w.places[c.dst].present(), w.places[c.src].present()
	if a.n == nil || b.n == nil || a.n == b.n {
		return false
	}
	big, small, at := a.n, b.n, a.word-b.word // small's word 0 is big's word at
	if small.words > big.words || small.words == big.words && small.align > big.align {
		big, small, at = small, big, -at
	}
	if at < 0 || at+small.words > big.words || at%small.align != 0 || big.align%small.align != 0 {
		return false
	}
	for i := range small.words {
		if big.live[at+i].meets(small.live[i]) {
			return false
		}
	}
	for i := range small.words {
		big.live[at+i] = big.live[at+i].plus(small.live[i])
	}
	big.cost += small.cost
	big.pinned = big.pinned || small.pinned
	big.remat = false
	small.into, small.shift = big, at
	big.measure()
	return true
}
