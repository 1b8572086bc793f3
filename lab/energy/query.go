package energy

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"kumiko/gpus/energy"
	"kumiko/gpus/result"
	"kumiko/study/query"
	"kumiko/study/streams"
)

func init() {
	for _, f := range slices.Concat(ofCaches, ofTechnologies, ofGPUs) {
		query.Register(f)
	}
	// The tables of energies name statistics of all blocks.
	for _, f := range []string{"rfc_energy_run", "gpu_energy", "gpu_energy_part", "cerf_energy", "cerf_energy_part",
		"rf_energy", "rf_energy_part"} {
		query.Names(f, "")
	}
}

// ofCaches are the functions of Gebhart's register file cache.
var ofCaches = []query.Function{
	{Name: "rfc_energy", Args: "stream, benchmark, cache, active, main_mm, cache_mm",
		Doc: "energy of the register file with a register file cache (its path in the stream, such as " +
			"caches.fifo.bypass.flush.live.6) for this many active warps, over the energy with all accesses in " +
			"the main file; counts accesses with an active lane",
		Bind: func(c *query.Context) any { return relative(c, false).total }},
	{Name: "rfc_energy_full", Args: "stream, benchmark, cache, active, main_mm, cache_mm",
		Doc:  "rfc_energy, if every access were of all lanes",
		Bind: func(c *query.Context) any { return relative(c, true).total }},
	{Name: "rfc_energy_part", Args: "stream, benchmark, cache, active, main_mm, cache_mm, part",
		Doc:  "a part of rfc_energy: main_array, main_wire, cache_array or cache_wire",
		Bind: func(c *query.Context) any { return relative(c, false).part }},
	{Name: "rfc_energy_run", Args: "variant, base, benchmark, entries, active, main_mm, cache_mm",
		Doc: "energy of the main file and the register file cache in a timed run, over that of a baseline run's " +
			"main file",
		Bind: func(c *query.Context) any { return timed{c}.relative }},
	{Name: "rfc_ideal_saving", Args: "entries, active, reads_per_write",
		Doc:  "the saving if the cache served all accesses and wires cost nothing",
		Bind: func(*query.Context) any { return ideal }},
	{Name: "rfc_reads_per_write", Args: "entries, active, saving",
		Doc:  "the reads per write at which rfc_ideal_saving equals the saving",
		Bind: func(*query.Context) any { return impliedReads }},
	{Name: "wire_energy", Args: "activity",
		Doc:  "pJ of 32 wires over 1 mm, from capacitance, voltage and activity; activity 0: as printed",
		Bind: func(*query.Context) any { return wireEnergy }},
	{Name: "chip_power", Args: "step, saving",
		Doc: "a step of the computation of the share of chip power that a saving of register-file energy is: " +
			"chip, dynamic, sm, rf, saved, chip_saved, sm_share, dynamic_share",
		Bind: func(*query.Context) any { return energy.OfGebhart().Chip.Link }},
}

// ofTechnologies are the functions of LTRF's technologies of the main file.
var ofTechnologies = []query.Function{
	{Name: "ltrf_factor", Args: "configuration, column",
		Doc: "a column of LTRF's table of technologies: banks, bank, capacity, area, power, latency, " +
			"capacity_per_area, capacity_per_power",
		Bind: func(*query.Context) any { return ltrfFactor }},
	{Name: "ltrf_power", Args: "configuration, leakage, accesses",
		Doc: "power of a technology's main file relative to the first technology's; leakage is a share of it, " +
			"and the rest is proportional to the accesses",
		Bind: func(*query.Context) any { return ltrfPower }},
	{Name: "ltrf_fit", Args: "parameter, m1, k1, p1, m7, k7, p7",
		Doc: "leakage (share of the main file's power) or cache (energy of a cache access) at which LTRF has " +
			"the powers p1 and p7 on technologies 1 and 7, with m times the accesses of the main file and k " +
			"times as many of the cache",
		Bind: func(*query.Context) any { return energy.OfLTRF().Fitted }},
}

