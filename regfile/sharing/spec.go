package sharing

import (
	"cmp"
	"math"

	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Spec configures register sharing. The banks, collectors and the rest of the data plane are those of the
// conventional register file of the same GPU.
type Spec struct {
	Threshold  float64 `toml:"threshold" unit:"-" doc:"share of a CTA's registers that is private, 0 to 1. The rest exists once per pair of CTAs, so sharing is 1 less this. 1: nothing is shared. 0: everything is"`
	Private    string  `toml:"private" unit:"-" doc:"how many of a warp's registers are private. thread: threshold of the registers per thread. literal: threshold of the registers per warp, 32 times as many, as section 4.2 has it word by word; with thresholds above 1/32 none is shared and more registers are used than the file has, so this is a test of the statement and no design"`
	OwnerFirst bool    `toml:"owner_first" unit:"-" doc:"warps of owner CTAs issue before those of unshared CTAs, and these before those of non-owners. The scheduler's policy decides among warps of one kind"`
	Reorder    bool    `toml:"reorder" unit:"-" doc:"registers are numbered by their first use in the program, so that the first used are private"`
	Dynamic    bool    `toml:"dynamic" unit:"-" doc:"memory instructions of non-owner warps issue with a probability that follows the stalls of the SM. Needs at least 2 SMs"`

	Window int     `toml:"window" unit:"cycles" range:"64 to 1048576" doc:"cycles after which an SM compares its cycles without issue with those of SM 0" when:"dynamic=true"`
	Step   float64 `toml:"step" unit:"-" doc:"change of the probability after a window, down or up. A whole number of steps makes 1" when:"dynamic=true"`
	Seed   int     `toml:"seed" unit:"-" doc:"seed of the draws" when:"dynamic=true"`
	Shared bool    `toml:"dynamic_shared" unit:"-" doc:"accesses to shared memory count as memory instructions" when:"dynamic=true"`

	DeadlockRule bool `toml:"deadlock_rule" unit:"-" doc:"a warp takes a lock only while no warp of the partner CTA holds one. Without the rule kernels with barriers can deadlock"`

	base conventional.Spec
}

// How many registers of a warp are private.
const (
	PerThread = "thread"
	Literal   = "literal"
)

// Default returns the values of the paper's sections 5 and 7: 90 % sharing, a window of 1000 cycles, steps of 0.1.
// The optimisations are off; presets switch them on.
func Default() Spec {
	return Spec{Threshold: 0.1, Private: PerThread, Window: 1000, Step: 0.1, Seed: 1, DeadlockRule: true,
		base: conventional.Default()}
}

// SetBase sets the settings of the conventional register file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings.
func (s *Spec) Check() error {
	switch {
	case math.IsNaN(s.Threshold) || s.Threshold < 0 || s.Threshold > 1:
		return spec.Errorf("threshold", s.Threshold, "0 (nothing is a CTA's own) to 1 (nothing is shared)")
	case s.Seed < 0:
		return spec.Errorf("seed", s.Seed, "0 or more")
	case s.levels() == 0:
		return spec.Errorf("step", s.Step, "1 divided by a whole number, 1 to 1000")
	}
	return cmp.Or(spec.Ranges(s), spec.OneOf("private", s.Private, PerThread, Literal))
}

// levels returns the number of steps from a probability of 0 to 1, or 0 if that is not a whole number.
func (s *Spec) levels() int {
	n := math.Round(1 / s.Step)
	if !(n >= 1 && n <= 1000) || math.Abs(n*s.Step-1) > 1e-9 {
		return 0
	}
	return int(n)
}

func (s *Spec) threshold() (threshold, error) { return parseThreshold(s.Threshold) }
