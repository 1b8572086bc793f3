package main

import "fmt"

// expr returns an expression of a type, at most depth operators deep. The expression has no side effect, and a
// defined value for all values of its variables.
func (g *gen) expr(t typ, depth int) string {
	if depth <= 0 || g.r.IntN(6) == 0 {
		return g.leaf(t, depth)
	}
	depth--
	switch {
	case t == tF16:
		return g.half(depth)
	case t.isFloat():
		return g.float(t, depth)
	}
	return g.integer(t, depth)
}

// leaf returns a variable, an element of a buffer or an array, or a constant.
func (g *gen) leaf(t typ, depth int) string {
	switch weigh(g.r, 6, 2, 2, 1, 2) {
	case 0:
		if v := g.vars[t]; len(v) > 0 {
			return pick(g.r, v...)
		}
	case 1:
		if b, ok := inputs[t]; ok {
			return fmt.Sprintf("in_%s[%s & %d]", t, g.index(depth), b-1)
		}
	case 2:
		if v := g.reads[t]; len(v) > 0 {
			return fmt.Sprintf(pick(g.r, v...), g.index(depth))
		}
	case 3:
		if t == tI32 || t == tU32 {
			return fmt.Sprintf("(%s)%s", t, pick(g.r, "linear()", "cta()", "tid_x()", "tid_y()", "lane()", "nt_x()",
				"cta_x()", "tid_z()", "threads()"))
		}
	}
	return constant(g.r, t)
}

// index returns an unsigned number of any size, for use as an index under a mask.
func (g *gen) index(depth int) string {
	if g.r.IntN(3) == 0 {
		return "linear()"
	}
	return "(" + g.expr(tU32, min(depth-1, 1)) + ")"
}

// cond returns a condition.
func (g *gen) cond(depth int) string {
	switch weigh(g.r, 6, 1, 1, 1, 1) {
	case 1:
		return fmt.Sprintf("(%s && %s)", g.cond(depth-1), g.cond(depth-1))
	case 2:
		return fmt.Sprintf("(%s || %s)", g.cond(depth-1), g.cond(depth-1))
	case 3:
		return fmt.Sprintf("!%s", g.cond(depth-1))
	case 4:
		return fmt.Sprintf("((%s >> %d & 1) != 0)", g.expr(tU32, depth-1), g.r.IntN(32))
	}
	t := pick(g.r, allTypes...)
	op := pick(g.r, "<", ">", "<=", ">=", "==", "!=")
	return fmt.Sprintf("(%s %s %s)", g.expr(t, depth-1), op, g.expr(t, depth-1))
}

// factor returns x as an operand of an operation on type t. From sm_80 on ptxas 11.8 miscompiles a 64-bit product of a
// negative number and a word that it knows to be equal in all lanes: it adds the word to the upper half instead of
// subtracting it. So an operand of such a product is made one that ptxas cannot know to be equal.
func (g *gen) factor(t typ, op, x string) string {
	if g.code && op == "*" && t.bits() == 64 {
		return g.own(x)
	}
	return x
}

func (g *gen) integer(t typ, d int) string {
	a := func() string { return g.expr(t, d) }
	n := t.bits() - 1
	switch weigh(g.r, 16, 4, 4, 3, 3, 3, 3, 8, 5, 2) {
	case 0:
		x, op := a(), pick(g.r, "+", "-", "*", "&", "|", "^")
		return fmt.Sprintf("(%s)(%s %s %s)", t, g.factor(t, op, x), op, a())
	case 1:
		return fmt.Sprintf("(%s)(%s %s (%s & %d))", t, a(), pick(g.r, "<<", ">>"), g.expr(tU32, d), n)
	case 2:
		return fmt.Sprintf("%s<%s>(%s, %s)", pick(g.r, "quo", "rem"), t, a(), a())
	case 3:
		k := pick(g.r, 2, 3, 5, 7, 8, 10, 16, 100, 127)
		return fmt.Sprintf("(%s)(%s %s %d)", t, a(), pick(g.r, "/", "%"), k)
	case 4:
		return fmt.Sprintf("%s<%s>(%s, %s)", pick(g.r, "least", "most"), t, a(), a())
	case 5:
		return fmt.Sprintf("(%s)(%s)", t, pick(g.r, "~", "0-", "(u32)!")+a())
	case 6:
		return fmt.Sprintf("(%s ? %s : %s)", g.cond(d), a(), a())
	case 7:
		return g.convertedTo(t, d)
	case 8:
		return fmt.Sprintf("(%s)(%s)", t, g.intrinsic(t, d))
	}
	return g.call(t, d)
}

