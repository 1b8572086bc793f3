package collector

import (
	"math/bits"

	"kumiko/components/bank"
	"kumiko/kernel/ir"
)

// What the compiler knows of an operand goes with its request, or, of an operand
// that is captured, in a mark. A register is called dead only by the last read
// that is under way: collectors need not send their requests in program order,
// and a cache may drop what is dead.

// hint adds to a request what is known of source src, its i-th register.
func (x *Set) hint(r *bank.Request, s *collector, src, i uint8) {
	t := &s.o.Inst.T
	if t.Dead>>src&1 != 0 && !x.awaited(s.o.Warp, t.Src[src]) {
		r.Dead |= 1 << i
	}
	r.Far |= t.FarSrc >> src & 1 << i
}

// awaited tells whether a request for the register is still to be sent.
func (x *Set) awaited(warp uint16, reg ir.RegID) bool {
	for m := x.unsent; m != 0; m &= m - 1 {
		s := &x.slots[bits.TrailingZeros64(m)]
		if s.o.Warp != warp {
			continue
		}
		for u := s.unsent; u != 0; u &= u - 1 {
			if s.o.Inst.T.Src[bits.TrailingZeros8(u)] == reg {
				return true
			}
		}
	}
	return false
}

// toMark notes that source i of collector c was captured, if there is something
// to tell of it.
func (x *Set) toMark(c int, s *collector, i uint8) {
	if t := &s.o.Inst.T; (t.Dead|t.FarSrc)>>i&1 != 0 {
		s.marks |= 1 << i
		x.marked |= 1 << c
	}
}

// mark tells of the operands that were captured in this cycle. A mark for which
// there is no room is lost: it is too late in the next cycle, when the register
// may be on its way to be written again.
func (x *Set) mark() {
	for ; x.marked != 0; x.marked &= x.marked - 1 {
		s := &x.slots[bits.TrailingZeros64(x.marked)]
		t := &s.o.Inst.T
		for ; s.marks != 0; s.marks &= s.marks - 1 {
			i := bits.TrailingZeros8(s.marks)
			if !x.Mark.CanPut() {
				continue
			}
			dead := t.Dead>>i&1 != 0 && !x.awaited(s.o.Warp, t.Src[i])
			x.Mark.Put(bank.Mark{Lanes: s.o.Exec, Warp: s.o.Warp, Reg: t.Src[i], Dead: dead, Far: t.FarSrc>>i&1 != 0})
		}
	}
}
