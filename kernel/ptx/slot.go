package ptx

import (
	"sort"

	"kumiko/kernel/ir"
)

// slot is a parameter of a call, stored by the caller and loaded by the callee. Once all accesses are known it
// becomes one register per piece, if the pieces do not overlap and its address is not taken; otherwise local
// memory.
type slot struct {
	v      *variable
	align  int
	size   int
	pieces map[piece]ir.Operand
	memory bool
	local  int64
	body   *body   // body with the slot on its frame, if in memory
	formal bool    // a parameter of a recursive function
	same   []*slot // slots copied from or to this one, with the same pieces
}

type piece struct {
	off  int64
	size int
}

type slotUse uint8

const (
	slotLoad slotUse = iota
	slotStore
	slotAddress
	slotCopy
)

func (e *emitter) newSlot(v *variable) *slot {
	s := &slot{v: v, align: v.align, size: v.size, pieces: map[piece]ir.Operand{}, body: e.body}
	e.slots = append(e.slots, s)
	return s
}

// access appends a load or a store of a slot; in is the OpLd or OpSt.
func (e *emitter) access(in ir.Inst, s *slot, use slotUse, off int64) *node {
	n := e.add(in)
	n.slot, n.use, n.off = s, use, off
	if use == slotAddress {
		s.memory = true
		return n
	}
	size := in.Type.Size()
	for i := range max(len(in.Dst), len(in.Src)) {
		s.pieces[piece{off + int64(i*size), size}] = ir.Operand{}
	}
	return n
}

// copySlot appends a copy of a slot.
func (e *emitter) copySlot(in ir.Inst, from, to *slot) *node {
	n := e.add(in)
	n.slot, n.use, n.from = to, slotCopy, from
	from.same, to.same = append(from.same, to), append(to.same, from)
	return n
}

// agree makes the pieces of slots equal if one is copied to the other.
func (e *emitter) agree() {
	for changed := true; changed; {
		changed = false
		for _, s := range e.slots {
			for _, o := range s.same {
				n := len(o.pieces)
				for p := range s.pieces {
					o.pieces[p] = ir.Operand{}
				}
				changed = changed || len(o.pieces) > n || s.memory && !o.memory
				o.memory = o.memory || s.memory
				o.align, o.size = max(o.align, s.align), max(o.size, s.size)
			}
		}
	}
}

// list returns the pieces in their order.
func (s *slot) list() []piece {
	list := make([]piece, 0, len(s.pieces))
	for p := range s.pieces {
		list = append(list, p)
	}
	sort.Slice(list, func(i, j int) bool {
		return list[i].off < list[j].off || list[i].off == list[j].off && list[i].size < list[j].size
	})
	return list
}

// settleSlots decides between registers and memory for every slot.
func (e *emitter) settleSlots() {
	e.agree()
	for _, s := range e.slots {
		list := s.list()
		for i := 1; i < len(list); i++ {
			if list[i-1].off+int64(list[i-1].size) > list[i].off {
				s.memory = true
			}
		}
		if s.memory {
			bytes := &e.k.LocalBytes
			if s.body != nil {
				bytes = &s.body.local
			}
			s.local = int64(alignUp(*bytes, max(s.align, 8)))
			*bytes = int(s.local) + s.size
			e.fitsLocal(s.v, *bytes)
			continue
		}
		e.emitInto(s.body, func() {
			for _, p := range list {
				s.pieces[p] = e.temp(p.size)
			}
		})
	}
}

