// Package exact rounds exact results to floating-point formats in the most literal way. It searches the format's
// numbers for the neighbours of the result, with rational arithmetic. It is slow, is used by tests only, and shares
// nothing with the arithmetic tested against it.
package exact

import "math/big"

// Format is a binary format with Exp exponent bits and Man mantissa bits.
type Format struct {
	Exp, Man int
	NaN      uint64
}

// The formats of PTX.
var (
	F16  = Format{5, 10, 0x7fff}
	BF16 = Format{8, 7, 0x7fff}
	F32  = Format{8, 23, 0x7fffffff}
	F64  = Format{11, 52, 0x7ff8000000000000}
)

// Mode is a direction: "n" to nearest, ties to even; "z", "m", "p" towards
// zero, minus and plus infinity; "a" to nearest, ties away from zero.
type Mode byte

// Inf returns the pattern of positive infinity, Sign the pattern of the sign bit.
func (f Format) Inf() uint64  { return (1<<f.Exp - 1) << f.Man }
func (f Format) Sign() uint64 { return 1 << (f.Exp + f.Man) }

// IsNaN, IsInf and IsZero classify a pattern.
func (f Format) IsNaN(x uint64) bool  { return x&^f.Sign() > f.Inf() }
func (f Format) IsInf(x uint64) bool  { return x&^f.Sign() == f.Inf() }
func (f Format) IsZero(x uint64) bool { return x&^f.Sign() == 0 }

// Neg reports whether a pattern has the sign.
func (f Format) Neg(x uint64) bool { return x&f.Sign() != 0 }

// Value returns a finite pattern's number. For the pattern of infinity it returns the number after the largest
// finite one.
func (f Format) Value(x uint64) *big.Rat {
	e := int(x >> f.Man & (1<<f.Exp - 1))
	m := int64(x & (1<<f.Man - 1))
	if e > 0 {
		m |= 1 << f.Man
	} else {
		e = 1
	}
	v := new(big.Rat).SetInt64(m)
	scale := e - (1<<(f.Exp-1) - 1) - f.Man
	two := new(big.Int).Lsh(big.NewInt(1), uint(max(scale, -scale)))
	if scale >= 0 {
		v.Mul(v, new(big.Rat).SetInt(two))
	} else {
		v.Quo(v, new(big.Rat).SetInt(two))
	}
	if f.Neg(x) {
		v.Neg(v)
	}
	return v
}

// Round rounds a magnitude and adds the sign neg. cmp returns the sign of r minus the magnitude.
func (f Format) Round(cmp func(r *big.Rat) int, neg bool, mode Mode) uint64 {
	sign := uint64(0)
	if neg {
		sign = f.Sign()
	}
	// The largest finite pattern not above the magnitude.
	lo, hi := uint64(0), f.Inf()
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if cmp(f.Value(mid)) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	if cmp(f.Value(lo)) == 0 {
		return sign | lo
	}
	up := false
	switch mode {
	case 'm':
		up = neg
	case 'p':
		up = !neg
	case 'n', 'a':
		half := new(big.Rat).Add(f.Value(lo), f.Value(lo+1))
		half.Quo(half, big.NewRat(2, 1))
		c := cmp(half)
		up = c < 0 || c == 0 && (mode == 'a' || lo&1 != 0)
	}
	if up {
		lo++
	}
	return sign | lo
}

// RoundRat rounds a nonzero number.
func (f Format) RoundRat(v *big.Rat, mode Mode) uint64 {
	mag := new(big.Rat).Abs(v)
	return f.Round(func(r *big.Rat) int { return r.Cmp(mag) }, v.Sign() < 0, mode)
}

// zero returns the zero result of a sum, given the signs of x and y.
func (f Format) zero(xneg, yneg bool, mode Mode) uint64 {
	if xneg && yneg || xneg != yneg && mode == 'm' {
		return f.Sign()
	}
	return 0
}

