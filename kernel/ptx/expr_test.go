package ptx

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// folded returns the value of a constant expression as an initialiser of 64 bits.
func folded(t interface {
	Helper()
	Fatalf(string, ...any)
}, expr string) uint64 {
	t.Helper()
	m, err := Parse("t.ptx", []byte(header+".global .b64 x = "+expr+";"))
	if err != nil {
		t.Fatalf("%s is refused: %v", expr, err)
	}
	return binary.LittleEndian.Uint64(m.Vars[0].Init)
}

func TestConstantExpressionsFollowTheRulesForUnsignedOperands(t *testing.T) {
	for expr, want := range map[string]int64{
		"0x8000000000000000>>62": 2, "0xffffffffffffffff>>60": 15, "~0>>60": 15, "(0-1)>1U": 1,
		"(0-1)/2U": 9223372036854775807, "(0-1)>1": 0, "(0-8)/2": -4, "(0-8)>>1": -4, "(0-8)>>1U": -4,
		"-7 + 2": -5, "-7 * 2": -14, "-(3+4)*2": -14, "7 % 4": 3, "!0": 1, "(5)": 5, "-7 % 4": 1, "!!7": 1,
		"(-1 & -1) >> 63": 1, "(0 | -1) >> 63": 1, "(0 ^ -1) >> 63": 1, "-1U >> 63": 1, "(.s64)-1U >> 63": -1,
		"(.u64)-1 >> 63": 1, "(1 ? -1 : 0U) >> 63": 1, "(1 ? -1 : 0) >> 63": -1, "-1 >> 64": -1, "1 << 64": 0,
		"1 << -1": 0, "0 && 1/0": 0, "1 || 1%0": 1, "1 ? 2 : 1/0": 2, "0 ? 1/0 : 3 ? 4 : 5": 4,
		"1 + 2 == 3 && 4 < 5": 1,
		"1 | 6 ^ 2 & 3":       5, "WARP_SZ * 2 - 1": 63, "1.5 < 2.5": 1, "1.5 == 1.5": 1, "2.0 >= 2.5": 0,
		"-WARP_SZ":                    -32,
		"9223372036854775807 + 1 > 0": 0, "9223372036854775808 > 0": 1, "0b101 + 017": 20, "10 - 4 - 3": 3,
	} {
		if got := int64(folded(t, expr)); got != want {
			t.Errorf("%s is %d, want %d", expr, got, want)
		}
	}
}

func TestConstantExpressionsStandWhereverAConstantDoes(t *testing.T) {
	m := parsed(t, header+`.global .align (1 << 4) .b8 x[-(3 - 7) * 2][!0 + 1] = {~0 & 3, 7 % 4};
		.global .u64 p = x + 2 * 4 - 1; .global .f64 f = 1.5 * -2.0 + 0.25;
		.entry k() .maxntid 16 * 2 { .reg .b32 %r<(5 > 4) * 8>; .reg .b64 %d<2>; .reg .f64 %g; .reg .f32 %f;
		mov.s32 %r7, -7 + 2; mov.b32 %r6, !0; mov.b32 %r5, (5); mov.f64 %g, -(1.0 + 0.5); mov.f32 %f, 3.0 / 2.0;
		ld.global.b8 %r4, [x + 2 * 3 + 1]; ld.global.b32 %r3, [%d1 - 8 + -4 * 2]; mov.b64 %d0, x[1 ? 2 : 3]; }`)
	x, p, f := m.Vars[0], m.Vars[1], m.Vars[2]
	if x.Align != 16 || x.Size != 16 || string(x.Init) != "\x03\x03" {
		t.Errorf("x has the alignment %d, the size %d and the values %v", x.Align, x.Size, x.Init)
	}
	if got := binary.LittleEndian.Uint64(p.Init); got != x.Address+7 {
		t.Errorf("p is x + %d, want 7", got-x.Address)
	}
	if got := binary.LittleEndian.Uint64(f.Init); got != 0xc006000000000000 {
		t.Errorf("f is %#x, want -2.75", got)
	}
	if n := m.Kernels[0].MaxThreads[0]; n != 32 {
		t.Errorf("%d threads at most, want 32", n)
	}
	want := fmt.Sprintf("mov.s32 R0, 0xfffffffb\nmov.b32 R1, 0x1\nmov.b32 R2, 0x5\nmov.f64 R4:R5, 0xbff8000000000000\n"+
		"mov.f32 R6, 0x3fc00000\nld.global.u8.u32 R7, [%#x]\nld.global.b32 R10, [R8:R9-16]\nmov.b64 R12:R13, %#x",
		x.Address+7, x.Address+2)
	if got := text(m.Kernels[0]); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestMistakesInConstantExpressionsAreNamed(t *testing.T) {
	for expr, want := range map[string]string{
		"1 + 2.0":        `found "+" between an integer and a floating-point constant, or beside one with 0f, expected`,
		"0f3F800000*2.0": `found "*" between an integer and a floating-point constant, or beside one with 0f, expected`,
		"1.0 % 2.0":      `found "%" between floating-point constants, expected integers`,
		"~1.0":           `found "~" before a floating-point constant, expected an integer`,
		"!1.0":           `found "!" before a floating-point constant, expected an integer`,
		"1.0 ? 1 : 2":    `found a floating-point condition before "?", expected an integer`,
		"1 ? 1 : 2.0":    `found an integer and a floating-point constant around ":", expected two of one kind`,
		"(.f64)1":        `found a cast to .f64, expected .s64 or .u64`,
		"1 / 0":          `found a division by zero, expected another divisor`,
		"1 + ":           `found ";", expected a constant`,
	} {
		if got := refused(t, header+".global .b64 x = "+expr+";"); !strings.Contains(got, want) {
			t.Errorf("%s: got:\n%s\nwant:\n%s", expr, got, want)
		}
	}
}

// reference is a constant expression with its value, worked out in whole numbers of any size.
type reference struct {
	text     string
	value    *big.Int // as the type has it
	unsigned bool
	level    int // precedence of the outermost operator
}

var modulus = new(big.Int).Lsh(big.NewInt(1), 64)

// typed wraps a value around to a type of 64 bits.
func typed(v *big.Int, unsigned bool) *big.Int {
	v = new(big.Int).Mod(v, modulus)
	if !unsigned && v.Bit(63) == 1 {
		v.Sub(v, modulus)
	}
	return v
}

func (r reference) as(unsigned bool) *big.Int { return typed(r.value, unsigned) }

const atomLevel = 12

func (r reference) inside(level int) string {
	if r.level < level {
		return "(" + r.text + ")"
	}
	return r.text
}

func drawConstant(t *rapid.T, depth int) reference {
	if depth == 0 {
		return drawLiteral(t)
	}
	ops := []string{"", "-", "+", "~", "!", "(.s64)", "(.u64)", "?", "||", "&&", "|", "^", "&", "==", "!=", "<", "<=",
		">", ">=", "<<", ">>", "+", "-", "*", "/", "%"}
	n := rapid.IntRange(0, len(ops)-1).Draw(t, "operator")
	op, a := ops[n], drawConstant(t, depth-1)
	if n == 0 {
		return a
	}
	if n <= 6 {
		return unaryReference(op, a)
	}
	b := drawConstant(t, depth-1)
	if op == "?" {
		c := drawConstant(t, depth-1)
		r := reference{text: a.inside(1) + "?" + b.text + ":" + c.text, unsigned: b.unsigned || c.unsigned}
		if r.value = c.as(r.unsigned); a.value.Sign() != 0 {
			r.value = b.as(r.unsigned)
		}
		return r
	}
	return binaryReference(op, a, b)
}

func drawLiteral(t *rapid.T) reference {
	v := rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 70), rapid.SampledFrom([]uint64{1<<63 - 1, 1 << 63,
		1<<64 - 1})).Draw(t, "literal")
	r := reference{unsigned: v>>63 == 1, level: atomLevel}
	r.text = fmt.Sprintf(rapid.SampledFrom([]string{"%d", "%#x", "0%o", "0b%b"}).Draw(t, "base"), v)
	if rapid.Bool().Draw(t, "suffix") {
		r.text, r.unsigned = r.text+"U", true
	}
	r.value = typed(new(big.Int).SetUint64(v), r.unsigned)
	return r
}

