package occupancy

import (
	"fmt"
	"math/big"
	"strconv"
)

// OfShared is the number of CTAs that fit on an SM whose CTAs may share
// registers in pairs (Jatala et al., section 4.1, equations 1 to 4): of each
// CTA's registers the fraction threshold is its own, the rest exists once per
// pair.
//
// With g CTAs held without sharing, U of them unshared and S pairs:
// U + S = g and U*r + S*r*(1+t) <= R, so that M = U + 2S is at most
// (R - g*r*(1-t)) / (t*r), rounded down. U >= 0 makes M <= 2g. When another
// limit allows no more than g, nothing is shared.
//
// threshold is in (0, 1]; 1 shares nothing.
func (s *Spec) OfShared(sm SM, c CTA, threshold float64) (Result, error) {
	t, err := fraction(threshold)
	if err != nil {
		return Result{}, err
	}
	base, err := s.Of(sm, c)
	if err != nil {
		return Result{}, err
	}
	perCTA := s.CTARegisters(c.Threads, c.Registers)
	g := s.byRegisters(sm.Registers, c.Threads, c.Registers)
	if perCTA == 0 || base.CTAs < g {
		return base, nil
	}
	n, limit := least(min(pairedCTAs(sm.Registers, g, perCTA, t), 2*g), s.others(sm, c))
	if n <= g {
		return base, nil
	}
	pairs := n - g
	return Result{
		CTAs: n, Limit: limit, SharedPairs: pairs, UnsharedCTAs: 2*g - n,
		RegistersUnused: sm.Registers - ceil(usedRegisters(perCTA, pairs, 2*g-n, t)),
	}, nil
}

// fraction is the decimal that a user wrote, not the nearest binary one: with
// 0.1 a rounding error could otherwise cost a CTA where the quotient is whole.
func fraction(t float64) (*big.Rat, error) {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(t, 'g', -1, 64))
	if !ok || t <= 0 || t > 1 {
		return nil, fmt.Errorf("sharing threshold %v: expected more than 0 and at most 1", t)
	}
	return r, nil
}

// pairedCTAs is equation 4's bound M.
func pairedCTAs(registers, g, perCTA int, t *big.Rat) int {
	one := big.NewRat(1, 1)
	kept := new(big.Rat).Mul(rat(g*perCTA), new(big.Rat).Sub(one, t))
	m := new(big.Rat).Sub(rat(registers), kept)
	m.Quo(m, new(big.Rat).Mul(t, rat(perCTA)))
	return floor(m)
}

func usedRegisters(perCTA, pairs, unshared int, t *big.Rat) *big.Rat {
	ctas := new(big.Rat).Add(big.NewRat(1, 1), t)
	ctas.Mul(ctas, rat(pairs))
	ctas.Add(ctas, rat(unshared))
	return ctas.Mul(ctas, rat(perCTA))
}

func rat(n int) *big.Rat { return big.NewRat(int64(n), 1) }

// floor and ceil are of values that are not negative.
func floor(r *big.Rat) int { return int(new(big.Int).Quo(r.Num(), r.Denom()).Int64()) }

func ceil(r *big.Rat) int {
	n := floor(r)
	if !r.IsInt() {
		n++
	}
	return n
}
