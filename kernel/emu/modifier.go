package emu

import "kumiko/kernel/ir"

// modifier returns the preFn for a source with an absolute value, a negation, or both, in this order; nil if the
// type has none.
func modifier(t ir.Type, abs, neg bool) preFn {
	switch t {
	case ir.F32, ir.F16, ir.BF16, ir.F16x2, ir.BF16x2:
		return signBits(signMask(t), abs, neg)
	case ir.F64:
		return signBits64(abs, neg)
	case ir.U16, ir.S16, ir.U32, ir.S32, ir.B16, ir.B32:
		if abs {
			return absThenNeg(t.Size() == 2, neg)
		}
		return func(w *warp, p *preOp, d *[4]row) {
			map1(&d[0], &w.rows[p.a], func(x uint32) uint32 { return -x })
		}
	case ir.U64, ir.S64, ir.B64:
		return func(w *warp, p *preOp, d *[4]row) {
			wide1(d, w.pair(p.a), func(x uint64) uint64 {
				if abs && int64(x) < 0 {
					x = -x
				}
				if neg {
					x = -x
				}
				return x
			})
		}
	}
	return nil
}

func signMask(t ir.Type) uint32 {
	switch t {
	case ir.F32:
		return 0x80000000
	case ir.F16x2, ir.BF16x2:
		return 0x80008000
	}
	return 0x8000
}

func signBits(sign uint32, abs, neg bool) preFn {
	keep, flip := ^uint32(0), uint32(0)
	if abs {
		keep = ^sign
	}
	if neg {
		flip = sign
	}
	return func(w *warp, p *preOp, d *[4]row) {
		map1(&d[0], &w.rows[p.a], func(x uint32) uint32 { return x&keep ^ flip })
	}
}

func signBits64(abs, neg bool) preFn {
	return func(w *warp, p *preOp, d *[4]row) {
		wide1(d, w.pair(p.a), func(x uint64) uint64 {
			if abs {
				x &^= 1 << 63
			}
			if neg {
				x ^= 1 << 63
			}
			return x
		})
	}
}

func absThenNeg(short, neg bool) preFn {
	return func(w *warp, p *preOp, d *[4]row) {
		map1(&d[0], &w.rows[p.a], func(x uint32) uint32 {
			if short {
				x = uint32(int32(int16(x)))
			}
			if int32(x) < 0 {
				x = -x
			}
			if neg {
				x = -x
			}
			return x
		})
	}
}

// clockFns compute the special registers with changing values. All of them count the warp's instructions, the
// emulator's only notion of time.
var clockFns = [ir.NumSpecial]preFn{
	ir.Clock:         clockLow,
	ir.ClockHi:       clockHigh,
	ir.Clock64:       clockWide,
	ir.GlobalTimer:   clockWide,
	ir.GlobalTimerLo: clockLow,
	ir.GlobalTimerHi: clockHigh,
}

func clockLow(w *warp, _ *preOp, d *[4]row)  { d[0].fill(uint32(w.executed())) }
func clockHigh(w *warp, _ *preOp, d *[4]row) { d[0].fill(uint32(w.executed() >> 32)) }
func clockWide(w *warp, _ *preOp, d *[4]row) {
	d[0].fill(uint32(w.executed()))
	d[1].fill(uint32(w.executed() >> 32))
}
