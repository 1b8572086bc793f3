package malekeh

import (
	"cmp"

	"kumiko/components/spec"
	"kumiko/kernel/ir"
	"kumiko/regfile/conventional"
)

// Spec configures cache collector units before a conventional file.
type Spec struct {
	Units   int    `toml:"units" unit:"units per sub-core" range:"1 to 64" doc:"cache collector units. Each belongs to one warp at a time"`
	Entries int    `toml:"entries" unit:"registers per unit" range:"1 to 256" doc:"registers that a unit holds"`
	Hints   string `toml:"hints" unit:"-" doc:"what the compiler says of each operand and result. distance: the instructions to its next read. bit: whether these are at most near"`
	Near    int    `toml:"near" unit:"instructions" doc:"a value that is read again within so many instructions is near. A unit with near values is not taken from its warp before the wait is over"`
	Wait    int    `toml:"wait" unit:"cycles" range:"0 to 1048576" doc:"while all units of a sub-core have near values, warps without a unit issue only after so many cycles without an issue. 0: always"`
	Writes  string `toml:"writes" unit:"-" doc:"results that take an entry in the unit of their warp. all, or near: those that are near. Every result goes to the banks too"`
	Prefer  bool   `toml:"prefer" unit:"-" doc:"schedulers prefer warps that have a unit"`

	base conventional.Spec
}

// Names of hints and of results that take entries.
const (
	Distance = "distance"
	Bit      = "bit"
	All      = "all"
	Near     = "near"
)

// Default returns the units of the authors' simulator (github.com/upc-arco/accel-sim-framework, branch stallthresh,
// commit 9e181d0, paths below gpu-simulator/gpgpu-sim). Its file configs/tested-cfgs/SM7_QV100_RFCache/gpgpusim.config
// has eight units for the four schedulers of an SM, six entries, and a scheduler that prefers warps with a unit.
// The distances are from liveness_analyzer/src/warp_reuse_distance.cc of the repository. The threshold of 10
// instructions is from src/gpgpu-sim/rfwithcache.cc, where every result takes an entry. The paper adapts the wait to
// the program. The paper's rules could not be read, so there is no wait.
func Default() Spec {
	return Spec{Units: 2, Entries: 6, Hints: Distance, Near: 10, Writes: All, Prefer: true,
		base: conventional.Default()}
}

// SetBase sets the settings of the main file.
func (s *Spec) SetBase(base *conventional.Spec) { s.base = *base }

// Check refuses impossible units.
func (s *Spec) Check() error {
	return cmp.Or(spec.Ranges(s), spec.OneOf("hints", s.Hints, Distance, Bit),
		spec.InRange("near", s.Near, 1, ir.MaxNext-1), spec.OneOf("writes", s.Writes, All, Near))
}