// Add returns x + y.
func (f Format) Add(x, y uint64, mode Mode) uint64 {
	switch {
	case f.IsNaN(x) || f.IsNaN(y), f.IsInf(x) && f.IsInf(y) && x != y:
		return f.NaN
	case f.IsInf(x):
		return x
	case f.IsInf(y):
		return y
	}
	s := new(big.Rat).Add(f.Value(x), f.Value(y))
	if s.Sign() == 0 {
		return f.zero(f.Neg(x), f.Neg(y), mode)
	}
	return f.RoundRat(s, mode)
}

// FMA returns x*y + z.
func (f Format) FMA(x, y, z uint64, mode Mode) uint64 {
	neg := f.Neg(x) != f.Neg(y)
	inf := f.IsInf(x) || f.IsInf(y)
	switch {
	case f.IsNaN(x) || f.IsNaN(y) || f.IsNaN(z),
		inf && (f.IsZero(x) || f.IsZero(y)),
		inf && f.IsInf(z) && f.Neg(z) != neg:
		return f.NaN
	case inf && neg:
		return f.Inf() | f.Sign()
	case inf:
		return f.Inf()
	case f.IsInf(z):
		return z
	}
	s := new(big.Rat).Mul(f.Value(x), f.Value(y))
	s.Add(s, f.Value(z))
	if s.Sign() == 0 {
		return f.zero(neg, f.Neg(z), mode)
	}
	return f.RoundRat(s, mode)
}

// Mul returns x * y.
func (f Format) Mul(x, y uint64, mode Mode) uint64 {
	neg := f.Neg(x) != f.Neg(y)
	sign := uint64(0)
	if neg {
		sign = f.Sign()
	}
	switch {
	case f.IsNaN(x) || f.IsNaN(y), f.IsInf(x) && f.IsZero(y), f.IsZero(x) && f.IsInf(y):
		return f.NaN
	case f.IsInf(x) || f.IsInf(y):
		return sign | f.Inf()
	case f.IsZero(x) || f.IsZero(y):
		return sign
	}
	return f.RoundRat(new(big.Rat).Mul(f.Value(x), f.Value(y)), mode)
}

// Div returns x / y.
func (f Format) Div(x, y uint64, mode Mode) uint64 {
	sign := (x ^ y) & f.Sign()
	switch {
	case f.IsNaN(x) || f.IsNaN(y), f.IsInf(x) && f.IsInf(y), f.IsZero(x) && f.IsZero(y):
		return f.NaN
	case f.IsInf(x) || f.IsZero(y):
		return sign | f.Inf()
	case f.IsInf(y) || f.IsZero(x):
		return sign
	}
	return f.RoundRat(new(big.Rat).Quo(f.Value(x), f.Value(y)), mode)
}

// Sqrt returns the square root of x.
func (f Format) Sqrt(x uint64, mode Mode) uint64 {
	switch {
	case f.IsZero(x):
		return x
	case f.IsNaN(x) || f.Neg(x):
		return f.NaN
	case f.IsInf(x):
		return x
	}
	v := f.Value(x)
	return f.Round(func(r *big.Rat) int { return new(big.Rat).Mul(r, r).Cmp(v) }, false, mode)
}

// Convert rounds a pattern of format g to f.
func (f Format) Convert(g Format, x uint64, mode Mode) uint64 {
	sign := uint64(0)
	if g.Neg(x) {
		sign = f.Sign()
	}
	switch {
	case g.IsNaN(x):
		return f.NaN
	case g.IsInf(x):
		return sign | f.Inf()
	case g.IsZero(x):
		return sign
	}
	return f.RoundRat(g.Value(x), mode)
}

// Integer returns a number rounded to an integer.
func Integer(v *big.Rat, mode Mode) *big.Int {
	q, r := new(big.Int).QuoRem(new(big.Int).Abs(v.Num()), v.Denom(), new(big.Int))
	neg := v.Sign() < 0
	twice := new(big.Int).Lsh(r, 1).Cmp(v.Denom())
	up := false
	switch mode {
	case 'm':
		up = neg && r.Sign() != 0
	case 'p':
		up = !neg && r.Sign() != 0
	case 'n':
		up = twice > 0 || twice == 0 && q.Bit(0) != 0
	case 'a':
		up = twice >= 0
	}
	if up {
		q.Add(q, big.NewInt(1))
	}
	if neg {
		q.Neg(q)
	}
	return q
}