// ofGPUs are the functions of the energy of a whole GPU.
var ofGPUs = []query.Function{
	{Name: "gpu_energy", Args: "variant, base, benchmark, leakage",
		Doc:  "activity energy of the whole GPU, with a share of leakage, over a baseline's",
		Bind: func(c *query.Context) any { return timed{c}.total }},
	{Name: "gpu_energy_part", Args: "variant, base, benchmark, leakage, part",
		Doc:  "a part of gpu_energy: " + strings.Join(energy.OfGPU().Names(), ", ") + " or leakage",
		Bind: func(c *query.Context) any { return timed{c}.wholePart }},
	{Name: "cerf_energy", Args: "variant, base, benchmark, banks",
		Doc: "energy of register file, L1 and L2, or of the array that is the first two, by CERF's table III " +
			"with leakage, over a baseline's; an access of the L1 touches this many banks, 32 or 8",
		Bind: func(c *query.Context) any { return timed{c}.cerf }},
	{Name: "cerf_energy_part", Args: "variant, base, benchmark, banks, part",
		Doc: "a part of cerf_energy: " + strings.Join(energy.OfCERF().Parts(), ", ") +
			"; all except leakage are proportional to accesses",
		Bind: func(c *query.Context) any { return timed{c}.cerfPart }},
}

// relative returns the energies of a stream's register file caches.
func relative(c *query.Context, full bool) *streamEnergy { return &streamEnergy{c, full} }

type streamEnergy struct {
	*query.Context
	full bool
}

func (s *streamEnergy) total(stream, benchmark, cache string, active, mainMM, cacheMM float64) (float64, error) {
	b, err := s.breakdown(stream, benchmark, cache, active, mainMM, cacheMM)
	return b.Total(), err
}

func (s *streamEnergy) part(stream, benchmark, cache string, active, mainMM, cacheMM float64, part string) (float64,
	error) {
	b, err := s.breakdown(stream, benchmark, cache, active, mainMM, cacheMM)
	if err != nil {
		return 0, err
	}
	switch part {
	case "main_array":
		return b.MainArray, nil
	case "main_wire":
		return b.MainWire, nil
	case "cache_array":
		return b.CacheArray, nil
	case "cache_wire":
		return b.CacheWire, nil
	}
	return 0, fmt.Errorf("rfc_energy has no part %q; expected main_array, main_wire, cache_array or cache_wire", part)
}

func (s *streamEnergy) breakdown(stream, benchmark, path string, active, mainMM, cacheMM float64) (energy.Breakdown,
	error) {
	nan := math.NaN()
	cfg, live, err := streams.ParseConfig(path)
	if err != nil {
		return energy.Breakdown{}, err
	}
	g := energy.OfGebhart()
	cache, err := cacheOf(float64(cfg.Entries), active)
	if err != nil {
		return energy.Breakdown{}, err
	}
	tree, err := s.Stream(stream, benchmark)
	if tree == nil {
		return energy.Breakdown{MainArray: nan, MainWire: nan, CacheArray: nan, CacheWire: nan}, err
	}
	lane, times := ".lane", 1.0
	if s.full {
		lane, times = "", 8
	}
	var fail error
	at := func(path string) float64 {
		v, err := dig(tree, path)
		if err != nil && fail == nil {
			fail = fmt.Errorf("stream %s of %s: %w", stream, benchmark, err)
		}
		return v * times
	}
	p := cfg.Path(live) + lane
	a := energy.Accesses{MainReads: at(p + ".main_reads"), MainWrites: at(p + ".main_writes"),
		CacheReads: at(p + ".cache_reads"), CacheWrites: at(p + ".cache_writes")}
	out := g.Relative(a, at("operands"+lane+".reads"), at("operands"+lane+".writes"), cache,
		energy.Distances{Main: mainMM, Cache: cacheMM})
	return out, fail
}

// dig finds a number in a decoded tree.
func dig(tree any, path string) (float64, error) {
	for _, name := range strings.Split(path, ".") {
		level, ok := tree.(map[string]any)
		if !ok || level[name] == nil {
			return 0, fmt.Errorf("no %s (%s)", name, path)
		}
		tree = level[name]
	}
	v, ok := tree.(float64)
	if !ok {
		return 0, fmt.Errorf("%s is no number", path)
	}
	return v, nil
}

// timed evaluates energies of timed runs.
type timed struct{ *query.Context }

// both returns two runs. If one is missing, it returns nil and records it as missing.
func (t timed) both(variant, base, benchmark string) (run, ref *result.Result, err error) {
	if run, err = t.Counted(variant, benchmark); err != nil {
		return nil, nil, err
	}
	if ref, err = t.Counted(base, benchmark); err != nil || run == nil || ref == nil {
		return nil, nil, err
	}
	return run, ref, nil
}

