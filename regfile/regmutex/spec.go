package regmutex

import (
	"math"

	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Spec configures RegMutex. The banks, collectors and the rest of the data plane are those of the conventional
// register file of the same GPU.
type Spec struct {
	Base float64 `toml:"base" unit:"-" doc:"share of a warp's registers in its base set, above 0 to 1, rounded up to whole registers. The set is enlarged where a barrier would be executed with a section held. 1: nothing is shared"`
	Pool float64 `toml:"pool" unit:"-" doc:"share of the register file that forms the pool of sections, 0 to 1. The pool has at least one section for each sub-core, and also gets the registers that the base sets of the resident CTAs leave"`

	base conventional.Spec
}

// Default returns a pool of the best average size according to FineReg (section VI). The base set is half of the
// registers; FineReg sweeps it for each application.
func Default() Spec { return Spec{Base: 0.5, Pool: 0.281, base: conventional.Default()} }

// SetBase sets the settings of the conventional register file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings.
func (s *Spec) Check() error {
	switch {
	case math.IsNaN(s.Base) || s.Base <= 0 || s.Base > 1:
		return spec.Errorf("base", s.Base, "above 0 to 1 (nothing is shared)")
	case math.IsNaN(s.Pool) || s.Pool < 0 || s.Pool >= 1:
		return spec.Errorf("pool", s.Pool, "0 to below 1")
	}
	return nil
}

// ownRegisters returns the number of a warp's own registers out of the given number, before barriers are considered.
func (s *Spec) ownRegisters(registers int) int { return int(math.Ceil(s.Base * float64(registers))) }
