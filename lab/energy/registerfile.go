package energy

import (
	"fmt"
	"math"

	"kumiko/gpus/energy"
	"kumiko/study/query"
)

func init() {
	query.Register(query.Function{Name: "rf_energy", Args: "variant, base, benchmark",
		Doc: "energy of the accesses of the register file, caches and windows in front of it among them, over a " +
			"baseline's; by Gebhart et al., tables 2 and 3, without tags and control",
		Bind: func(c *query.Context) any { return timed{c}.registerFile }})
	query.Register(query.Function{Name: "rf_energy_part", Args: "variant, base, benchmark, part",
		Doc: fmt.Sprintf("a part of rf_energy: %s, %s, %s, %s or %s", energy.MainFile, energy.FileCache, energy.Pending,
			energy.Scalars, energy.Adders),
		Bind: func(c *query.Context) any { return timed{c}.registerFilePart }})
}

func (t timed) registerFile(variant, base, benchmark string) (float64, error) {
	parts, err := t.registerFileParts(variant, base, benchmark)
	if parts == nil {
		return math.NaN(), err
	}
	return energy.Total(parts), nil
}

func (t timed) registerFilePart(variant, base, benchmark, part string) (float64, error) {
	parts, err := t.registerFileParts(variant, base, benchmark)
	if parts == nil {
		return math.NaN(), err
	}
	v, ok := parts[part]
	if !ok {
		return 0, fmt.Errorf("rf_energy has no part %q; expected %s, %s, %s, %s or %s", part, energy.MainFile,
			energy.FileCache, energy.Pending, energy.Scalars, energy.Adders)
	}
	return v, nil
}

func (t timed) registerFileParts(variant, base, benchmark string) (map[string]float64, error) {
	run, ref, err := t.both(variant, base, benchmark)
	if run == nil {
		return nil, err
	}
	all := energy.Total(energy.RegisterFile(ref))
	if all == 0 {
		return nil, fmt.Errorf("variant %s on %s: no accesses of the register file", base, benchmark)
	}
	out := energy.RegisterFile(run)
	for part := range out {
		out[part] /= all
	}
	return out, nil
}