func unaryReference(op string, a reference) reference {
	r := reference{text: op + " " + a.inside(atomLevel-1), level: atomLevel - 1}
	switch op {
	case "-":
		r.unsigned, r.value = a.unsigned, new(big.Int).Neg(a.value)
	case "+":
		r.unsigned, r.value = a.unsigned, a.value
	case "~":
		r.unsigned, r.value = true, new(big.Int).Not(a.value)
	case "!":
		r.value = number(a.value.Sign() == 0)
	default:
		r.unsigned, r.value = op == "(.u64)", a.value
	}
	r.value = typed(r.value, r.unsigned)
	return r
}

func number(t bool) *big.Int {
	if t {
		return big.NewInt(1)
	}
	return big.NewInt(0)
}

func binaryReference(op string, a, b reference) reference {
	level := precedence[op]
	r := reference{text: a.inside(level) + " " + op + " " + b.inside(level+1), level: level}
	either := a.unsigned || b.unsigned
	x, y := a.as(either), b.as(either)
	order := x.Cmp(y)
	v := new(big.Int)
	switch op {
	case "||":
		v = number(x.Sign() != 0 || y.Sign() != 0)
	case "&&":
		v = number(x.Sign() != 0 && y.Sign() != 0)
	case "|":
		r.unsigned = true
		v.Or(a.as(true), b.as(true))
	case "^":
		r.unsigned = true
		v.Xor(a.as(true), b.as(true))
	case "&":
		r.unsigned = true
		v.And(a.as(true), b.as(true))
	case "==":
		v = number(order == 0)
	case "!=":
		v = number(order != 0)
	case "<":
		v = number(order < 0)
	case "<=":
		v = number(order <= 0)
	case ">":
		v = number(order > 0)
	case ">=":
		v = number(order >= 0)
	case "<<", ">>":
		r.unsigned = a.unsigned
		n := uint(64)
		if s := b.as(true); s.Cmp(big.NewInt(64)) < 0 {
			n = uint(s.Uint64())
		}
		if op == "<<" {
			v.Lsh(a.value, n)
		} else {
			v.Rsh(a.value, n)
		}
	case "+":
		r.unsigned = either
		v.Add(x, y)
	case "-":
		r.unsigned = either
		v.Sub(x, y)
	case "*":
		r.unsigned = either
		v.Mul(x, y)
	case "/", "%":
		if y.Sign() == 0 {
			return a // no value
		}
		if op == "%" {
			v.Rem(a.as(true), b.as(true))
		} else {
			r.unsigned = either
			v.Quo(x, y)
		}
	}
	r.value = typed(v, r.unsigned)
	return r
}

func TestConstantExpressionsAgreeWithWholeNumbersOfAnySize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawConstant(t, rapid.IntRange(0, 5).Draw(t, "depth"))
		if got := folded(t, want.text); got != want.as(true).Uint64() {
			t.Fatalf("%s is %#x, want %#x", want.text, got, want.as(true).Uint64())
		}
	})
}
