package gpus

import (
	"kumiko/components/spec"
	"kumiko/components/splitmix"
	"kumiko/components/wire"
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

// starts is when each SM may have its first CTA of a launch; nil: at once.
func (p *Perturb) starts(begin wire.Cycle, launch, sms int) []wire.Cycle {
	if p.Seed == 0 {
		return nil
	}
	out := make([]wire.Cycle, sms)
	for i := range out {
		h := splitmix.Of(uint64(p.Seed)<<40 ^ uint64(launch)<<16 ^ uint64(i))
		out[i] = begin + h%uint64(p.StartCycles)
	}
	return out
}
