package sample

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"kumiko/components/splitmix"
)

const (
	// Ramp and Window are the cycles in front of a unit and those of a unit, where units are windows of time.
	Ramp, Window = 4096, 4096
	// windows are drawn unless an error is asked for.
	windows = 20
)

// Windows draws windows of time from a launch, between which all warps are moved ahead.
type Windows struct {
	spec   Spec
	draw   uint64
	period float64 // cycles from one unit to the next; 0: not known
	widest float64 // period that was planned
	over   bool
}

// NewWindows draws from a launch.
func NewWindows(spec Spec, launch uint64) *Windows {
	return &Windows{spec: spec, draw: splitmix.Of(uint64(spec.Seed)<<20 ^ launch)}
}

// Next returns how many cycles are left out now, 0 if no more are. costs are the cycles for each instruction of the
// units so far, and remaining the cycles that the launch is going to take, as far as is known.
func (w *Windows) Next(costs []float64, remaining float64) float64 {
	const detail = Ramp + Window
	if w.over {
		return 0
	}
	first := w.period == 0
	if first {
		w.period = remaining / windows
		w.widest = w.period
	} else if n := len(costs); w.spec.Error > 0 && !w.spec.Bounded && n >= leastUnits {
		r := halfOfWindow(costs) / stat.Mean(costs, nil) / w.spec.Error
		w.period = min(w.widest, remaining/max(math.Ceil(r*r)-float64(n), 2))
	}
	if first && w.period < 2*detail || remaining < max(w.period, 2*detail) {
		w.over = true
		return 0
	}
	w.period = max(w.period, 2*detail)
	if first {
		return max(1, (w.period-detail)*float64(w.draw>>11)/(1<<53))
	}
	return w.period - detail
}