func (t timed) relative(variant, base, benchmark string, entries, active, mainMM, cacheMM float64) (float64, error) {
	g := energy.OfGebhart()
	cache, err := cacheOf(entries, active)
	if err != nil {
		return 0, err
	}
	run, ref, err := t.both(variant, base, benchmark)
	if run == nil {
		return math.NaN(), err
	}
	d := energy.Distances{Main: mainMM, Cache: cacheMM}
	all := g.Energy(g.AccessesOf(ref), nil, d).Total()
	if all == 0 {
		return 0, fmt.Errorf("variant %s on %s: no accesses of the main file", base, benchmark)
	}
	return g.Energy(g.AccessesOf(run), cache, d).Total() / all, nil
}

func (t timed) shares(variant, base, benchmark string, leakage float64) (map[string]float64, error) {
	run, ref, err := t.both(variant, base, benchmark)
	if run == nil {
		return nil, err
	}
	return energy.OfGPU().Shares(run, ref, leakage)
}

func (t timed) total(variant, base, benchmark string, leakage float64) (float64, error) {
	parts, err := t.shares(variant, base, benchmark, leakage)
	if parts == nil {
		return math.NaN(), err
	}
	return energy.Total(parts), nil
}

func (t timed) wholePart(variant, base, benchmark string, leakage float64, part string) (float64, error) {
	parts, err := t.shares(variant, base, benchmark, leakage)
	if parts == nil {
		return math.NaN(), err
	}
	v, ok := parts[part]
	if !ok {
		return 0, fmt.Errorf("gpu_energy has no part %q; expected one of %s, leakage", part,
			strings.Join(energy.OfGPU().Names(), ", "))
	}
	return v, nil
}

func (t timed) cerfParts(variant, base, benchmark string, banks float64) (map[string]float64, error) {
	run, ref, err := t.both(variant, base, benchmark)
	if run == nil {
		return nil, err
	}
	n, err := asWhole("banks", banks)
	if err != nil {
		return nil, err
	}
	return energy.OfCERF().Relative(run, ref, n)
}

func (t timed) cerf(variant, base, benchmark string, banks float64) (float64, error) {
	parts, err := t.cerfParts(variant, base, benchmark, banks)
	if parts == nil {
		return math.NaN(), err
	}
	return energy.Total(parts), err
}

func (t timed) cerfPart(variant, base, benchmark string, banks float64, part string) (float64, error) {
	if !slices.Contains(energy.OfCERF().Parts(), part) {
		return 0, fmt.Errorf("cerf_energy has no part %q; expected one of %s", part,
			strings.Join(energy.OfCERF().Parts(), ", "))
	}
	parts, err := t.cerfParts(variant, base, benchmark, banks)
	if parts == nil {
		return math.NaN(), err
	}
	return parts[part], err
}

func ideal(entries, active, readsPerWrite float64) (float64, error) {
	c, err := cacheOf(entries, active)
	if err != nil {
		return 0, err
	}
	return energy.OfGebhart().IdealSaving(c, readsPerWrite), nil
}

func impliedReads(entries, active, saving float64) (float64, error) {
	c, err := cacheOf(entries, active)
	if err != nil {
		return 0, err
	}
	return energy.OfGebhart().ReadsPerWrite(c, saving), nil
}

func wireEnergy(activity float64) (float64, error) {
	if activity == 0 {
		return energy.OfGebhart().Wire.Printed, nil
	}
	return energy.OfGebhart().Wire.PerMM(activity), nil
}

func ltrfFactor(configuration float64, column string) (float64, error) {
	t, err := technology(configuration)
	if err != nil {
		return 0, err
	}
	return t.Factor(column)
}

func ltrfPower(configuration, leakage, accesses float64) (float64, error) {
	t, err := technology(configuration)
	if err != nil {
		return 0, err
	}
	return t.PowerAt(leakage, accesses), nil
}

// cacheOf finds a cache for numbers of expressions.
func cacheOf(entries, active float64) (*energy.Cache, error) {
	e, err := asWhole("entries", entries)
	if err != nil {
		return nil, err
	}
	a, err := asWhole("active", active)
	if err != nil {
		return nil, err
	}
	return energy.OfGebhart().Cache(e, a)
}

// technology finds a technology for a number of an expression.
func technology(configuration float64) (*energy.Technology, error) {
	id, err := asWhole("configuration", configuration)
	if err != nil {
		return nil, err
	}
	return energy.OfLTRF().Find(id)
}

// asWhole converts to an integer and returns an error for fractions, so no number is rounded
// silently.
func asWhole(what string, x float64) (int, error) {
	if x != math.Trunc(x) || math.Abs(x) > 1<<30 {
		return 0, fmt.Errorf("%s: found %v, expected a whole number", what, x)
	}
	return int(x), nil
}
