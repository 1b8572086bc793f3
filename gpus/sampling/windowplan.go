package sampling

import (
	"math"

	"kumiko/components/splitmix"
	"kumiko/internal/averages"
)

const (
	// Ramp and Window are the cycles before a unit and of a unit, for units that are windows of time.
	Ramp, Window = 4096, 4096
	// windowsDrawn is the number of windows drawn without a wanted error.
	windowsDrawn = 20
)

// windowPlan draws windows of time from a launch. Between windows all warps are moved ahead in their streams.
type windowPlan struct {
	spec   Spec
	draw   uint64
	period float64 // cycles from one unit to the next; 0: not known
	widest float64 // period as first planned
	over   bool
}

// newWindowPlan returns the windows of a launch.
func newWindowPlan(spec Spec, launch uint64) *windowPlan {
	return &windowPlan{spec: spec, draw: splitmix.Of(uint64(spec.Seed)<<20 ^ launch)}
}

// Next returns how many cycles to skip now; 0 if no more are skipped. costs are the cycles per instruction of the
// units so far. remaining is an estimate of the remaining cycles of the launch.
func (w *windowPlan) Next(costs []float64, remaining float64) float64 {
	const detail = Ramp + Window
	if w.over {
		return 0
	}
	first := w.period == 0
	if first {
		w.period = remaining / windowsDrawn
		w.widest = w.period
	} else if n := len(costs); w.spec.Error > 0 && !w.spec.Bounded && n >= leastUnits {
		r := halfOfWindow(costs) / averages.Mean(costs) / w.spec.Error
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
