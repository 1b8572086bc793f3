package ptx

import (
	"sort"

	"kumiko/kernel/ir"
)

// slot is a parameter of a call: what the caller stores, the callee loads.
// Once all accesses are known it becomes one register per piece where the
// pieces do not overlap and nobody takes the address; otherwise local memory.
type slot struct {
	v      *variable
	align  int
	size   int
	pieces map[piece]ir.Operand
	memory bool
	local  int64
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
)

func (e *emitter) newSlot(v *variable) *slot {
	s := &slot{v: v, align: v.align, size: v.size, pieces: map[piece]ir.Operand{}}
	e.slots = append(e.slots, s)
	return s
}

// access appends a load or a store of a slot; in is the OpLd or OpSt.
func (e *emitter) access(in ir.Inst, s *slot, use slotUse, off int64) {
	n := e.add(in)
	n.slot, n.use, n.off = s, use, off
	if use == slotAddress {
		s.memory = true
		return
	}
	size := in.Type.Size()
	for i := range max(len(in.Dst), len(in.Src)) {
		s.pieces[piece{off + int64(i*size), size}] = ir.Operand{}
	}
}

// settleSlots decides the form of every slot.
func (e *emitter) settleSlots() {
	for _, s := range e.slots {
		list := make([]piece, 0, len(s.pieces))
		for p := range s.pieces {
			list = append(list, p)
		}
		sort.Slice(list, func(i, j int) bool {
			return list[i].off < list[j].off || list[i].off == list[j].off && list[i].size < list[j].size
		})
		for i := 1; i < len(list); i++ {
			if list[i-1].off+int64(list[i-1].size) > list[i].off {
				s.memory = true
			}
		}
		if s.memory {
			s.local = int64(alignUp(e.k.LocalBytes, max(s.align, 8)))
			e.k.LocalBytes = int(s.local) + s.size
			e.fitsLocal(s.v, e.k.LocalBytes)
			continue
		}
		for _, p := range list {
			s.pieces[p] = e.temp(p.size)
		}
	}
}

// expand appends what an access of a slot turned into.
func (e *emitter) expand(n *node, out []node) []node {
	in := n.in
	s := n.slot
	if n.use == slotAddress {
		in.Src = []ir.Operand{ir.Imm(uint64(s.local+n.off), in.Type.Words())}
		return append(out, node{in: in})
	}
	if s.memory {
		in.Space, in.Addr = ir.Local, ir.Addr{Offset: s.local + n.off}
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
