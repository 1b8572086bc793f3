package emu

import "kumiko/kernel/ir"

// Integer arithmetic, PTX ISA section 9.7.1, and with carries section 9.7.2.

func decodeAdd(p *decoder) {
	if p.in.Type.Float() {
		p.floatOp(opAdd, 2)
		return
	}
	if p.in.Mods.CarryIn || p.in.Mods.CarryOut {
		p.carryOp(0, addCarry1, addCarry2)
		return
	}
	if p.in.Mods.Sat && p.in.Type != ir.S32 {
		p.fail("saturation of type %s", p.in.Type)
	}
	if p.in.Mods.Sat {
		p.simple(2, map[ir.Type]laneFn{ir.S32: lane2(addSat)})
		return
	}
	p.simple(2, addFns)
}

func decodeSub(p *decoder) {
	if p.in.Type.Float() {
		p.floatOp(opSub, 2)
		return
	}
	if p.in.Mods.CarryIn || p.in.Mods.CarryOut {
		p.carryOp(^uint32(0), subCarry1, subCarry2)
		return
	}
	if p.in.Mods.Sat && p.in.Type != ir.S32 {
		p.fail("saturation of type %s", p.in.Type)
	}
	if p.in.Mods.Sat {
		p.simple(2, map[ir.Type]laneFn{ir.S32: lane2(subSat)})
		return
	}
	p.simple(2, subFns)
}

var addFns = typed(
	forTypes(addU32, ir.U32, ir.S32, ir.B32),
	forTypes(addU64, ir.U64, ir.S64, ir.B64),
	forTypes(short2(func(x, y uint32) uint32 { return x + y }), ir.U16, ir.S16, ir.B16),
)

var subFns = typed(
	forTypes(subU32, ir.U32, ir.S32, ir.B32),
	forTypes(subU64, ir.U64, ir.S64, ir.B64),
	forTypes(short2(func(x, y uint32) uint32 { return x - y }), ir.U16, ir.S16, ir.B16),
)

func addU32(w *warp, in *inst, d *[4]row) {
	map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return x + y })
}

func subU32(w *warp, in *inst, d *[4]row) {
	map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return x - y })
}

func addU64(w *warp, in *inst, d *[4]row) {
	a, b := w.pair(in.a), w.pair(in.b)
	for i := range d[0] {
		v := (uint64(a[0][i]) | uint64(a[1][i])<<32) + (uint64(b[0][i]) | uint64(b[1][i])<<32)
		d[0][i], d[1][i] = uint32(v), uint32(v>>32)
	}
}

func subU64(w *warp, in *inst, d *[4]row) {
	a, b := w.pair(in.a), w.pair(in.b)
	for i := range d[0] {
		v := (uint64(a[0][i]) | uint64(a[1][i])<<32) - (uint64(b[0][i]) | uint64(b[1][i])<<32)
		d[0][i], d[1][i] = uint32(v), uint32(v>>32)
	}
}

// clampS32 returns v saturated to the range of .s32.
func clampS32(v int64) uint32 { return uint32(int32(min(max(v, -1<<31), 1<<31-1))) }

func addSat(x, y uint32) uint32 { return clampS32(int64(int32(x)) + int64(int32(y))) }
func subSat(x, y uint32) uint32 { return clampS32(int64(int32(x)) - int64(int32(y))) }

// decodeMinMax decodes min and max.
func decodeMinMax(p *decoder) {
	t := p.in.Type
	switch {
	case p.in.Mods.CarryIn || p.in.Mods.CarryOut:
		p.extremeWord()
	case t.Float() && p.in.Op == ir.OpMin:
		p.floatOp(opMin, 2)
	case t.Float():
		p.floatOp(opMax, 2)
	case p.in.Op == ir.OpMin:
		p.simple(2, minFns)
	default:
		p.simple(2, maxFns)
	}
	if p.in.Mods.Relu && !t.Float() {
		p.relu(t)
	}
}

