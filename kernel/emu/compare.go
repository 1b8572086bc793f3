package emu

import "kumiko/kernel/ir"

// comparison returns the function comparing a and b.
func (p *decoder) comparison(t ir.Type) predFn {
	c := p.in.Mods.Cmp
	var f predFn
	switch t {
	case ir.S32:
		f = cmpS32[c]
	case ir.U32, ir.B32:
		f = cmpU32[c]
	case ir.F32:
		f = p.compareF32(c)
	case ir.F64:
		f = p.compareF64(c)
	case ir.S64:
		f = compareS64(c)
	case ir.U64, ir.B64:
		f = compareU64(c)
	case ir.S16:
		f = compare16(func(x uint32) int32 { return int32(int16(x)) }, c)
	case ir.U16, ir.B16:
		f = compare16(func(x uint32) int32 { return int32(uint16(x)) }, c)
	case ir.F16, ir.BF16:
		f = p.compareHalf(t, c)
	}
	if f == nil {
		p.fail("comparison %s of type %s", c, t)
	}
	return f
}

// The comparisons of 32-bit integers; nil where none is defined.
var cmpS32 = [ir.NAN + 1]predFn{
	ir.EQ: eq32, ir.NE: ne32,
	ir.LT: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return int32(x) < int32(y) })
	},
	ir.LE: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return int32(x) <= int32(y) })
	},
	ir.GT: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return int32(x) > int32(y) })
	},
	ir.GE: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return int32(x) >= int32(y) })
	},
}

var cmpU32 = [ir.NAN + 1]predFn{
	ir.EQ: eq32, ir.NE: ne32,
	ir.LT: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return x < y })
	},
	ir.LE: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return x <= y })
	},
	ir.GT: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return x > y })
	},
	ir.GE: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return x >= y })
	},
}

func eq32(w *warp, in *inst) uint32 {
	return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return x == y })
}

func ne32(w *warp, in *inst) uint32 {
	return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return x != y })
}

// compare16 compares 16-bit integers, widened by the function given.
func compare16(widen func(x uint32) int32, c ir.Cmp) predFn {
	if c == ir.CmpNone || c > ir.GE {
		return nil
	}
	t := holdsTable(c)
	return func(w *warp, in *inst) (m uint32) {
		a, b := &w.rows[in.a], &w.rows[in.b]
		for i := range a {
			x, y := widen(a[i]), widen(b[i])
			m |= t >> (sign(x < y, x > y) + 1) & 1 << i
		}
		return m
	}
}

func compareS64(c ir.Cmp) predFn {
	return compare64(func(x, y uint64) int8 { return sign(int64(x) < int64(y), int64(x) > int64(y)) }, c, false)
}

func compareU64(c ir.Cmp) predFn {
	return compare64(func(x, y uint64) int8 { return sign(x < y, x > y) }, c, false)
}

// unordered is the order of two numbers with a NaN among them.
const unordered int8 = 2

func sign(less, greater bool) int8 {
	switch {
	case less:
		return -1
	case greater:
		return 1
	}
	return 0
}

// holds reports whether comparison c is true for an order.
func holds(c ir.Cmp, order int8) bool {
	if order == unordered {
		return c >= ir.EQU && c <= ir.GEU || c == ir.NAN
	}
	switch c {
	case ir.EQ, ir.EQU:
		return order == 0
	case ir.NE, ir.NEU:
		return order != 0
	case ir.LT, ir.LTU:
		return order < 0
	case ir.LE, ir.LEU:
		return order <= 0
	case ir.GT, ir.GTU:
		return order > 0
	case ir.GE, ir.GEU:
		return order >= 0
	}
	return c == ir.NUM
}

// holdsTable returns a bit set of the orders, -1 to unordered, for which c is true.
func holdsTable(c ir.Cmp) (t uint32) {
	for o := int8(-1); o <= unordered; o++ {
		t |= b2u(holds(c, o)) << (o + 1)
	}
	return t
}

// compare64 returns the comparison of 64-bit values by order; floats reports whether comparisons for floating-point
// numbers are allowed.
func compare64(order func(x, y uint64) int8, c ir.Cmp, floats bool) predFn {
	if c == ir.CmpNone || !floats && c > ir.GE {
		return nil
	}
	t := holdsTable(c)
	return func(w *warp, in *inst) (m uint32) {
		a, b := w.pair(in.a), w.pair(in.b)
		for i := range 32 {
			m |= t >> (order(lane64(a, i), lane64(b, i)) + 1) & 1 << i
		}
		return m
	}
}

func orderF64(x, y uint64) int8 { return orderFloat(f64(x), f64(y)) }

func orderFloat(x, y float64) int8 {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	case x == y:
		return 0
	}
	return unordered
}

func (p *decoder) compareF64(c ir.Cmp) predFn { return compare64(orderF64, c, true) }

// cmpF32 has loops for the frequent comparisons.
var cmpF32 = [ir.NAN + 1]predFn{
	ir.EQ: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return f32(x) == f32(y) })
	},
	ir.NEU: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return f32(x) != f32(y) })
	},
	ir.LT: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return f32(x) < f32(y) })
	},
	ir.LE: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return f32(x) <= f32(y) })
	},
	ir.GT: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return f32(x) > f32(y) })
	},
	ir.GE: func(w *warp, in *inst) uint32 {
		return test2(&w.rows[in.a], &w.rows[in.b], func(x, y uint32) bool { return f32(x) >= f32(y) })
	},
}

func (p *decoder) compareF32(c ir.Cmp) predFn {
	if c == ir.CmpNone {
		return nil
	}
	ftz := p.in.Mods.Ftz
	if f := cmpF32[c]; f != nil && !ftz {
		return f
	}
	t := holdsTable(c)
	return func(w *warp, in *inst) (m uint32) {
		a, b := &w.rows[in.a], &w.rows[in.b]
		for i := range a {
			x, y := a[i], b[i]
			if ftz {
				x, y = flush32(x), flush32(y)
			}
			m |= t >> (orderFloat(float64(f32(x)), float64(f32(y))) + 1) & 1 << i
		}
		return m
	}
}
