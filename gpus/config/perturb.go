package config

import (
	"fmt"
	"maps"
	"slices"

	"kumiko/components/spec"
)

// Perturb varies a run in two respects determined neither by the program nor by the design: the start time of each
// SM, and the memory slices of the data's pages. The spread of results over perturbations is the noise. Smaller
// effects cannot be told from noise.
type Perturb struct {
	Seed        int `toml:"seed" unit:"-" range:"0 to 1073741824" doc:"number of the perturbation; 0: none"`
	StartCycles int `toml:"start_cycles" unit:"cycles" range:"1 to 1048576" doc:"perturbed: in each launch an SM gets its first CTA later by a number of cycles below this" when:"seed!=0"`
}

// PerturbSeed is the key of the perturbation's number.
const PerturbSeed = "perturb.seed"

// Perturbed returns the configuration of a run under the perturbation of the given number, 1 to 2^30. The result
// equals Load's with PerturbSeed as the last setting, in less time. The result shares data with c: neither may be
// changed afterwards.
func (c *Config) Perturbed(seed int) (*Config, error) {
	set, err := setLayer(fmt.Sprintf("%s=%d", PerturbSeed, seed))
	if err != nil {
		return nil, err
	}
	own := *c
	own.layers, own.origins = append(slices.Clone(c.layers), set), maps.Clone(c.origins)
	e := &set.doc.Entries[0]
	own.origins[PerturbSeed] = origin{e.Pos, e.Comment}
	own.Perturb.Seed = seed
	if err := spec.Ranges(&own.Perturb); err != nil {
		return nil, locate(withSection("perturb", err), own.layers)
	}
	own.placePages()
	return &own, nil
}

// placePages passes the perturbation's number to the memory's address map.
func (c *Config) placePages() { c.Mem.Map.Perturb = uint64(max(c.Perturb.Seed, 0)) }
