package alloc

import (
	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// node gets consecutive registers of its own. It is a value of one or more words, or several values joined by
// copies.
type node struct {
	words int
	align int
	live  []spans // per word
	// cost is the number of accesses, each weighted by 10 per loop around it.
	cost float64
	// pinned: made by spilling, not to be spilled again.
	pinned bool
	remat  bool // cheaper to compute again than to load
	base   int  // assigned first register, or -1
	start  int32
	end    int32
	size   int // points occupied, over all words
	// into is the larger node that this node has become a part of. Its word 0 is the larger node's word shift.
	into  *node
	shift int
}

func (n *node) measure() {
	n.start, n.end, n.size = 1<<30, 0, 0
	for _, s := range n.live {
		if len(s) > 0 {
			n.start = min(n.start, s[0].from)
			n.end = max(n.end, s[len(s)-1].to)
			n.size += s.length()
		}
	}
}

// place is the place of a virtual register: a word of a node.
type place struct {
	n    *node
	word int
}

// web is the assignment problem of one register file.
type web struct {
	places []place // by virtual register
	nodes  []*node // nodes in use
	bounds []bound // where registers are missing
}

// newWeb makes one node per operand group.
func newWeb(groups []group, live []spans) *web {
	w := &web{places: make([]place, len(live))}
	for _, g := range groups {
		n := &node{words: g.words, align: g.align, live: make([]spans, g.words), base: -1}
		used := false
		for i := range g.words {
			n.live[i] = live[g.first+i]
			w.places[g.first+i] = place{n, i}
			used = used || len(n.live[i]) > 0
		}
		if used {
			n.measure()
			w.nodes = append(w.nodes, n)
		}
	}
	return w
}

// group is a run of virtual registers named together by some operand. They must stay consecutive.
type group struct{ first, words, align int }

// groupRegs finds the groups of the kernel's registers.
func groupRegs(k *ir.Kernel) []group {
	joined := make([]bool, k.NumRegs+1) // register r is in one group with r-1
	align := make([]int8, k.NumRegs)
	tie := func(r, words int) {
		for i := 1; i < words; i++ {
			joined[r+i] = true
		}
		align[r] = max(align[r], int8(words))
	}
	for pc := range k.Insts {
		in := &k.Insts[pc]
		one := func(o *ir.Operand) {
			if w := code.Words(o); w > 1 {
				tie(int(o.Reg), w)
			}
		}
		code.Uses(in, one)
		code.Defs(in, one)
		if v, words := vector(in); len(v) > 0 && consecutive(v) {
			tie(int(v[0].Reg), words)
		}
	}
	var out []group
	for r := 0; r < k.NumRegs; {
		g := group{first: r, words: 1, align: max(1, int(align[r]))}
		for r++; r < k.NumRegs && joined[r]; r++ {
			g.words++
		}
		out = append(out, g)
	}
	return out
}

// groupPreds returns a group of its own for every predicate.
func groupPreds(n int) []group {
	out := make([]group, n)
	for i := range out {
		out[i] = group{i, 1, 1}
	}
	return out
}
