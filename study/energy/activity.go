package energy

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"kumiko/gpus/result"
)

// Activity is a model charging the events of a timed run.
type Activity struct {
	Source     string      `toml:"source"`
	Components []Component `toml:"component"`
	// Leakage are the allowed shares of leakage in the baseline's total.
	Leakage []float64 `toml:"leakage"`
}

// Component charges the events counted by some statistics.
type Component struct {
	Name  string   `toml:"name"` // energies of one name are added up
	What  string   `toml:"what"`
	Stats []string `toml:"stats"` // names, * standing for any part of one
	Times float64  `toml:"times"` // accesses of an array per event
	Wide  bool     `toml:"wide"`  // in place of Times: as many as an access of CERF's L1 touches banks
	PJ    float64  `toml:"pj"`    // per access
}

var whole = sync.OnceValue(func() *Activity { return builtin[Activity]("gpu") })

// OfGPU charges all of a GPU.
func OfGPU() *Activity { return whole() }

// Names lists the components, in the table's order.
func (a *Activity) Names() []string {
	var out []string
	for i := range a.Components {
		if n := a.Components[i].Name; !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// Dynamic returns the energy of a run's events by component, in pJ. A statistic missing because the machine
// lacks the block counts nothing.
func (a *Activity) Dynamic(stats map[string]uint64) map[string]float64 {
	out := map[string]float64{}
	for i := range a.Components {
		c := &a.Components[i]
		out[c.Name] += float64(c.count(stats)) * c.Times * c.PJ
	}
	return out
}

func (c *Component) count(stats map[string]uint64) (n uint64) {
	for _, pattern := range c.Stats {
		if !strings.Contains(pattern, "*") {
			n += stats[pattern]
			continue
		}
		for name, v := range stats {
			if ok, _ := path.Match(pattern, name); ok {
				n += v
			}
		}
	}
	return n
}

func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int64:
		return float64(v)
	case int:
		return float64(v)
	}
	return 0
}

// Shares returns a run's energy over a baseline's: its components' events, and leakage,
// a share of the baseline's total proportional to the cycles. All shares of the baseline
// sum to 1.
func (a *Activity) Shares(run, base *result.Result, leakage float64) (map[string]float64, error) {
	if leakage < 0 || leakage >= 1 {
		return nil, fmt.Errorf("leakage %v: expected a share of the baseline's total, from 0 to below 1", leakage)
	}
	all := total(a.Dynamic(base.Total.Stats))
	if all == 0 || base.Total.Cycles == 0 {
		return nil, fmt.Errorf("the baseline of the energy has no events")
	}
	out := a.Dynamic(run.Total.Stats)
	for name := range out {
		out[name] *= (1 - leakage) / all
	}
	out["leakage"] = leakage * float64(run.Total.Cycles) / float64(base.Total.Cycles)
	return out, nil
}

// total adds components up, in the order of their names: the sum is the same each
// time, to the bit.
func total(parts map[string]float64) (sum float64) {
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		sum += parts[name]
	}
	return sum
}