// intrinsic returns a call of one of the integer functions of common.h.
func (g *gen) intrinsic(t typ, d int) string {
	u := func() string { return g.expr(tU32, d) }
	l := func() string { return g.expr(tU64, d) }
	i := func() string { return g.expr(tI32, d) }
	small := func() string { return fmt.Sprintf("(%s & %d)", u(), pick(g.r, 15, 31, 63, 255)) }
	n := g.r.IntN(25)
	switch n {
	case 0:
		return fmt.Sprintf("__builtin_popcount(%s)", u())
	case 1:
		return fmt.Sprintf("__builtin_popcountll(%s)", l())
	case 2:
		return fmt.Sprintf("%s(%s)", pick(g.r, "zeros", "tail"), pick(g.r, u, l)())
	case 3:
		return fmt.Sprintf("__builtin_bitreverse32(%s)", u())
	case 4:
		return fmt.Sprintf("__builtin_bitreverse64(%s)", l())
	case 6:
		o := pick(g.r, tU32, tI32, tU64, tI64)
		return fmt.Sprintf("mul_hi(%s, %s)", g.typed(o, d), g.typed(o, d))
	case 7:
		o := pick(g.r, tU32, tI32)
		return fmt.Sprintf("mul_24(%s, %s)", g.typed(o, d), g.typed(o, d))
	case 8:
		o := pick(g.r, tU32, tI32)
		return fmt.Sprintf("sad(%s, %s, %s)", g.typed(o, d), g.typed(o, d), u())
	case 11:
		return fmt.Sprintf("bfe64(%s, %s, %s)", g.expr(tI64, d), small(), small())
	case 12:
		return fmt.Sprintf("%s(%s)", pick(g.r, "find_u", "find_s", "find_shift", "cnot"), u())
	case 14:
		return fmt.Sprintf("%s(%s, %s, %s)", pick(g.r, "funnel_l", "funnel_r", "funnel_lc", "funnel_rc"), u(), u(), u())
	case 17:
		return fmt.Sprintf("__builtin_rotate%s32(%s, %s)", pick(g.r, "left", "right"), u(), small())
	case 18:
		return fmt.Sprintf("__builtin_rotateleft64(%s, %s)", l(), u())
	case 19:
		return fmt.Sprintf("mag<i32>(%s)", i())
	case 20:
		return fmt.Sprintf("(u64)((__int128)%s * %s >> %d)", g.expr(tI64, d), g.expr(tI64, d), g.r.IntN(100))
	case 5, 9, 10, 13, 15, 16:
		return g.mistaken(n, u, small)
	}
	return g.rarer(d)
}

