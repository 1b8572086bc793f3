package gpus

import (
	"fmt"

	"kumiko/kernel/ir"
	"kumiko/regfile"
	"kumiko/sm/occupancy"
)

// warpSize is the number of 32-bit registers of a warp register.
const warpSize = 32

// resident is how many CTAs of a launch an SM may hold: what the rules of
// occupancy allow or, with a register file that decides on admission, what that
// says. Every SM's is asked, and they must agree.
func (m *machine) resident(k *ir.Kernel, cta occupancy.CTA) (int, error) {
	if _, ok := m.sms[0].Regfile.(regfile.Admission); !ok {
		fit, err := m.occupancy.Of(capacityOf(m.spec), cta)
		if err != nil {
			return 0, fmt.Errorf("kernel %s: %w", k.Name, err)
		}
		return fit.CTAs, nil
	}
	others, err := m.occupancy.Others(capacityOf(m.spec), cta)
	if err != nil {
		return 0, fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	l := regfile.Launch{Kernel: k, WarpsPerCTA: occupancy.Warps(cta.Threads), Registers: m.occupancy.WarpRegisters(cta.Registers),
		SharedBytes: cta.SharedBytes, Capacity: m.spec.Registers / warpSize, Others: others.CTAs, ByRegisters: m.occupancy.ByRegisters(m.spec.Registers, cta)}
	var first regfile.Residency
	for i, s := range m.sms {
		r, err := s.Regfile.(regfile.Admission).Admit(l)
		if err != nil {
			return 0, fmt.Errorf("kernel %s: register file %s: %w", k.Name, m.design, err)
		}
		if i > 0 && r != first {
			return 0, fmt.Errorf("internal error: kernel %s: register file %s admits %+v to SM 0 and %+v to SM %d", k.Name, m.design, first, r, i)
		}
		first = r
	}
	return first.Resident, m.admissible(k, first, others)
}

// admissible refuses what an SM cannot do.
func (m *machine) admissible(k *ir.Kernel, r regfile.Residency, others occupancy.Result) error {
	switch {
	case r.Resident < 1 || r.Resident > others.CTAs:
		return fmt.Errorf("internal error: kernel %s: register file %s admits %d CTAs to an SM that has room for 1 to %d (%s)",
			k.Name, m.design, r.Resident, others.CTAs, others.Limit)
	case r.Active != r.Resident:
		return fmt.Errorf("kernel %s: register file %s keeps %d of %d resident CTAs active: this GPU does not switch CTAs", k.Name, m.design, r.Active, r.Resident)
	}
	return nil
}
