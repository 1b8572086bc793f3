package energy

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"kumiko/gpus/result"
)

// Activity is a model charging the events of a timed run.
type Activity struct {
	Table
	// Leakage are the allowed shares of leakage in the baseline's total.
	Leakage []float64 `toml:"leakage"`
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
	return dynamic(a.Components, stats)
}

// Shares returns a run's energy over a baseline's: its components' events, and leakage,
// a share of the baseline's total proportional to the cycles. All shares of the baseline
// sum to 1.
func (a *Activity) Shares(run, base *result.Result, leakage float64) (map[string]float64, error) {
	if leakage < 0 || leakage >= 1 {
		return nil, fmt.Errorf("leakage %v: expected a share of the baseline's total, from 0 to below 1", leakage)
	}
	all := Total(a.Dynamic(base.Total.Stats))
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

// Total adds components up, in the order of their names: the sum is the same each
// time, to the bit.
func Total(parts map[string]float64) (sum float64) {
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		sum += parts[name]
	}
	return sum
}
