package scalar

import (
	"kumiko/components/bank"
	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Spec configures a scalar file beside a conventional file.
type Spec struct {
	Affine  bool `toml:"affine" unit:"-" doc:"values with a constant stride from lane to lane are kept too, not only equal ones"`
	Entries int  `toml:"entries" unit:"registers per warp" range:"0 to 256" doc:"registers of a warp that the scalar file can have at once. 0: all"`
	Reads   int  `toml:"reads" unit:"registers per cycle" range:"1 to 16" doc:"operands that the scalar file of a sub-core gives in a cycle"`

	base conventional.Spec
}

// Default returns a scalar file with a place for every register, as the tags of Collange et al. are of every register.
// Only the abstract of the paper was at hand; the ports are as many as a collector's request can use.
func Default() Spec {
	return Spec{Affine: true, Reads: bank.MaxReads, base: conventional.Default()}
}

// SetBase sets the settings of the main file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses an impossible scalar file.
func (s *Spec) Check() error { return spec.Ranges(s) }
