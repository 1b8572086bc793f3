package config

import (
	"kumiko/components/spec"
)

// Perturb makes a run that differs from the plain one in what no program and no
// design determines: when each SM starts, and which memory slices the data's
// pages lie on. How much results differ between perturbations is the noise in
// which an effect may drown.
type Perturb struct {
	Seed        int `toml:"seed" unit:"-" doc:"number of the perturbation; 0: none"`
	StartCycles int `toml:"start_cycles" unit:"cycles" doc:"perturbed: in each launch an SM gets its first CTA later by a number of cycles below this" when:"seed!=0"`
}

// PerturbSeed is the key of the perturbation's number.
const PerturbSeed = "perturb.seed"

// Check refuses values out of range.
func (p *Perturb) Check() error {
	switch {
	case p.Seed < 0 || p.Seed > 1<<30:
		return spec.Errorf("seed", p.Seed, "0 to %d", 1<<30)
	case p.StartCycles < 1 || p.StartCycles > 1<<20:
		return spec.Errorf("start_cycles", p.StartCycles, "1 to %d", 1<<20)
	}
	return nil
}
