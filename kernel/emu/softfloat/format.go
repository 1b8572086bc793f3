package softfloat

import "math/bits"

// Format is a binary interchange format.
type Format struct {
	exp int // exponent bits
	man int // mantissa bits, without the hidden one
	nan uint64
}

// The formats, with the NaN of their arithmetic: for single and half precision from PTX ISA sections 9.7.3 and
// 9.7.4. The ISA leaves it open for double precision.
var (
	F16  = &Format{exp: 5, man: 10, nan: 0x7fff}
	BF16 = &Format{exp: 8, man: 7, nan: 0x7fff}
	F32  = &Format{exp: 8, man: 23, nan: 0x7fffffff}
	F64  = &Format{exp: 11, man: 52, nan: 0x7ff8000000000000}
	// TF32 is the pattern in the upper bits of its 32-bit word, without the 13 low bits.
	TF32 = &Format{exp: 8, man: 10, nan: 0x3ffff}
	E5M2 = &Format{exp: 5, man: 2, nan: 0x7f}
	// E4M3 has numbers 256 times as small as the PTX format of this name, so that, as in PTX, the largest exponent
	// belongs to finite numbers.
	E4M3 = &Format{exp: 5, man: 3, nan: 0xff}
)

// SignBit returns the bit of the sign.
func (f *Format) SignBit() uint64 { return f.sign() }

// Mode is a rounding direction.
type Mode uint8

// Rounding directions.
const (
	NearestEven Mode = iota
	Zero
	Down
	Up
	NearestAway
)

// class of a number.
type class uint8

const (
	finite class = iota // zero included: both words are zero
	infinite
	notANumber
)

// Num is an unpacked number: (hi:lo) * 2^exp. The last bit of a result may be sticky: set in place of any bits
// below it.
type Num struct {
	neg    bool
	class  class
	exp    int
	hi, lo uint64
}

func (f *Format) bias() int      { return 1<<(f.exp-1) - 1 }
func (f *Format) minExp() int    { return 1 - f.bias() } // of the smallest normal number
func (f *Format) inf() uint64    { return (1<<f.exp - 1) << f.man }
func (f *Format) sign() uint64   { return 1 << (f.exp + f.man) }
func (f *Format) NaN() uint64    { return f.nan }
func (f *Format) hidden() uint64 { return 1 << f.man }

// Unpack returns the number with the given bits.
func (f *Format) Unpack(x uint64) Num {
	n := Num{neg: x&f.sign() != 0}
	e := int(x >> f.man & (1<<f.exp - 1))
	m := x & (f.hidden() - 1)
	switch {
	case e == 1<<f.exp-1:
		n.class = infinite
		if m != 0 {
			n.class = notANumber
		}
	case e == 0:
		n.lo, n.exp = m, f.minExp()-f.man
	default:
		n.lo, n.exp = m|f.hidden(), e-f.bias()-f.man
	}
	return n
}

// Int returns a signed or unsigned integer as a number.
func Int(v uint64, signed bool) Num {
	if signed && int64(v) < 0 {
		return Num{neg: true, lo: -v}
	}
	return Num{lo: v}
}

// Round returns n rounded to the format. Too small results are subnormal or zero, too large results infinite or, if
// the direction is away from infinity, the largest finite number.
func (f *Format) Round(n Num, mode Mode) uint64 {
	sign := uint64(0)
	if n.neg {
		sign = f.sign()
	}
	switch {
	case n.class == notANumber:
		return f.nan
	case n.class == infinite:
		return sign | f.inf()
	case n.hi|n.lo == 0:
		return sign
	}
	top := n.exp + length(n.hi, n.lo) - 1
	unit := max(top, f.minExp()) - f.man // exponent of the result's last bit
	q, half, rest := shiftOut(n.hi, n.lo, unit-n.exp)
	if roundsUp(mode, n.neg, q&1 != 0, half, rest) {
		q++
	}
	// An overflowing mantissa carries into the exponent by itself.
	r := q
	if q >= f.hidden() {
		r = uint64(unit-f.minExp()+f.man)<<f.man + q
	}
	if r >= f.inf() {
		r = f.inf()
		if mode == Zero || mode == Down && !n.neg || mode == Up && n.neg {
			r--
		}
	}
	return sign | r
}

// roundsUp reports whether the magnitude is rounded up, given the last bit kept (odd), the first bit dropped
// (half), and whether any further bit is set (rest).
func roundsUp(mode Mode, neg, odd, half, rest bool) bool {
	switch mode {
	case NearestEven:
		return half && (rest || odd)
	case NearestAway:
		return half
	case Down:
		return neg && (half || rest)
	case Up:
		return !neg && (half || rest)
	}
	return false
}

// length returns the number of significant bits of hi:lo.
func length(hi, lo uint64) int {
	if hi != 0 {
		return 64 + bits.Len64(hi)
	}
	return bits.Len64(lo)
}

// shiftOut shifts hi:lo right by n, to at most 64 bits. It returns the first bit shifted out, and whether any bit
// below was set. A negative n shifts left.
func shiftOut(hi, lo uint64, n int) (q uint64, half, rest bool) {
	switch {
	case n <= 0:
		return lo << -n, false, false
	case n > 128:
		return 0, false, hi|lo != 0
	}
	if n <= 64 {
		half = lo>>(n-1)&1 != 0
		rest = lo&(1<<(n-1)-1) != 0
		return lo>>n | hi<<(64-n), half, rest
	}
	half = hi>>(n-65)&1 != 0
	rest = lo != 0 || hi&(1<<(n-65)-1) != 0
	return hi >> (n - 64), half, rest
}

// Infinity is positive infinity.
var Infinity = Num{class: infinite}
