package alloc

import (
	"cmp"
	"slices"

	"kumiko/kernel/compiler/code"
	"kumiko/kernel/ir"
)

// victims chooses the nodes to spill so that at most limit words are live at every point. It goes through the nodes
// in order of cost per point of their live range (fewest accesses first, weighted by loop depth). It chooses a node
// if its range has a point above the limit.
func (w *web) victims(points, limit int) []*node {
	p := newPressure(points, w.nodes)
	for _, b := range w.bounds {
		p.add(b.from, b.to, max(limit-b.registers, 0))
	}
	if p.most(0, points) <= limit {
		return nil
	}
	over := func(n *node) bool {
		for _, live := range n.live {
			for _, s := range live {
				if p.most(int(s.from), int(s.to)) > limit {
					return true
				}
			}
		}
		return false
	}
	var out []*node
	for _, n := range w.byDensity() {
		if n.pinned || !over(n) {
			continue
		}
		for _, live := range n.live {
			for _, s := range live {
				p.add(int(s.from), int(s.to), -1)
			}
		}
		out = append(out, n)
	}
	return out
}

// byDensity lists the nodes, the cheapest to spill first.
func (w *web) byDensity() []*node {
	out := append([]*node(nil), w.nodes...)
	slices.SortStableFunc(out, func(a, b *node) int { return cmp.Compare(a.density(), b.density()) })
	return out
}

// density returns the cost of spilling the node per freed point.
func (n *node) density() float64 {
	d := n.cost / float64(max(1, n.size))
	if n.remat {
		d /= 4
	}
	return d
}

// spiller rewrites a kernel with the chosen registers in local memory.
type spiller struct {
	k      *ir.Kernel
	slot   map[int]int      // register to local byte offset
	remat  map[int]*ir.Inst // register to the instruction computing it
	pinned *[]bool
	bytes  int
}

// temp makes new pinned registers.
func (s *spiller) temp(words int) ir.Reg {
	r := s.k.NumRegs
	s.k.NumRegs += words
	for len(*s.pinned) < s.k.NumRegs {
		*s.pinned = append(*s.pinned, false)
	}
	for i := range words {
		(*s.pinned)[r+i] = true
	}
	return ir.Reg(r)
}

func (s *spiller) spilled(o *ir.Operand) bool {
	if o.Kind != ir.KindReg {
		return false
	}
	_, ok := s.slot[int(o.Reg)]
	return ok
}

func localType(words int) ir.Type {
	if words == 2 {
		return ir.B64
	}
	return ir.B32
}

func (s *spiller) load(e *code.Editor, d ir.Operand, slot int, guard ir.Operand) {
	e.Emit(ir.Inst{Op: ir.OpLd, Type: localType(int(d.Words)), Space: ir.Local, Guard: guard,
		Dst: []ir.Operand{d}, Addr: ir.Addr{Offset: int64(slot)}})
}

func (s *spiller) store(e *code.Editor, v ir.Operand, slot int, guard ir.Operand) {
	e.Emit(ir.Inst{Op: ir.OpSt, Type: localType(int(v.Words)), Space: ir.Local, Guard: guard,
		Src: []ir.Operand{v}, Addr: ir.Addr{Offset: int64(slot)}})
}

// spill moves the nodes to local memory. Each read is preceded by a load into a register of its own, each write is
// followed by a store, under the same guard. The value of a single unguarded constant move is recomputed at each
// read.
func (s *spiller) spill(w *web, nodes []*node) {
	chosen := map[*node]bool{}
	for _, n := range nodes {
		chosen[n] = true
	}
	s.assign(w, chosen)
	code.Rewrite(s.k, func(e *code.Editor, pc int, in ir.Inst) { s.inst(e, code.Clone(in)) })
}

