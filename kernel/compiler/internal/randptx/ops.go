package randptx

import "fmt"

// src returns a random operand of a class: a variable, or an immediate.
func (g *gen) src(letter byte) string {
	if g.r.IntN(4) != 0 {
		return g.v(letter)
	}
	switch letter {
	case 'r':
		return g.pick("0", "1", "-1", "2", "31", "255", "1024", "0x7fffffff", "-2147483648", fmt.Sprint(g.r.IntN(1000)))
	case 'l':
		return g.pick("0", "1", "-1", "4294967296", "0x123456789abcdef", "-9223372036854775808",
			fmt.Sprint(g.r.IntN(1000)))
	case 'f':
		return g.pick("0f00000000", "0f3F800000", "0fBF000000", "0f40490FDB", "0f7F800000", "0f00000001")
	case 'd':
		return g.pick("0d0000000000000000", "0d3FF0000000000000", "0d400921FB54442D18", "0dBFE0000000000000")
	case 'h':
		return g.pick("0", "1", "7", "32767")
	}
	return g.v(letter)
}

// compute writes one operation, under guard unless empty.
func (g *gen) compute(guard string) {
	q := func(format string, args ...any) { g.p("%s%s", guard, fmt.Sprintf(format, args...)) }
	d := g.v
	s := g.src
	switch c := g.r.IntN(22); c {
	case 0, 1, 2:
		op := g.pick("add.s32", "sub.s32", "mul.lo.s32", "mul.hi.u32", "mul.hi.s32", "min.s32", "max.u32", "and.b32",
			"or.b32", "xor.b32", "mul24.lo.s32")
		q("%s %s, %s, %s", op, d('r'), g.v('r'), s('r'))
	case 3:
		q("%s %s, %s, %s", g.pick("div.u32", "rem.u32", "div.s32", "rem.s32"), d('r'), s('r'), s('r'))
	case 4:
		q("%s %s, %s, %s", g.pick("shl.b32", "shr.u32", "shr.s32"), d('r'), s('r'), g.pick(g.v('r'), "3", "31", "32"))
	case 5, 6, 7:
		op := g.pick("add.s64", "sub.s64", "mul.lo.s64", "mul.hi.u64", "mul.hi.s64", "min.s64", "max.u64", "and.b64",
			"or.b64", "xor.b64")
		q("%s %s, %s, %s", op, d('l'), g.v('l'), s('l'))
	case 8:
		q("%s %s, %s, %s", g.pick("shl.b64", "shr.u64", "shr.s64"), d('l'), g.v('l'),
			g.pick(g.v('r'), "5", "32", "40", "63", "64", "0"))
	case 9:
		g.rare(q)
	case 10, 11:
		op := g.pick("add.f32", "sub.f32", "mul.f32", "min.f32", "max.f32", "div.rn.f32", "add.rz.f32",
			"mul.rn.ftz.f32")
		q("%s %s, %s, %s", op, d('f'), g.v('f'), s('f'))
	case 12:
		q("fma.rn.f32 %s, %s, %s, %s", d('f'), g.v('f'), s('f'), s('f'))
	case 13:
		q("%s %s, %s", g.pick("neg.f32", "abs.f32", "sqrt.rn.f32", "rcp.rn.f32", "rcp.approx.f32", "ex2.approx.f32",
			"neg.ftz.f32"), d('f'), g.v('f'))
	case 14:
		if g.r.IntN(2) == 0 {
			q("%s %s, %s, %s", g.pick("add.f64", "sub.f64", "mul.f64", "min.f64", "div.rn.f64"), d('d'), g.v('d'),
				s('d'))
		} else {
			q("fma.rn.f64 %s, %s, %s, %s", d('d'), g.v('d'), s('d'), s('d'))
		}
	case 15:
		q("%s %s, %s", g.pick("neg.f64", "abs.f64", "sqrt.rn.f64", "rcp.rn.f64"), d('d'), g.v('d'))
	case 16:
		g.convert(q)
	case 17:
		g.compare(q)
	case 18:
		g.move(q)
	case 19:
		q("%s %s, %s, %s", g.pick("add.s16", "sub.s16", "mul.lo.s16", "and.b16", "min.s16", "max.u16", "div.u16",
			"rem.s16"), d('h'), g.v('h'), s('h'))
	case 20:
		q("%s %s, %s, %s, %s", g.pick("mad.lo.s32", "mad.hi.u32", "bfe.u32", "bfe.s32", "shf.l.wrap.b32",
			"shf.r.clamp.b32", "sad.s32", "prmt.b32"), d('r'), g.v('r'), s('r'), s('r'))
	default:
		g.predicate(q)
	}
}

type emitFn func(format string, args ...any)

