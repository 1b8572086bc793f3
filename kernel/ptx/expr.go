package ptx

import (
	"math"

	"kumiko/kernel/ir"
)

// Constant expressions (PTX ISA section 4.5.4 to 4.5.6): 64-bit integers, signed or unsigned, or doubles. The exact
// form 0f, of single precision, is a literal with a sign.

var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

// integer returns an integer constant.
func integer(bits uint64, unsigned bool) constant { return constant{tokInt, bits, unsigned} }

// truth returns the signed 1 or 0 of a comparison.
func truth(t bool) constant {
	if t {
		return integer(1, false)
	}
	return integer(0, false)
}

// decimal returns a constant of double precision.
func decimal(f float64) constant { return constant{kind: tokFloat, bits: math.Float64bits(f)} }

// expr reads a constant expression.
func (p *parser) expr() constant {
	defer p.enter()()
	at := p.tok.pos
	c := p.binary(1)
	if !p.is("?") {
		return c
	}
	p.next()
	if c.kind != tokInt {
		p.wrong(at, "found a floating-point condition before \"?\", expected an integer")
	}
	a := p.unless(c.bits == 0, p.expr)
	p.expect(":", " of the conditional expression")
	b := p.unless(c.bits != 0, p.expr)
	if (a.kind == tokInt) != (b.kind == tokInt) {
		p.wrong(at, "found an integer and a floating-point constant around \":\", expected two of one kind")
	}
	a.unsigned = a.unsigned || b.unsigned
	b.unsigned = a.unsigned
	if c.bits != 0 {
		return a
	}
	return b
}

// unless reads an operand with read. If the operand is not evaluated, as behind "0 &&", a mistake in its value, such as
// a division by zero, is not reported.
func (p *parser) unless(skipped bool, read func() constant) constant {
	if skipped {
		p.skipped++
		defer func() { p.skipped-- }()
	}
	return read()
}

// wrong reports a mistake in the values of an expression.
func (p *parser) wrong(at pos, format string, args ...any) {
	if p.skipped == 0 {
		p.errs.add(at, format, args...)
	}
}

func (p *parser) binary(level int) constant {
	a := p.unary()
	for p.remainder(); p.tok.kind == tokPunct; p.remainder() {
		op := p.tok
		prec := precedence[op.text]
		if prec < level || prec == 0 {
			break
		}
		p.next()
		decided := op.text == "&&" && a.bits == 0 || op.text == "||" && a.bits != 0
		b := p.unless(decided, func() constant { return p.binary(prec + 1) })
		switch {
		case a.kind == tokInt && b.kind == tokInt:
			a = p.integers(op, a, b)
		case a.kind == tokInt || b.kind == tokInt || a.kind == tokF32 || b.kind == tokF32:
			p.wrong(op.pos, "found %q between an integer and a floating-point constant, or beside one with 0f, "+
				"expected two integers or two constants of double precision", op.text)
		default:
			a = p.doubles(op, a, b)
		}
	}
	return a
}

// remainder makes the operator of a name such as %4, which cannot follow a constant.
func (p *parser) remainder() {
	if p.tok.kind == tokIdent && p.tok.text[0] == '%' {
		p.scan.off -= len(p.tok.text) - 1
		p.tok.kind, p.tok.text = tokPunct, "%"
	}
}

// doubles applies an operator to two constants of double precision.
func (p *parser) doubles(op token, a, b constant) constant {
	x, y := a.float(), b.float()
	switch op.text {
	case "+":
		return decimal(x + y)
	case "-":
		return decimal(x - y)
	case "*":
		return decimal(x * y)
	case "/":
		return decimal(x / y)
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<":
		return truth(x < y)
	case "<=":
		return truth(x <= y)
	case ">":
		return truth(x > y)
	case ">=":
		return truth(x >= y)
	}
	p.wrong(op.pos, "found %q between floating-point constants, expected integers", op.text)
	return a
}

// integers applies an operator to two integers. Where one is unsigned, arithmetic and comparisons are.
func (p *parser) integers(op token, a, b constant) constant {
	x, y, unsigned := a.bits, b.bits, a.unsigned || b.unsigned
	switch op.text {
	case "||":
		return truth(x != 0 || y != 0)
	case "&&":
		return truth(x != 0 && y != 0)
	case "|":
		return integer(x|y, true)
	case "^":
		return integer(x^y, true)
	case "&":
		return integer(x&y, true)
	case "==":
		return truth(x == y)
	case "!=":
		return truth(x != y)
	case "<":
		return truth(less(x, y, unsigned))
	case "<=":
		return truth(!less(y, x, unsigned))
	case ">":
		return truth(less(y, x, unsigned))
	case ">=":
		return truth(!less(x, y, unsigned))
	case "<<":
		return integer(x<<y, a.unsigned)
	case ">>":
		if a.unsigned {
			return integer(x>>y, true)
		}
		return integer(uint64(int64(x)>>y), false)
	case "+":
		return integer(x+y, unsigned)
	case "-":
		return integer(x-y, unsigned)
	case "*":
		return integer(x*y, unsigned)
	}
	switch {
	case y == 0:
		p.wrong(op.pos, "found a division by zero, expected another divisor")
		return a
	case op.text == "%": // of unsigned operands always; the result is signed
		return integer(x%y, false)
	case unsigned:
		return integer(x/y, true)
	}
	return integer(uint64(int64(x)/int64(y)), false)
}