// assign gives each chosen node its local slots.
func (s *spiller) assign(w *web, chosen map[*node]bool) {
	at := map[*node]int{}
	s.slot, s.remat = map[int]int{}, map[int]*ir.Inst{}
	if s.k.LocalBytes%8 != 0 {
		s.k.LocalBytes += 8 - s.k.LocalBytes%8
		s.bytes += 8 - s.k.LocalBytes%8
	}
	for r, p := range w.places {
		if p.n == nil || !chosen[p.n] {
			continue
		}
		if p.n.remat {
			s.remat[r] = nil
		}
		if _, ok := at[p.n]; !ok && !p.n.remat {
			size := 4 * p.n.words
			if size > 4 && s.k.LocalBytes%8 != 0 {
				s.k.LocalBytes += 4
				s.bytes += 4
			}
			at[p.n] = s.k.LocalBytes
			s.k.LocalBytes += size
			s.bytes += size
		}
		s.slot[r] = at[p.n] + 4*p.word
	}
	for pc := range s.k.Insts {
		in := &s.k.Insts[pc]
		code.Defs(in, func(o *ir.Operand) {
			if o.Kind == ir.KindReg {
				if _, ok := s.remat[int(o.Reg)]; ok {
					c := code.Clone(*in)
					s.remat[int(o.Reg)] = &c
				}
			}
		})
	}
}

func (s *spiller) inst(e *code.Editor, in ir.Inst) {
	if len(in.Dst) == 1 && s.spilled(&in.Dst[0]) {
		if _, ok := s.remat[int(in.Dst[0].Reg)]; ok {
			return
		}
	}
	if isCopy(&in) && s.copy(e, &in) {
		return
	}
	temps := map[ir.Reg]ir.Reg{}
	code.Uses(&in, func(o *ir.Operand) {
		if !s.spilled(o) {
			return
		}
		key := o.Reg<<3 | ir.Reg(code.Words(o))
		t, ok := temps[key]
		if !ok {
			t = s.temp(code.Words(o))
			temps[key] = t
			s.fetch(e, ir.R(t, code.Words(o)), o)
		}
		o.Reg = t
	})
	guard := in.Guard
	keep := guard.Kind != ir.KindNone && writes(&in, &guard) // the guard itself changes
	type back struct {
		v    ir.Operand
		slot int
	}
	var backs []back
	code.Defs(&in, func(o *ir.Operand) {
		if !s.spilled(o) {
			return
		}
		slot := s.slot[int(o.Reg)]
		v := ir.R(s.temp(code.Words(o)), code.Words(o))
		if keep {
			s.load(e, v, slot, ir.Operand{})
		}
		o.Reg = v.Reg
		backs = append(backs, back{v, slot})
	})
	e.Emit(in)
	if keep {
		guard = ir.Operand{}
	}
	for _, b := range backs {
		s.store(e, b.v, b.slot, guard)
	}
}

// fetch puts the spilled value o into d.
func (s *spiller) fetch(e *code.Editor, d ir.Operand, o *ir.Operand) {
	if m := s.remat[int(o.Reg)]; m != nil {
		c := code.Clone(*m)
		c.Dst[0] = d
		e.Emit(c)
		return
	}
	s.load(e, d, s.slot[int(o.Reg)], ir.Operand{})
}

// copy turns a copy with one spilled side into a load or a store.
func (s *spiller) copy(e *code.Editor, in *ir.Inst) bool {
	d, src := &in.Dst[0], &in.Src[0]
	switch {
	case s.spilled(src) && !s.spilled(d):
		if _, ok := s.remat[int(src.Reg)]; ok {
			return false
		}
		s.load(e, *d, s.slot[int(src.Reg)], in.Guard)
		return true
	case s.spilled(d) && !s.spilled(src):
		s.store(e, *src, s.slot[int(d.Reg)], in.Guard)
		return true
	case s.spilled(d) && s.spilled(src) && s.slot[int(d.Reg)] == s.slot[int(src.Reg)]:
		_, a := s.remat[int(src.Reg)]
		return !a // the two sides are one value
	}
	return false
}

// writes reports whether in writes predicate g.
func writes(in *ir.Inst, g *ir.Operand) bool {
	found := false
	code.Defs(in, func(o *ir.Operand) { found = found || o.Kind == ir.KindPred && o.Reg == g.Reg })
	return found
}
