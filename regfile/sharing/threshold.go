package sharing

import (
	"fmt"
	"math/big"
	"strconv"
)

// threshold is the private part of a CTA's registers, 0 to 1. The rest exists once per pair. Its methods are equations
// 1 to 4 of section 4.1: the number of CTAs held by an SM when some share registers in pairs, and the private registers
// of a warp. They compute in exact fractions, so that a whole quotient is never rounded down because of an error in the
// last bit. The zero value is not valid: see parseThreshold.
type threshold struct{ t *big.Rat }

// parseThreshold returns the threshold with the exact decimal value written by the user, not the nearest binary
// fraction. It returns an error unless t is in 0 to 1.
func parseThreshold(t float64) (threshold, error) {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(t, 'g', -1, 64))
	if !ok || t < 0 || t > 1 {
		return threshold{}, fmt.Errorf("sharing threshold %v: expected 0 to 1", t)
	}
	return threshold{r}, nil
}

// CTAs returns the number of pairs of CTAs held by an SM, and the number of unshared CTAs beside them. capacity is the
// SM's registers. perCTA is the registers of a CTA (more than 0, in the same unit). base is the number of CTAs
// permitted by the registers without sharing. others bounds all CTAs by the other limits.
//
// With U unshared CTAs and S pairs, R = capacity and r = perCTA: U + S = base and U*r + S*r*(1+t) <= R, so U + 2S is at
// most (R - base*r*(1-t)) / (t*r), rounded down (equation 4). Because of U >= 0 it is also at most 2*base, the only
// bound when t is 0. When it is no more than base, nothing is shared.
func (t threshold) CTAs(capacity, perCTA, base, others int) (pairs, unshared int) {
	n := min(t.Most(capacity, perCTA, base), others)
	if n <= base {
		return 0, min(base, others)
	}
	return n - base, 2*base - n
}

// Most returns the number of CTAs permitted by the registers alone: equation 4, and no more than two for each CTA
// without sharing.
func (t threshold) Most(capacity, perCTA, base int) int {
	if t.t.Sign() == 0 {
		return 2 * base
	}
	kept := new(big.Rat).Sub(rat(1), t.t)
	kept.Mul(kept, rat(base*perCTA))
	m := kept.Sub(rat(capacity), kept)
	m.Quo(m, new(big.Rat).Mul(t.t, rat(perCTA)))
	return min(floor(m), 2*base)
}

// Private returns the number of private registers of a warp. A register is private if its number, counted from 1,
// is at most t times the number of registers (section 4).
func (t threshold) Private(registers int) int {
	return floor(new(big.Rat).Mul(t.t, rat(registers)))
}

// Used returns the registers used by pairs and unshared CTAs, rounded up to whole registers.
func (t threshold) Used(perCTA, pairs, unshared int) int {
	n := new(big.Rat).Add(rat(1), t.t)
	n.Mul(n, rat(pairs))
	n.Add(n, rat(unshared))
	n.Mul(n, rat(perCTA))
	used := floor(n)
	if !n.IsInt() {
		used++
	}
	return used
}

func rat(n int) *big.Rat { return big.NewRat(int64(n), 1) }

// floor rounds down a non-negative value.
func floor(r *big.Rat) int { return int(new(big.Int).Quo(r.Num(), r.Denom()).Int64()) }