func less(x, y uint64, unsigned bool) bool {
	if unsigned {
		return x < y
	}
	return int64(x) < int64(y)
}

func (p *parser) unary() constant {
	defer p.enter()()
	t := p.tok
	switch {
	case p.accept("-"):
		return p.unary().negated()
	case p.accept("+"):
		return p.unary()
	case p.accept("~"):
		return integer(^p.integerOperand(t, p.unary()).bits, true)
	case p.accept("!"):
		return truth(p.integerOperand(t, p.unary()).bits == 0)
	case p.accept("("):
		if p.tok.kind == tokDot {
			return p.cast()
		}
		c := p.expr()
		p.expect(")", " in the expression")
		return c
	case t.kind == tokInt:
		p.next()
		last := t.text[len(t.text)-1]
		return integer(t.bits, last == 'U' || last == 'u' || t.bits > math.MaxInt64)
	case t.kind == tokFloat || t.kind == tokF32 || t.kind == tokF64:
		p.next()
		return constant{kind: t.kind, bits: t.bits}
	case t.kind == tokIdent && t.text == "WARP_SZ":
		p.next()
		return integer(32, false)
	}
	p.fail("a constant")
	return constant{}
}

// negated returns the constant with the opposite sign. The type stays: -1U is unsigned.
func (c constant) negated() constant {
	switch c.kind {
	case tokInt:
		c.bits = -c.bits
	case tokF32:
		c.bits ^= 1 << 31
	default:
		c.bits ^= 1 << 63
	}
	return c
}

// integerOperand returns the operand of an operator for integers alone.
func (p *parser) integerOperand(op token, c constant) constant {
	if c.kind != tokInt {
		p.wrong(op.pos, "found %q before a floating-point constant, expected an integer", op.text)
	}
	return c
}

// cast reads (.s64) or (.u64) with its operand, from the type on.
func (p *parser) cast() constant {
	t := p.next()
	if t.text != "s64" && t.text != "u64" {
		p.errs.add(t.pos, "found a cast to .%s, expected .s64 or .u64", t.text)
	}
	p.expect(")", " behind the cast")
	c := p.integerOperand(t, p.unary())
	c.unsigned = t.text == "u64"
	return c
}

// constantAhead reports whether a constant expression begins at the current token.
func (p *parser) constantAhead() bool {
	return p.tok.kind == tokInt || p.is("(") || p.is("-") || p.is("+") || p.is("~") || p.is("!") ||
		p.tok.kind == tokIdent && p.tok.text == "WARP_SZ"
}

// intConst reads an integer constant expression.
func (p *parser) intConst(what string) int64 { return p.intWithin(what, p.expr) }

// countConst is intConst without comparisons, since these cannot occur inside < >.
func (p *parser) countConst(what string) int64 {
	return p.intWithin(what, func() constant { return p.binary(8) })
}

func (p *parser) intWithin(what string, read func() constant) int64 {
	t := p.tok
	if !p.constantAhead() {
		p.fail(what)
	}
	c := read()
	if c.kind != tokInt {
		p.errs.add(t.pos, "found %s, expected %s", t.describe(), what)
		return 0
	}
	return int64(c.bits)
}

// offset reads the terms behind a symbol or a register: "+4", "-4", "+-4", "+4*2-1".
func (p *parser) offset() int64 {
	sum := uint64(0)
	for p.is("+") || p.is("-") {
		minus := p.next().text == "-"
		at := p.tok
		c := p.binary(10)
		if c.kind != tokInt {
			p.errs.add(at.pos, "found %s, expected an integer offset", at.describe())
		}
		if minus {
			c.bits = -c.bits
		}
		sum += c.bits
	}
	return int64(sum)
}

// float returns the value of a constant as a number.
func (c constant) float() float64 {
	switch c.kind {
	case tokF32:
		return float64(math.Float32frombits(uint32(c.bits)))
	case tokInt:
		if c.unsigned {
			return float64(c.bits)
		}
		return float64(int64(c.bits))
	}
	return math.Float64frombits(c.bits)
}

// as returns the bit pattern of the constant in a type. ok is false if the type cannot have such a constant: an
// integer in a float, a decimal in an integer.
func (c constant) as(t ir.Type) (bits uint64, ok bool) {
	mask := uint64(math.MaxUint64)
	if t.Size() < 8 {
		mask = 1<<(8*t.Size()) - 1
	}
	switch {
	case c.kind == tokInt:
		return c.bits & mask, t != ir.F32 && t != ir.F64 || c.bits == 0
	case t == ir.F64:
		return math.Float64bits(c.float()), true
	case t == ir.F32 && c.kind == tokF32:
		return c.bits, true
	case t == ir.F32:
		return uint64(math.Float32bits(float32(c.float()))), true
	case c.kind == tokF32 && t.Size() == 4, c.kind == tokF64 && t.Size() == 8:
		return c.bits, true
	case c.kind == tokFloat && t == ir.B32:
		return uint64(math.Float32bits(float32(c.float()))), true
	case c.kind == tokFloat && t == ir.B64:
		return c.bits, true
	}
	return 0, false
}
