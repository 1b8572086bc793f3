package emu

import "kumiko/kernel/ir"

func decodeDiv(p *decoder) {
	if p.in.Type.Float() {
		p.floatOp(opDiv, 2)
		return
	}
	p.simple(2, divFns)
}

func decodeRem(p *decoder) { p.simple(2, remFns) }

// Integer division, PTX ISA sections 9.7.1.8 and 9.7.1.9. The ISA does not define division by zero: here the
// quotient is all ones and the remainder the dividend. The most negative integer divided by -1 is itself, with no
// remainder.
var divFns = map[ir.Type]laneFn{
	ir.U16: short2(divU32),
	ir.U32: lane2(divU32),
	ir.U64: long2(func(x, y uint64) uint64 {
		if y == 0 {
			return ^uint64(0)
		}
		return x / y
	}),
	ir.S16: short2(func(x, y uint32) uint32 { return divS32(s16(x), s16(y)) }),
	ir.S32: lane2(divS32),
	ir.S64: long2(func(x, y uint64) uint64 {
		switch y {
		case 0:
			return ^uint64(0)
		case ^uint64(0):
			return -x
		}
		return uint64(int64(x) / int64(y))
	}),
}

func divU32(x, y uint32) uint32 {
	if y == 0 {
		return ^uint32(0)
	}
	return x / y
}

func divS32(x, y uint32) uint32 {
	switch y {
	case 0:
		return ^uint32(0)
	case ^uint32(0):
		return -x
	}
	return uint32(int32(x) / int32(y))
}

var remFns = map[ir.Type]laneFn{
	ir.U16: short2(remU32),
	ir.U32: lane2(remU32),
	ir.U64: long2(func(x, y uint64) uint64 {
		if y == 0 {
			return x
		}
		return x % y
	}),
	ir.S16: short2(func(x, y uint32) uint32 { return remS32(s16(x), s16(y)) }),
	ir.S32: lane2(remS32),
	ir.S64: long2(func(x, y uint64) uint64 {
		switch y {
		case 0:
			return x
		case ^uint64(0):
			return 0
		}
		return uint64(int64(x) % int64(y))
	}),
}

func remU32(x, y uint32) uint32 {
	if y == 0 {
		return x
	}
	return x % y
}

func remS32(x, y uint32) uint32 {
	switch y {
	case 0:
		return x
	case ^uint32(0):
		return 0
	}
	return uint32(int32(x) % int32(y))
}
