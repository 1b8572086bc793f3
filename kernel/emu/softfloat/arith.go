package softfloat

import "math/bits"

// workTop is the position of the leading bit of the operands of a sum, after alignment. It leaves a bit for a carry
// above it, and more bits below it than any format has.
const workTop = 126

var nan = Num{class: notANumber}

// Neg returns -n.
func (n Num) Neg() Num {
	n.neg = !n.neg
	return n
}

// IsNaN reports whether n is not a number.
func (n Num) IsNaN() bool { return n.class == notANumber }

func (n Num) zero() bool { return n.class == finite && n.hi|n.lo == 0 }

// normal moves the leading bit to position workTop. The bits of n must fit.
func (n Num) normal() Num {
	if s := workTop - (length(n.hi, n.lo) - 1); s > 0 {
		n.hi, n.lo = shl(n.hi, n.lo, uint(s))
		n.exp -= s
	} else if s < 0 {
		n.hi, n.lo = jam(n.hi, n.lo, uint(-s))
		n.exp -= s
	}
	return n
}

func shl(hi, lo uint64, n uint) (uint64, uint64) {
	if n >= 64 {
		return lo << (n - 64), 0
	}
	return hi<<n | lo>>(64-n), lo << n
}

// jam shifts right. The last bit of the result is set if any one bit was shifted out.
func jam(hi, lo uint64, n uint) (uint64, uint64) {
	switch {
	case n == 0:
		return hi, lo
	case n >= 128:
		return 0, sticky(hi | lo)
	case n >= 64:
		lost := lo
		if n > 64 {
			lost |= hi << (128 - n)
		}
		return 0, hi>>(n-64) | sticky(lost)
	}
	return hi >> n, lo>>n | hi<<(64-n) | sticky(lo<<(64-n))
}

func sticky(lost uint64) uint64 {
	if lost != 0 {
		return 1
	}
	return 0
}

// Add returns x + y. An exact zero of operands with different signs is negative when rounding down and positive
// otherwise (IEEE 754, section 6.3).
func Add(x, y Num, mode Mode) Num {
	switch {
	case x.class == notANumber || y.class == notANumber:
		return nan
	case x.class == infinite && y.class == infinite:
		if x.neg != y.neg {
			return nan
		}
		return x
	case x.class == infinite || y.zero() && !x.zero():
		return x
	case y.class == infinite || x.zero() && !y.zero():
		return y
	case x.zero():
		x.neg = x.neg && y.neg || x.neg != y.neg && mode == Down
		return x
	}
	x, y = x.normal(), y.normal()
	if x.exp < y.exp {
		x, y = y, x
	}
	y.hi, y.lo = jam(y.hi, y.lo, uint(x.exp-y.exp))
	if x.neg == y.neg {
		lo, c := bits.Add64(x.lo, y.lo, 0)
		x.hi, _ = bits.Add64(x.hi, y.hi, c)
		x.lo = lo
		return x
	}
	lo, b := bits.Sub64(x.lo, y.lo, 0)
	hi, b := bits.Sub64(x.hi, y.hi, b)
	if b != 0 {
		lo, b = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, b)
		x.neg = !x.neg
	}
	x.hi, x.lo = hi, lo
	if hi|lo == 0 {
		x.neg = mode == Down
	}
	return x
}

// Mul returns x * y, exactly. The operands have at most 64 bits, like all unpacked ones.
func Mul(x, y Num) Num {
	neg := x.neg != y.neg
	switch {
	case x.class == notANumber || y.class == notANumber,
		x.class == infinite && y.zero(), x.zero() && y.class == infinite:
		return nan
	case x.class == infinite || y.class == infinite:
		return Num{neg: neg, class: infinite}
	}
	hi, lo := bits.Mul64(x.lo, y.lo)
	return Num{neg: neg, exp: x.exp + y.exp, hi: hi, lo: lo}
}

// FMA returns x*y + z, without a rounding of its own.
func FMA(x, y, z Num, mode Mode) Num { return Add(Mul(x, y), z, mode) }

// Div returns x / y.
func Div(x, y Num) Num {
	neg := x.neg != y.neg
	switch {
	case x.class == notANumber || y.class == notANumber,
		x.class == infinite && y.class == infinite, x.zero() && y.zero():
		return nan
	case x.class == infinite || y.zero():
		return Num{neg: neg, class: infinite}
	case y.class == infinite || x.zero():
		return Num{neg: neg}
	}
	// x/2 at the top of 128 bits divided by y at the top of 64: a quotient of 63 or 64 bits.
	sx, sy := bits.LeadingZeros64(x.lo), bits.LeadingZeros64(y.lo)
	a, d := x.lo<<sx, y.lo<<sy
	q, r := bits.Div64(a>>1, a<<63, d)
	return Num{neg: neg, exp: x.exp - sx - (y.exp - sy) - 63, lo: q | sticky(r)}
}

// Sqrt returns the square root of x.
func Sqrt(x Num) Num {
	switch {
	case x.class == notANumber || x.zero():
		return x
	case x.neg:
		return nan
	case x.class == infinite:
		return x
	}
	// The leading bit moves to an odd or even position to make the exponent even: the root of 126 or 127 bits has
	// 63 or 64.
	x = x.normal()
	if x.exp&1 != 0 {
		x.hi, x.lo = shl(x.hi, x.lo, 1)
		x.exp--
	}
	r, exact := root(x.hi, x.lo)
	if !exact {
		r |= 1
	}
	return Num{exp: x.exp / 2, lo: r}
}

// root returns the integer square root of hi:lo.
func root(hi, lo uint64) (r uint64, exact bool) {
	for b := 63; b >= 0; b-- {
		t := r | 1<<b
		if h, l := bits.Mul64(t, t); h < hi || h == hi && l <= lo {
			r = t
		}
	}
	h, l := bits.Mul64(r, r)
	return r, h == hi && l == lo
}
