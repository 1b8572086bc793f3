package collector

import (
	"math/bits"

	"kumiko/components/bank"
)

// send requests operands, up to Inputs per collector and cycle. It returns true if a collector has more to request.
func (x *Set) send() (again bool) {
	for set := x.unsent; set != 0; {
		c := next(set, x.firstUnsent)
		set &^= 1 << (c & 63)
		s := &x.slots[c]
		for left := x.spec.Inputs; s.unsent != 0; {
			if left == 0 {
				again = true
				break
			}
			r := x.Request.Offer()
			if r == nil {
				x.firstUnsent = uint8(c)
				return again // woken when there is room
			}
			x.request(r, c, s, min(left, bank.MaxReads))
			left -= int(r.N)
			x.Request.PutSlot()
		}
		if s.unsent == 0 {
			x.unsent &^= 1 << (c & 63)
		}
	}
	return again
}

// request fills in a request for up to n of the unrequested operands of collector c.
func (x *Set) request(r *bank.Request, c int, s *collector, n int) {
	r.Tag, r.Lanes, r.To, r.Cause, r.Warp = s.o.Tag, s.o.Exec, uint8(c), bank.Operand, s.o.Warp
	r.Hint = [bank.MaxReads]bank.Hint{}
	r.N = uint8(min(n, bits.OnesCount16(s.unsent)))
	for i := range r.N {
		src := uint8(bits.TrailingZeros16(s.unsent))
		s.unsent &= s.unsent - 1
		reg := s.o.Inst.T.Src[src]
		r.Bank[i], r.Entry[i] = x.spec.Index.Find(s.o.Warp, reg)
		r.Reg[i], r.Slot[i] = reg, src
		if x.spec.Hints != nil {
			r.Hint[i] = x.hint(s, src)
		}
	}
}