// mistaken returns a call of one of the functions that ptxas 11.8 miscompiles for some operands, by its number in
// intrinsic. If the kernel goes through ptxas, such operands are avoided. u makes an operand and small a position.
func (g *gen) mistaken(n int, u, small func() string) string {
	switch n {
	case 5:
		a, b, c := u(), u(), u()
		if g.code { // ptxas 11.8 forgets that a byte of a sign needs its source, if the selector is a number
			c = "(" + c + " & 0x7777u)"
		}
		return fmt.Sprintf("prmt(%s, %s, %s)", a, b, c)
	case 9:
		name, from, at, length := pick(g.r, "bfe_u", "bfe_s"), u(), small(), small()
		if g.code {
			// ptxas 11.8 makes a signed field -1 if its position is a constant above 31. For sm_90 it makes a field of
			// a word that is equal in all lanes equal in all lanes too, even if each lane has a position of its own.
			from, at = g.own(from), "("+at+" & 31u)"
		}
		return fmt.Sprintf("%s(%s, %s, %s)", name, from, at, length)
	case 10:
		into, from, at, length := u(), u(), small(), small()
		if g.code { // from sm_70 on, ptxas 11.8 takes a length modulo 32, if it and the position are numbers
			length = "(" + length + " & 31u)"
		}
		return fmt.Sprintf("bfi(%s, %s, %s, %s)", into, from, at, length)
	case 13:
		name := pick(g.r, "add_sat", "sub_sat")
		if g.code && g.k.arch < 70 { // ptxas 11.8 saturates a sum to which, saturated, 0 is added
			name = "most<u32>"
		}
		x, y := u(), u()
		if g.code { // ptxas 11.8 mistakes the sign of an operand that is -0x1p31 or the negative of another number
			x, y = g.own(x), g.own(y)
		}
		return fmt.Sprintf("%s(%s, %s)", name, x, y)
	case 15:
		if g.k.arch >= 61 && g.r.IntN(2) == 0 {
			return fmt.Sprintf("%s(%s, %s, %s)", pick(g.r, "dot4_u", "dot4_s"), u(), u(), u())
		}
		name, x, y := pick(g.r, "absdiff4", "slct"), u(), u()
		if g.code && name == "absdiff4" { // from sm_80 on, ptxas 11.8 reads the register of a uniform one's number
			x, y = g.own(x), g.own(y)
		}
		return fmt.Sprintf("%s(%s, %s, %s)", name, x, y, u())
	}
	table, x, y, z := g.r.IntN(256), u(), u(), u()
	if g.code { // ptxas 11.8 forgets the third operand of one with a number that is masked, if it is the second too
		z = g.own(z)
	}
	return fmt.Sprintf("lop3<%d>(%s, %s, %s)", table, x, y, z)
}

// rarer returns a call of a function for an instruction not generated by clang from plain C++.
func (g *gen) rarer(d int) string {
	u := func() string { return g.expr(tU32, d) }
	l := func() string { return g.expr(tU64, d) }
	switch g.r.IntN(5) {
	case 0:
		return fmt.Sprintf("%s(%s, %s, %s)", pick(g.r, "prmt_f4e", "prmt_b4e", "prmt_rc8", "prmt_ecl", "prmt_ecr",
			"prmt_rc16"), u(), u(), u())
	case 1:
		return fmt.Sprintf("%s(%s, %s, %s)", pick(g.r, "mad_24", "mad_24_hi", "mad_hi"), u(), u(), u())
	case 2:
		return fmt.Sprintf("%s(%s, %s, %s)", pick(g.r, "mad64", "sad64"), l(), l(), l())
	case 3:
		return fmt.Sprintf("bfi64(%s, %s, %s & 127, %s & 127)", l(), l(), u(), u())
	}
	return pick(g.r, fmt.Sprintf("__builtin_bswap32(%s)", u()), fmt.Sprintf("%s(%s, %s, 0)", pick(g.r, "add4_sat",
		"min2"),
		u(), u()))
}

// typed returns an expression with exactly the C++ type t. Without the cast, arithmetic on small types, and
// constants, may have another type.
func (g *gen) typed(t typ, d int) string { return fmt.Sprintf("(%s)(%s)", t, g.expr(t, d)) }

// convertedTo returns a number of another type, converted to type t.
func (g *gen) convertedTo(t typ, d int) string {
	from := pick(g.r, allTypes...)
	mode := pick(g.r, "rn", "rz", "rm", "rp")
	a := g.typed(from, d)
	switch {
	case from == tF16:
		from, a = tF32, "(f32)"+a
	case t == tF16 && !from.isFloat():
		// The conversion is hidden in a function opaque to clang: when clang 19 can follow an integer through the
		// conversion it forgets that half precision ends at 65504.
		return fmt.Sprintf("(f16)to_f32_rn((i32)%s)", a)
	}
	switch {
	case from.isFloat() && !t.isFloat() && t.bits() >= 32 && g.r.IntN(2) == 0:
		return fmt.Sprintf("to_%s_%s(%s)", t, mode, a)
	case from.isFloat() && !t.isFloat() && g.r.IntN(2) == 0:
		return fmt.Sprintf("(%s)%s", t, bitsOf(from, a))
	case from.isFloat() && !t.isFloat():
		low, high := bounds(t)
		if g.code && t.bits() == 16 && t.isSigned() { // ptxas 11.8 takes the negative of -0x1p15 for 0x1p15
			low = "-0x1p14"
		}
		return fmt.Sprintf("(%s)fmin_(fmax_(%s, (%s)%s), (%s)%s)", t, a, from, low, from, high)
	case t == tF32 && from == tF64 && g.r.IntN(2) == 0:
		return fmt.Sprintf("narrow_%s(%s)", mode, a)
	case t == tF32 && !from.isFloat() && from.bits() >= 32 && g.r.IntN(2) == 0:
		if g.code {
			// ptxas 11.8 may round to nearest instead: one word from sm_75 on, and two words if the upper one is known
			// to be 0. It mistakes an unsigned word made of a signed byte for the signed byte.
			mode, a = "rn", g.own(a)
		}
		return fmt.Sprintf("to_f32_%s(%s)", mode, a)
	case t == tF64 && !from.isFloat() && from.bits() == 64 && g.r.IntN(2) == 0:
		return fmt.Sprintf("to_f64_%s(%s)", mode, a)
	case t == tF32 && from == tU32 || t == tF64 && from == tU64:
		return fmt.Sprintf("number(%s)", a)
	}
	return fmt.Sprintf("(%s)%s", t, a)
}

