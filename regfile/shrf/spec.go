package shrf

import (
	"cmp"

	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Spec configures a compiler-managed upper level.
type Spec struct {
	Entries    int `toml:"entries" unit:"registers per warp" doc:"entries of an active warp in the upper level"`
	Reads      int `toml:"reads" unit:"registers per cycle" doc:"read ports of a sub-core's upper level"`
	Writes     int `toml:"writes" unit:"registers per cycle" doc:"write ports of a sub-core's upper level"`
	FlushWidth int `toml:"flush_width" unit:"registers per cycle" doc:"registers written back per cycle when a warp leaves a strand before its end"`

	base conventional.Spec
}

// Default returns an upper level of the size of LTRF's cache, 16 registers for each active warp (Sadrosadati et
// al., ASPLOS 2018, table 3). The ports of a sub-core are those of Gebhart et al., ISCA 2011, section 3.1. Neither
// paper gives the ports of such a level.
func Default() Spec {
	return Spec{Entries: 16, Reads: 3, Writes: 1, FlushWidth: 1, base: conventional.Default()}
}

// SetBase sets the settings of the main file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings of an upper level, as far as they can be judged without
// the SM.
func (s *Spec) Check() error {
	return cmp.Or(spec.InRange("entries", s.Entries, 1, 256), spec.InRange("reads", s.Reads, 1, 64),
		spec.InRange("writes", s.Writes, 1, 64), spec.InRange("flush_width", s.FlushWidth, 1, 64))
}