func (g *gen) rare(q emitFn) {
	d, s := g.v, g.src
	switch g.r.IntN(8) {
	case 0:
		q("%s %s, %s, %s", g.pick("div.u64", "rem.u64", "div.s64", "rem.s64"), d('l'), s('l'), s('l'))
	case 1:
		q("mad.lo.s64 %s, %s, %s, %s", d('l'), g.v('l'), s('l'), s('l'))
	case 2:
		q("%s %s, %s, %s, %s", g.pick("mad.wide.s32", "mad.wide.u32"), d('l'), g.v('r'), s('r'), s('l'))
	case 3:
		q("%s %s, %s", g.pick("neg.s64", "abs.s64", "not.b64"), d('l'), g.v('l'))
	case 4:
		q("popc.b64 %s, %s", d('r'), g.v('l'))
	case 5:
		q("bfe.u64 %s, %s, %d, %d", d('l'), g.v('l'), g.r.IntN(70), g.r.IntN(70))
	case 6:
		q("%s %s, %s", g.pick("neg.s32", "abs.s32", "not.b32", "popc.b32", "clz.b32", "brev.b32"), d('r'), g.v('r'))
	default:
		q("bfi.b32 %s, %s, %s, %d, %d", d('r'), g.v('r'), g.v('r'), g.r.IntN(32), g.r.IntN(20))
	}
}

func (g *gen) convert(q emitFn) {
	switch g.r.IntN(12) {
	case 0:
		q("cvt.s64.s32 %s, %s", g.v('l'), g.v('r'))
	case 1:
		q("cvt.u64.u32 %s, %s", g.v('l'), g.v('r'))
	case 2:
		q("cvt.u32.u64 %s, %s", g.v('r'), g.v('l'))
	case 3:
		q("cvt.rn.f32.s32 %s, %s", g.v('f'), g.v('r'))
	case 4:
		q("cvt.rzi.s32.f32 %s, %s", g.v('r'), g.v('f'))
	case 5:
		q("cvt.f64.f32 %s, %s", g.v('d'), g.v('f'))
	case 6:
		q("cvt.rn.f32.f64 %s, %s", g.v('f'), g.v('d'))
	case 7:
		q("cvt.u32.u16 %s, %s", g.v('r'), g.v('h'))
	case 8:
		q("cvt.u16.u32 %s, %s", g.v('h'), g.v('r'))
	case 9:
		q("cvt.s32.s16 %s, %s", g.v('r'), g.v('h'))
	case 10:
		q("cvt.s64.s16 %s, %s", g.v('l'), g.v('h'))
	default:
		q("cvt.rn.f32.u64 %s, %s", g.v('f'), g.v('l'))
	}
}

func (g *gen) compare(q emitFn) {
	c := g.pick("eq", "ne", "lt", "le", "gt", "ge")
	switch g.r.IntN(6) {
	case 0, 1:
		q("setp.%s.%s %s, %s, %s", c, g.pick("s32", "u32"), g.v('p'), g.v('r'), g.src('r'))
	case 2:
		q("setp.%s.%s %s, %s, %s", c, g.pick("s64", "u64"), g.v('p'), g.v('l'), g.src('l'))
	case 3:
		q("setp.%s.f32 %s, %s, %s", g.pick("lt", "gtu", "equ", "neu", "geu", "nan"), g.v('p'), g.v('f'), g.src('f'))
	case 4:
		q("setp.%s.%s.%s %s, %s, %s, %s", c, g.pick("and", "or", "xor"), g.pick("s64", "u64"), g.v('p'), g.v('l'),
			g.v('l'), g.v('p'))
	default:
		i := g.r.Perm(g.o.Vars)
		q("setp.%s.%s %%p%d|%%p%d, %s, %s", c, "s64", i[0], i[1], g.v('l'), g.src('l'))
	}
}

func (g *gen) move(q emitFn) {
	switch g.r.IntN(9) {
	case 0:
		q("mov.u32 %s, %s", g.v('r'), g.src('r'))
	case 1:
		q("mov.u64 %s, %s", g.v('l'), g.src('l'))
	case 2:
		q("mov.f64 %s, %s", g.v('d'), g.src('d'))
	case 3:
		q("mov.b64 %s, {%s,%s}", g.v('l'), g.v('r'), g.v('r'))
	case 4:
		i := g.r.Perm(g.o.Vars)
		q("mov.b64 {%%r%d,%%r%d}, %s", i[0], i[1], g.v('l'))
	case 5:
		q("selp.b64 %s, %s, %s, %s", g.v('l'), g.v('l'), g.src('l'), g.v('p'))
	case 6:
		q("selp.f32 %s, %s, %s, %s", g.v('f'), g.v('f'), g.src('f'), g.v('p'))
	case 7:
		q("ld.param.u32 %s, [a]", g.v('r'))
	default:
		q("ld.param.u64 %s, [d]", g.v('l'))
	}
}

func (g *gen) predicate(q emitFn) {
	switch g.r.IntN(3) {
	case 0:
		q("%s.pred %s, %s, %s", g.pick("and", "or", "xor"), g.v('p'), g.v('p'), g.v('p'))
	case 1:
		q("not.pred %s, %s", g.v('p'), g.v('p'))
	default:
		q("mov.pred %s, %s", g.v('p'), g.v('p'))
	}
}