// relu replaces negative results of an integer min or max by zero, PTX ISA section 9.7.1.12.
func (p *decoder) relu(t ir.Type) {
	f := p.out.lanes
	if t != ir.S32 {
		p.fail("relu of type %s", t)
		return
	}
	p.out.lanes = func(w *warp, in *inst, d *[4]row) {
		f(w, in, d)
		map1(&d[0], &d[0], func(x uint32) uint32 {
			if int32(x) < 0 {
				return 0
			}
			return x
		})
	}
}

var minFns = map[ir.Type]laneFn{
	ir.U32: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return min(x, y) })
	},
	ir.S32: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return uint32(min(int32(x), int32(y))) })
	},
	ir.U16: short2(func(x, y uint32) uint32 { return min(x, y) }),
	ir.S16: short2(func(x, y uint32) uint32 { return uint32(min(int16(x), int16(y))) }),
	ir.U64: long2(func(x, y uint64) uint64 { return min(x, y) }),
	ir.S64: long2(func(x, y uint64) uint64 { return uint64(min(int64(x), int64(y))) }),
}

var maxFns = map[ir.Type]laneFn{
	ir.U32: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return max(x, y) })
	},
	ir.S32: func(w *warp, in *inst, d *[4]row) {
		map2(&d[0], &w.rows[in.a], &w.rows[in.b], func(x, y uint32) uint32 { return uint32(max(int32(x), int32(y))) })
	},
	ir.U16: short2(func(x, y uint32) uint32 { return max(x, y) }),
	ir.S16: short2(func(x, y uint32) uint32 { return uint32(max(int16(x), int16(y))) }),
	ir.U64: long2(func(x, y uint64) uint64 { return max(x, y) }),
	ir.S64: long2(func(x, y uint64) uint64 { return uint64(max(int64(x), int64(y))) }),
}

func decodeAbs(p *decoder) {
	if p.in.Type.Float() {
		p.floatOp(opAbs, 1)
		return
	}
	p.simple(1, absFns)
}

// The absolute value of the most negative integer is itself.
var absFns = map[ir.Type]laneFn{
	ir.S16: lane1(func(x uint32) uint32 {
		if int16(x) < 0 {
			x = -x
		}
		return x & 0xffff
	}),
	ir.S32: lane1(func(x uint32) uint32 {
		if int32(x) < 0 {
			return -x
		}
		return x
	}),
	ir.S64: long1(func(x uint64) uint64 {
		if int64(x) < 0 {
			return -x
		}
		return x
	}),
}

func decodeNeg(p *decoder) {
	if p.in.Type.Float() {
		p.floatOp(opNeg, 1)
		return
	}
	p.simple(1, negFns)
}

var negFns = typed(
	forTypes(lane1(func(x uint32) uint32 { return -x & 0xffff }), ir.S16, ir.U16, ir.B16),
	forTypes(lane1(func(x uint32) uint32 { return -x }), ir.S32, ir.U32, ir.B32),
	forTypes(long1(func(x uint64) uint64 { return -x }), ir.S64, ir.U64, ir.B64),
)

func decodeSad(p *decoder) {
	p.simple(3, sadFns)
}

// sadFns compute c + |a - b|.
var sadFns = map[ir.Type]laneFn{
	ir.U16: short3(func(x, y, z uint32) uint32 { return z + max(x, y) - min(x, y) }),
	ir.S16: short3(func(x, y, z uint32) uint32 {
		return z + uint32(max(int16(x), int16(y))) - uint32(min(int16(x), int16(y)))
	}),
	ir.U32: lane3(func(x, y, z uint32) uint32 { return z + max(x, y) - min(x, y) }),
	ir.S32: lane3(func(x, y, z uint32) uint32 {
		return z + uint32(max(int32(x), int32(y))) - uint32(min(int32(x), int32(y)))
	}),
	ir.U64: long3(func(x, y, z uint64) uint64 { return z + max(x, y) - min(x, y) }),
	ir.S64: long3(func(x, y, z uint64) uint64 {
		return z + uint64(max(int64(x), int64(y))) - uint64(min(int64(x), int64(y)))
	}),
}
