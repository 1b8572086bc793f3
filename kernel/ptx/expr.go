package ptx

import (
	"math"

	"kumiko/kernel/ir"
)

// Constant expressions (PTX ISA section 4.5.4): 64-bit integers, or literals of
// floating point with a sign.

var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, "<=": 7, ">": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

// expr reads a constant expression.
func (p *parser) expr() constant {
	defer p.enter()()
	c := p.binary(1)
	if p.is("?") {
		p.next()
		a := p.expr()
		p.expect(":", " of the conditional expression")
		b := p.expr()
		if c.bits != 0 {
			return a
		}
		return b
	}
	return c
}

func (p *parser) binary(level int) constant {
	a := p.unary()
	for p.tok.kind == tokPunct {
		op := p.tok
		prec := precedence[op.text]
		if prec < level || prec == 0 {
			break
		}
		p.next()
		b := p.binary(prec + 1)
		a = p.apply(op, a, b)
	}
	return a
}

func (p *parser) apply(op token, a, b constant) constant {
	if a.kind != tokInt || b.kind != tokInt {
		p.errs.add(op.pos, "found %q between floating-point constants, expected integers", op.text)
		return a
	}
	x, y := int64(a.bits), int64(b.bits)
	truth := func(t bool) int64 {
		if t {
			return 1
		}
		return 0
	}
	var r int64
	switch op.text {
	case "||":
		r = truth(x != 0 || y != 0)
	case "&&":
		r = truth(x != 0 && y != 0)
	case "|":
		r = x | y
	case "^":
		r = x ^ y
	case "&":
		r = x & y
	case "==":
		r = truth(x == y)
	case "!=":
		r = truth(x != y)
	case "<":
		r = truth(x < y)
	case "<=":
		r = truth(x <= y)
	case ">":
		r = truth(x > y)
	case ">=":
		r = truth(x >= y)
	case "<<":
		r = x << (uint64(y) & 127)
	case ">>":
		r = x >> (uint64(y) & 127)
	case "+":
		r = x + y
	case "-":
		r = x - y
	case "*":
		r = x * y
	default:
		if y == 0 {
			p.errs.add(op.pos, "found a division by zero, expected another divisor")
			return a
		}
		if r = x / y; op.text == "%" {
			r = x - r*y
		}
	}
	return constant{tokInt, uint64(r)}
}

func (p *parser) unary() constant {
	defer p.enter()()
	t := p.tok
	switch {
	case p.accept("-"):
		c := p.unary()
		switch c.kind {
		case tokInt:
			c.bits = -c.bits
		case tokF32:
			c.bits ^= 1 << 31
		default:
			c.bits ^= 1 << 63
		}
		return c
	case p.accept("+"):
		return p.unary()
	case p.accept("~"):
		c := p.unary()
		c.bits = ^c.bits
		return c
	case p.accept("!"):
		c := p.unary()
		if c.bits == 0 {
			return constant{tokInt, 1}
		}
		return constant{tokInt, 0}
	case p.accept("("):
		if p.tok.kind == tokDot { // a cast: (.s64) or (.u64)
			p.next()
			p.expect(")", " behind the cast")
			return p.unary()
		}
		c := p.expr()
		p.expect(")", " in the expression")
		return c
	case t.kind == tokInt || t.kind == tokFloat || t.kind == tokF32 || t.kind == tokF64:
		p.next()
		return constant{t.kind, t.bits}
	case t.kind == tokIdent && t.text == "WARP_SZ":
		p.next()
		return constant{tokInt, 32}
	}
	p.fail("a constant")
	return constant{}
}

// intConst reads an integer constant expression without comparisons, since these cannot occur inside < >.
func (p *parser) intConst(what string) int64 {
	t := p.tok
	if t.kind != tokInt && !p.is("(") && !p.is("-") && !(t.kind == tokIdent && t.text == "WARP_SZ") {
		p.fail(what)
	}
	c := p.binary(8)
	if c.kind != tokInt {
		p.errs.add(t.pos, "found %s, expected %s", t.describe(), what)
		return 0
	}
	return int64(c.bits)
}

// float returns the value of a constant as a number.
func (c constant) float() float64 {
	switch c.kind {
	case tokF32:
		return float64(math.Float32frombits(uint32(c.bits)))
	case tokInt:
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

// floatBits returns an integer constant as a double.
func floatBits(c constant) uint64 { return math.Float64bits(float64(int64(c.bits))) }