func bitsOf(t typ, a string) string { return fmt.Sprintf("bits((%s)%s)", t, a) }

// bounds returns two numbers between which a conversion to t is defined in C++.
func bounds(t typ) (low, high string) {
	switch n := t.bits(); {
	case t.isSigned():
		return fmt.Sprintf("-0x1p%d", min(n-1, 62)), fmt.Sprintf("0x1p%d", min(n-2, 62))
	default:
		return "0", fmt.Sprintf("0x1p%d", n-1)
	}
}

func (g *gen) float(t typ, d int) string {
	a := func() string { return g.typed(t, d) }
	suffix := map[typ]string{tF32: "f", tF64: ""}[t]
	mode := pick(g.r, "rn", "rz", "rm", "rp")
	switch weigh(g.r, 12, 3, 2, 2, 3, 2, 3, 3, 6, 1, 1, 1) {
	case 0:
		return fmt.Sprintf("(%s %s %s)", a(), pick(g.r, "+", "-", "*", "/"), a())
	case 1:
		return fmt.Sprintf("__builtin_fma%s(%s, %s, %s)", suffix, a(), a(), a())
	case 2:
		return fmt.Sprintf("%s(%s, %s)", pick(g.r, "fmin_", "fmax_"), a(), a())
	case 3:
		return fmt.Sprintf("%s(%s)", pick(g.r, "floor_", "ceil_", "trunc_", "rint_", "round_"), a())
	case 4:
		return fmt.Sprintf("%s_%s(%s, %s)", pick(g.r, "add", "mul", "div"), mode, a(), a())
	case 5:
		return fmt.Sprintf("%s_%s(%s)", pick(g.r, "sqrt", "rcp"), mode, a())
	case 6:
		return pick(g.r, fmt.Sprintf("(-%s)", a()), fmt.Sprintf("abs_(%s)", a()))
	case 7:
		return fmt.Sprintf("(%s ? %s : %s)", g.cond(d), a(), a())
	case 8:
		return g.convertedTo(t, d)
	case 9:
		return fmt.Sprintf("sign_of(%s, %s)", a(), a())
	case 10:
		return fmt.Sprintf("fma_%s(%s, %s, %s)", mode, a(), a(), a())
	}
	if t == tF32 && g.r.IntN(2) == 0 {
		return fmt.Sprintf("saturate(%s)", a())
	}
	return g.call(t, d)
}

// half returns a half-precision expression, rounded at every operation.
func (g *gen) half(d int) string {
	a := func() string { return g.typed(tF16, d) }
	switch g.r.IntN(4) {
	case 0:
		return g.convertedTo(tF16, d)
	case 1:
		return fmt.Sprintf("(%s ? %s : %s)", g.cond(d), a(), a())
	}
	return fmt.Sprintf("(f16)(%s %s %s)", a(), pick(g.r, "+", "-", "*"), a())
}

// call returns a call of one of the kernel's functions of type t, or another expression if there is none.
func (g *gen) call(t typ, d int) string {
	for _, f := range g.fns {
		if f.result == t && g.r.IntN(2) == 0 {
			args := ""
			for i, p := range f.params {
				if i > 0 {
					args += ", "
				}
				args += g.typed(p, min(d, 1))
			}
			return fmt.Sprintf("%s(%s)", f.name, args)
		}
	}
	return g.expr(t, d)
}
