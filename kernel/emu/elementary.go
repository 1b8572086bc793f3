package emu

import (
	"math"
	"math/bits"
)

// Elementary functions of singles, in double precision. They are written out here because the standard library's
// differ in the last bit between machines, and the results must not. For the same reason every product is converted
// explicitly, so the compiler does not fuse it into a multiply-add.

// polynomial evaluates c[0] + c[1] x + c[2] x^2 + ..., the even and the odd terms separately, so a processor works
// on both at once. The number of coefficients is odd.
func polynomial(x float64, c []float64) float64 {
	s := float64(x * x)
	even, odd := c[len(c)-1], 0.0
	for i := len(c) - 3; i >= 0; i -= 2 {
		odd = c[i+1] + float64(odd*s)
		even = c[i] + float64(even*s)
	}
	return even + float64(odd*x)
}

// ex2 returns 2^x: with x = n + f, |f| <= 1/2, the Taylor series of e^(f ln 2), with a truncation error below
// 2^-52.
func ex2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1022:
		return 0
	}
	n := math.RoundToEven(x)
	r := polynomial(float64((x-n)*math.Ln2), expSeries)
	return float64(r * math.Float64frombits(uint64(int64(n)+1023)<<52))
}

var expSeries = []float64{1, 1, 1. / 2, 1. / 6, 1. / 24, 1. / 120, 1. / 720, 1. / 5040, 1. / 40320, 1. / 362880,
	1. / 3628800, 1. / 39916800, 1. / 479001600}

// lg2 returns log2 x: with x = m 2^e, m in [sqrt 1/2, sqrt 2), and s = (m-1)/(m+1), e + 2/ln 2 (s + s^3/3 + s^5/5 +
// ...). |s| < 0.172, so the omitted terms are below 2^-55 of the sum.
func lg2(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	// Singles, even subnormal ones, are normal doubles.
	q := math.Float64bits(x)
	e := int(q>>52) - 1023
	m := math.Float64frombits(q&(1<<52-1) | 1023<<52)
	if m >= math.Sqrt2 {
		m, e = m/2, e+1
	}
	s := (m - 1) / (m + 1)
	p := polynomial(float64(s*s), atanhSeries)
	return float64(e) + float64(float64(s*p)*(2/math.Ln2))
}

var atanhSeries = []float64{1, 1. / 3, 1. / 5, 1. / 7, 1. / 9, 1. / 11, 1. / 13, 1. / 15, 1. / 17, 1. / 19, 1. / 21}

// tanh returns 1 - 2/(e^2x + 1). Near zero this cancels, and tanh uses the series.
func tanh(x float64) float64 {
	switch a := math.Abs(x); {
	case x != x || x == 0:
		return x
	case a < 0.02:
		return float64(x * polynomial(float64(x*x), tanhSeries))
	case a > 20:
		return math.Copysign(1, x)
	}
	return 1 - 2/(ex2(float64(x*(2/math.Ln2)))+1)
}

var tanhSeries = []float64{1, -1. / 3, 2. / 15, -17. / 315, 62. / 2835}

// sin and cos reduce to |r| <= pi/4 and a quadrant, and use the Taylor series, with a truncation error below 2^-56.
func sin(x float64) float64 {
	if x == 0 {
		return x
	}
	r, quadrant := reduce(x)
	return circular(r, quadrant)
}

func cos(x float64) float64 {
	r, quadrant := reduce(x)
	return circular(r, quadrant+1)
}

func circular(r float64, quadrant uint64) float64 {
	if r != r {
		return r
	}
	s := float64(r * r)
	v := 0.0
	if quadrant&1 == 0 {
		v = float64(r * polynomial(s, sinSeries))
	} else {
		v = polynomial(s, cosSeries)
	}
	if quadrant&2 != 0 {
		v = -v
	}
	return v
}

var sinSeries = []float64{1, -1. / 6, 1. / 120, -1. / 5040, 1. / 362880, -1. / 39916800, 1. / 6227020800,
	-1. / 1307674368000, 1. / 355687428096000}

var cosSeries = []float64{1, -1. / 2, 1. / 24, -1. / 720, 1. / 40320, -1. / 3628800, 1. / 479001600,
	-1. / 87178291200, 1. / 20922789888000}

// pi/2 in three parts of 26, 26 and 53 bits.
const (
	halfPi1 = 0x1.921fb5p+0
	halfPi2 = 0x1.110b46p-26
	halfPi3 = 0x1.1a62633145c07p-54
)

// twoOverPi holds the bits of 2/pi after the binary point.
var twoOverPi = [...]uint64{0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
	0xb7246e3a424dd2e0}

// reduce returns x - k pi/2 and k modulo 4, for a single x.
func reduce(x float64) (r float64, k uint64) {
	a := math.Abs(x)
	switch {
	case x != x || math.IsInf(x, 0):
		return math.NaN(), 0
	case a < 1<<26:
		// Cody and Waite: k has at most 26 bits, so the first two products are exact.
		n := math.RoundToEven(float64(x * (2 / math.Pi)))
		r = x - float64(n*halfPi1)
		r -= float64(n * halfPi2)
		r -= float64(n * halfPi3)
		return r, uint64(int64(n))
	}
	// Payne and Hanek: x = m 2^e with 24-bit m and e >= 3. 126 bits behind the point of x 2/pi, modulo 4, are
	// computed.
	q := math.Float64bits(a)
	e := int(q>>52) - 1023 - 23
	m := q>>29&(1<<23-1) | 1<<23
	hi, lo := window128(e - 2)
	carry, low := bits.Mul64(m, lo)
	high := m*hi + carry
	// Round to the nearest quadrant; the rest is a signed fraction of 2^128 = 4 quadrants.
	k = (high + 1<<61) >> 62
	high -= k << 62
	f := float64(int64(high)) + float64(low)*0x1p-64
	r = float64(float64(f*0x1p-62) * (math.Pi / 2))
	if x < 0 {
		return -r, -k
	}
	return r, k
}

// window128 returns 128 bits of 2/pi, beginning with bit number first after the point, counted from 0.
func window128(first int) (hi, lo uint64) {
	i, s := first/64, uint(first%64)
	w := twoOverPi[i : i+3]
	return w[0]<<s | w[1]>>(64-s), w[1]<<s | w[2]>>(64-s)
}
