package gpus

import (
	"kumiko/components/splitmix"
	"kumiko/components/wire"
	"kumiko/gpus/config"
)

// starts is when each SM may have its first CTA of a launch under a perturbation; nil: at once.
func starts(p *config.Perturb, begin wire.Cycle, launch, sms int) []wire.Cycle {
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
