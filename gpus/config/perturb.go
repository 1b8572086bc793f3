package config

import (
	"fmt"
	"maps"
	"slices"

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

// Perturbed returns the configuration of a run under the perturbation with a number, 1 to 2^30. The configuration is
// that of Load with PerturbSeed as the last setting, and takes less time. The configuration shares data with c, so that
// neither may be changed afterwards.
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
	if err := own.Perturb.Check(); err != nil {
		return nil, locate(whole("perturb", err), own.layers)
	}
	own.placePages()
	return &own, nil
}

// placePages has the memory's map follow the number of the perturbation.
func (c *Config) placePages() { c.Mem.Map.Perturb = uint64(max(c.Perturb.Seed, 0)) }
