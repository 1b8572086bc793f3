package shrf

import (
	"kumiko/components/spec"
	"kumiko/regfile/conventional"
)

// Spec configures a compiler-managed upper level.
type Spec struct {
	Entries    int `toml:"entries" unit:"registers per warp" default:"16" range:"1 to 256" doc:"entries of an active warp in the upper level"`
	Reads      int `toml:"reads" unit:"registers per cycle" default:"3" range:"1 to 64" doc:"read ports of a sub-core's upper level"`
	Writes     int `toml:"writes" unit:"registers per cycle" default:"1" range:"1 to 64" doc:"write ports of a sub-core's upper level"`
	FlushWidth int `toml:"flush_width" unit:"registers per cycle" default:"1" range:"1 to 64" doc:"registers written back per cycle when a warp leaves a strand before its end"`

	base conventional.Spec
}

// Default returns an upper level of the size of LTRF's cache, 16 registers for each active warp (Sadrosadati et
// al., ASPLOS 2018, table 3). The ports of a sub-core are those of Gebhart et al., ISCA 2011, section 3.1. Neither
// paper gives the ports of such a level.
func Default() Spec {
	s := Spec{base: conventional.Default()}
	spec.Defaults(&s)
	return s
}

// SetBase sets the settings of the main file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible settings of an upper level, as far as they can be judged without
// the SM.
func (s *Spec) Check() error {
	return spec.Ranges(s)
}
