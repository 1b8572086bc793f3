package collector

import (
	"math/bits"

	"kumiko/components/bank"
	"kumiko/kernel/ir"
)

// The hint of an operand, for a block between collectors and banks, travels with the request for the operand. A
// captured operand is not requested, so its hint travels with a notice.

// captures has one bit per collector with an unsent notice of a captured operand.
type captures struct{ captureNotices uint64 }

// hint returns the hint of source src, now requested or captured.
func (x *Set) hint(s *collector, src uint8) bank.Hint {
	t, words := &s.o.Inst.T, x.spec.Hints
	w := words.Source(t, int(src))
	if w&words.Last != 0 && x.awaited(s.o.Warp, t.Src[src]) {
		w &^= words.Last
	}
	return w
}

// awaited reports whether a request for the register is still to be sent.
func (x *Set) awaited(warp uint16, reg ir.RegID) bool {
	for m := x.unsent; m != 0; m &= m - 1 {
		s := &x.slots[bits.TrailingZeros64(m)]
		if s.o.Warp != warp {
			continue
		}
		for u := s.unsent; u != 0; u &= u - 1 {
			if s.o.Inst.T.Src[bits.TrailingZeros16(u)] == reg {
				return true
			}
		}
	}
	return x.registers != nil && x.registered(warp, reg)
}

// registered reports whether an operation in the issue registers, not yet in a collector, reads the register.
func (x *Set) registered(warp uint16, reg ir.RegID) bool {
	for i := range x.registers {
		r := &x.registers[i]
		for m := r.units; m != 0; m &= m - 1 {
			for k := range r.ops[bits.TrailingZeros64(m)] {
				if o := &r.ops[bits.TrailingZeros64(m)][k]; o.Warp == warp && reads(o.Inst, reg) {
					return true
				}
			}
		}
	}
	return false
}

func reads(in *ir.Inst, reg ir.RegID) bool {
	for _, s := range in.T.Src[:in.T.NSrc] {
		if s == reg {
			return true
		}
	}
	return false
}

// captured records the capture of source i by collector c, if the block before the banks listens and has a hint for
// it.
func (x *Set) captured(c int, s *collector, i uint8) {
	if x.Captured.Connected() && x.spec.Hints.Source(&s.o.Inst.T, int(i)) != 0 {
		s.captured |= 1 << i
		x.captureNotices |= 1 << c
	}
}

// notifyCaptured sends notices of the operands captured in this cycle. A notice that finds the port full is lost: in
// the next cycle it would be too late, as the register may already be about to be overwritten.
func (x *Set) notifyCaptured() {
	for ; x.captureNotices != 0; x.captureNotices &= x.captureNotices - 1 {
		s := &x.slots[bits.TrailingZeros64(x.captureNotices)]
		for ; s.captured != 0; s.captured &= s.captured - 1 {
			i := uint8(bits.TrailingZeros16(s.captured))
			if !x.Captured.CanPut() {
				continue
			}
			x.Captured.Put(bank.Capture{Lanes: s.o.Exec, Warp: s.o.Warp, Reg: s.o.Inst.T.Src[i], Hint: x.hint(s, i)})
		}
	}
}