// expand appends the instructions for an access of a slot.
func (e *emitter) expand(n *node, out []node) []node {
	in := n.in
	s := n.slot
	switch {
	case n.use == slotCopy:
		return e.expandCopy(n, out)
	case n.use == slotAddress && s.body != nil:
		return e.expandAddress(n, out)
	case n.use == slotAddress:
		in.Src = []ir.Operand{ir.Imm(uint64(s.local+n.off), in.Type.Words())}
		return append(out, node{in: in})
	case s.memory:
		in.Space, in.Addr = ir.Local, e.slotAddr(n, s, n.off)
		return append(out, node{in: in})
	}
	size := in.Type.Size()
	for i := range max(len(in.Dst), len(in.Src)) {
		reg := s.pieces[piece{n.off + int64(i*size), size}]
		c := in
		c.Op, c.Space, c.Addr = ir.OpMov, ir.SpaceNone, ir.Addr{}
		if n.use == slotLoad {
			if in.Dst[i].Kind == ir.KindNone {
				continue
			}
			c.Dst, c.Src = in.Dst[i:i+1:i+1], []ir.Operand{reg}
			if c.SrcType != ir.TypeNone { // widening
				c.Op, c.Type, c.SrcType = ir.OpCvt, c.SrcType, c.Type
			}
		} else {
			c.Dst, c.Src = []ir.Operand{reg}, in.Src[i:i+1:i+1]
			if c.Src[0].Kind != ir.KindImm && (size < 4 || c.Src[0].Words > reg.Words) { // the bits above are dropped
				c.Op, c.Type, c.SrcType = ir.OpCvt, unsigned(in.Type), unsigned(in.Type)
			}
		}
		out = append(out, node{in: c})
	}
	return out
}

// slotAddr returns the address of a byte of a slot. If the slot belongs to a function that is being called, or has just
// returned, the address is relative to the end of the stack, where that function's frame begins.
func (e *emitter) slotAddr(n *node, s *slot, off int64) ir.Addr {
	if s == n.callee {
		return ir.Addr{Base: e.stack, Offset: s.local + off}
	}
	return s.body.onStack(s.local + off)
}

// expandAddress appends the address of a slot on the frame of a recursive function.
func (e *emitter) expandAddress(n *node, out []node) []node {
	in := n.in
	sum := in
	sum.Op, sum.Type = ir.OpAdd, ir.U32
	sum.Src = []ir.Operand{n.slot.body.frame, ir.Imm(uint64(n.slot.local+n.off), 1)}
	if in.Type.Size() != 8 {
		return append(out, node{in: sum})
	}
	low := e.temp(4)
	sum.Dst = []ir.Operand{low}
	in.Op, in.Type, in.SrcType, in.Src = ir.OpCvt, ir.U64, ir.U32, []ir.Operand{low}
	return append(out, node{in: sum}, node{in: in})
}

// expandCopy appends a copy of one slot to another. Slots in memory are copied by as many bytes at a time as the
// alignment allows, slots in registers piece by piece.
func (e *emitter) expandCopy(n *node, out []node) []node {
	move := func(op ir.Op, t ir.Type, dst, src ir.Operand, s *slot, off int) {
		in := n.in
		in.Op, in.Type = op, t
		if op == ir.OpLd || op == ir.OpSt {
			in.Space, in.Addr = ir.Local, e.slotAddr(n, s, int64(off))
		}
		if dst.Kind != ir.KindNone {
			in.Dst = []ir.Operand{dst}
		}
		if src.Kind != ir.KindNone {
			in.Src = []ir.Operand{src}
		}
		out = append(out, node{in: in})
	}
	if !n.slot.memory {
		for _, p := range n.slot.list() {
			to := n.slot.pieces[p]
			move(ir.OpMov, unsigned(signedType(max(p.size, 4))), to, n.from.pieces[p], nil, 0)
		}
		return out
	}
	step := min(8, max(n.slot.align, 1))
	for off := 0; off < n.slot.v.size; {
		size := step
		for size > n.slot.v.size-off {
			size /= 2
		}
		t, via := unsigned(signedType(size)), e.temp(size)
		move(ir.OpLd, t, via, ir.Operand{}, n.from, off)
		move(ir.OpSt, t, ir.Operand{}, via, n.slot, off)
		off += size
	}
	return out
}
