package sharing

import (
	"fmt"

	"kumiko/regfile"
)

// Admit computes how the CTAs of a launch share registers (section 4.1).
func (s *Spec) Admit(l *regfile.Launch) (regfile.Admission, error) {
	t, err := s.threshold()
	if err != nil {
		return regfile.Admission{}, err
	}
	base := min(l.ByRegisters, l.Others)
	p := &plan{unshared: base, warps: l.WarpsPerCTA, private: t.Private(l.Registers)}
	if s.Private == Literal {
		p.private = min(l.Registers, t.Private(32*l.Registers))
	}
	limit := "" // registers, named first where limits tie
	if l.Others < l.ByRegisters {
		limit = l.OthersLimit
	}
	if perCTA := l.WarpsPerCTA * l.Registers; perCTA > 0 {
		p.pairs, p.unshared = t.CTAs(l.Capacity, perCTA, l.ByRegisters, l.Others)
		if p.on() && t.Most(l.Capacity, perCTA, l.ByRegisters) <= l.Others {
			limit = ""
		}
	}
	n := 2*p.pairs + p.unshared
	switch {
	case n < 1:
		return regfile.Admission{}, fmt.Errorf("a CTA needs %d warp registers, an SM has %d", l.WarpsPerCTA*l.Registers,
			l.Capacity)
	case p.on() && l.Active < l.Warps:
		return regfile.Admission{}, fmt.Errorf("a two-level scheduler's %d active warps may all wait for locks of "+
			"warps that find no place among them; expected sched.policy lrr, gto, oldest or fetch-group", l.Active)
	}
	return regfile.Admission{
		Residency: regfile.Residency{Resident: n, Active: n}, Limit: limit,
		Used: t.Used(l.CTARegisters, p.pairs, p.unshared),
		Figures: []regfile.Figure{{Name: "shared_pairs", Doc: "pairs that share registers", Value: p.pairs},
			{Name: "unshared_ctas", Doc: "CTAs with registers of their own", Value: p.unshared}},
		FirstUse: s.Reorder && p.on(), Plan: p,
		Pairs: p.pairs, Second: t.Used(l.CTARegisters, 1, 0) - l.CTARegisters,
	}, nil
}
