package softfloat

// Integral returns n rounded to an integer, in the given direction. A zero keeps n's sign. The result is exact, and
// n itself for numbers of 2^63 and above.
func Integral(n Num, mode Mode) Num {
	if n.class != finite || n.hi|n.lo == 0 || n.exp >= 0 {
		return n
	}
	q, half, rest := shiftOut(n.hi, n.lo, -n.exp)
	if roundsUp(mode, n.neg, q&1 != 0, half, rest) {
		q++
	}
	return Num{neg: n.neg, lo: q}
}

// Magnitude returns the absolute value of an integral number, and whether it fits 64 bits.
func (n Num) Magnitude() (v uint64, ok bool) {
	switch {
	case n.class != finite:
		return 0, false
	case n.lo == 0 && n.hi == 0:
		return 0, true
	case n.hi != 0 || n.exp+length(0, n.lo) > 64:
		return 0, false
	case n.exp < 0:
		return n.lo >> -n.exp, true
	}
	return n.lo << n.exp, true
}

// Negative reports whether n has a negative sign, including zero and infinity.
func (n Num) Negative() bool { return n.neg }
