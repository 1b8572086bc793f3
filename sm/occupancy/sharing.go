package occupancy

import "kumiko/regfile/sharing/pairing"

// OfShared is the number of CTAs that fit on an SM whose CTAs may share
// registers in pairs (Jatala et al., section 4.1, equations 1 to 4): of each
// CTA's registers the fraction threshold is its own, the rest exists once per
// pair; see package pairing.
//
// threshold is in 0 to 1; 1 shares nothing, and at 0 nothing is a CTA's own.
func (s *Spec) OfShared(sm SM, c CTA, threshold float64) (Result, error) {
	t, err := pairing.Parse(threshold)
	if err != nil {
		return Result{}, err
	}
	base, err := s.Of(sm, c)
	if err != nil {
		return Result{}, err
	}
	perCTA := s.CTARegisters(c.Threads, c.Registers)
	if perCTA == 0 {
		return base, nil
	}
	g := s.byRegisters(sm.Registers, c.Threads, c.Registers)
	whole := sm.Registers / warpSize * warpSize // a warp's registers are given as warp registers
	n, limit := least(t.Most(whole, perCTA, g), s.others(sm, c))
	pairs, unshared := t.CTAs(whole, perCTA, g, n)
	if pairs == 0 {
		return base, nil
	}
	return Result{CTAs: n, Limit: limit, SharedPairs: pairs, UnsharedCTAs: unshared, RegistersUnused: sm.Registers - t.Used(perCTA, pairs, unshared)}, nil
}
