package sampling

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kumiko/components/splitmix"
)

// Spec configures sampling.
type Spec struct {
	Seed int64 // of the place of the first unit
	// Error is the wanted relative half-width of the interval of cycles. It bounds the part of the interval that comes
	// from units, and not Systematic, because no number of units makes that less. 0: none is wanted; the number and the
	// places of units are then fixed.
	Error float64
	// Bounded limits the units drawn for the wanted error to the number drawn without one.
	Bounded bool
	// Windows draws windows of time from long launches of less than EnoughWaves waves.
	Windows bool
}

// DefaultError is the wanted error of a single run, if it needs no more units than a run without a wanted error.
const DefaultError = "3%"

// ParseError parses a relative half-width, a percentage such as "3%".
func ParseError(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !percent || err != nil || !(v >= 0.01 && v <= 50) {
		return 0, fmt.Errorf("found %q, expected 0.01%% to 50%%", text)
	}
	return v / 100, nil
}

const (
	// unitsDrawn is the number of units drawn without a wanted error.
	unitsDrawn = 10
	// leastUnits is the minimum number of units of a launch with a wanted error and without similar predecessors. It is
	// more than known, so that when these units have told how many are needed, the rest of the launch has room for
	// more. A launch is sampled only if it has room for leastUnits at the least period.
	leastUnits = 5
	// leastMore is the minimum number of units of a launch with similar predecessors: enough to show a difference.
	leastMore = 3
	// fewest and fewestMore replace leastUnits and leastMore where the number of units is bounded, because an interval
	// wider than wanted is then no failure. A launch so long that leastUnits are a small part of it begins with more
	// than fewest.
	fewest     = 3
	fewestMore = 2
	smallPart  = 20 // a twentieth
	// known is the number of units of a first launch from which its need for more units is estimated. Two would give a
	// deviation with only one degree of freedom.
	known = 3
	// mostUnits bounds the number of units.
	mostUnits = 10000
	// ramp is the number of simulated waves before a unit. The first fills the machine. In the second the effects
	// of skipping fade. Without the second, b+tree comes out 1.3 % too slow (lab/docs/sampling.md).
	ramp = 2
	// leastUnit is the minimum number of CTAs in a unit. On one or two SMs a wave has few CTAs, and a unit's cycles
	// would depend on the progress of each CTA at the unit's ends.
	leastUnit = 16
	// detailed is the number of simulated waves in a period: those of the ramp, and the unit that is measured.
	detailed    = ramp + 1
	leastPeriod = detailed + 1
	// head and tail are the numbers of detailed waves at the ends of the launch.
	head, tail = 2, 1
)

// LeastWaves is the minimum number of waves of a sampled launch.
const LeastWaves = head + leastUnits*leastPeriod + tail

// EnoughWaves is the number of waves from which waves are drawn where windows of time could be drawn as well. With
// fewer waves, drawing waves would simulate most of the launch.
const EnoughWaves = head + unitsDrawn*leastPeriod + tail

// WavePlan selects the units of a launch.
type WavePlan struct {
	spec      Spec
	like      *differencePool // of similar earlier launches; nil: none
	wave      int             // CTAs of a wave: as many as the GPU holds, but at least leastUnit
	waves     int             // of the launch
	rest      int             // CTAs beyond whole waves, simulated at the end
	random    uint64
	first     int // CTAs to skip before the first unit
	remainder int // CTAs to skip before the tail, which complete the first skip to whole waves
	left      int // waves between head and tail, not yet planned
	drawn     int // units
	period    int // waves from one unit to the next
	widest    int // period as first planned
	stopped   bool
}

// Wave returns the number of CTAs in a unit, on a GPU that holds held CTAs at once.
func Wave(held int) int { return max(held, leastUnit) }

// NewWavePlan plans a launch of ctas CTAs on a GPU that holds held CTAs at once. It returns nil if the launch is too
// short to be sampled. Such a launch is simulated completely.
func NewWavePlan(spec Spec, launch uint64, ctas, held int) *WavePlan {
	wave := Wave(held)
	if ctas/wave < LeastWaves {
		return nil
	}
	p := &WavePlan{spec: spec, wave: wave, waves: ctas / wave, rest: ctas % wave, left: ctas/wave - head - tail,
		random: splitmix.Of(uint64(spec.Seed)<<20 ^ launch)}
	if spec.Error > 0 {
		p.draw(p.least())
	} else {
		p.draw(unitsDrawn)
	}
	return p
}

// draw spaces n units equally. The first unit lies anywhere in the first period.
func (p *WavePlan) draw(n int) {
	p.period = max(p.left/n, leastPeriod)
	p.widest = p.period
	p.first = int(p.random % uint64((p.period-detailed)*p.wave+1))
}

// Like informs the plan of the similar launches so far, and of the confidence of all launches so far. It must be
// called before Next. The plan then draws as many units as the wanted error requires. The wanted error applies to
// all launches together, or with bounded units to each launch.
func (p *WavePlan) Like(like *differencePool, all sureCost) {
	if p.spec.Error == 0 || like == nil || like.counts == nil {
		return
	}
	p.like = like
	if !p.spec.Bounded {
		p.spec.Error = all.Leaves(p.spec.Error, like.cycles)
	}
	p.draw(p.needed(nil))
}

// needed returns how many units the wanted interval requires, judging by the units so far.
func (p *WavePlan) needed(costs []float64) int {
	need := p.like.differencesOf(0).with(costs).needed(len(costs), p.least(), p.spec.Error)
	if p.spec.Bounded {
		need = min(need, unitsDrawn)
	}
	return need
}

// least returns the minimum number of units.
func (p *WavePlan) least() int {
	switch {
	case p.spec.Bounded && p.like != nil:
		return fewestMore
	case p.spec.Bounded:
		return min(max(p.waves/(smallPart*detailed), fewest), leastUnits)
	case p.like != nil:
		return leastMore
	}
	return leastUnits
}

// Head returns the number of detailed CTAs at the beginning of the launch.
func (p *WavePlan) Head() int { return head * p.wave }

// Begins returns how many of the CTAs simulated after a skip have retired when the unit begins. When these CTAs
// enter, the preceding wave is still in the machine.
func (p *WavePlan) Begins() int { return (ramp - 1) * p.wave }

// Wave returns the number of CTAs in a unit.
func (p *WavePlan) Wave() int { return p.wave }

// Next returns the number of CTAs to skip now, the number of CTAs to simulate after them, and whether these are the
// last of the launch. costs are the cycles per instruction of the units so far.
func (p *WavePlan) Next(costs []float64) (skip, run int, last bool) {
	if p.stopped {
		return p.simulate()
	}
	if p.first >= 0 {
		skip = p.first
		waves := (skip + p.wave - 1) / p.wave
		p.remainder, p.first = waves*p.wave-skip, -1
		p.left -= waves + detailed
		p.drawn++
		return skip, detailed * p.wave, false
	}
	if p.spec.Error > 0 && (len(costs) >= known || p.like != nil && len(costs) > 0) {
		p.space(p.needed(costs))
	}
	if p.left < p.period {
		return p.left*p.wave + p.remainder, tail*p.wave + p.rest, true
	}
	p.left -= p.period
	p.drawn++
	return (p.period - detailed) * p.wave, detailed * p.wave, false
}

// Stop ends skipping: what is left of the launch is simulated.
func (p *WavePlan) Stop() { p.stopped = true }

// simulate returns the next period without skipped CTAs.
func (p *WavePlan) simulate() (skip, run int, last bool) {
	if p.left < detailed {
		return 0, p.left*p.wave + max(p.remainder, 0) + tail*p.wave + p.rest, true
	}
	p.left -= detailed
	p.drawn++
	return 0, detailed * p.wave, false
}

// space chooses the period for a total of need units. The initially planned period is the upper bound, so that the last
// units represent no more of the launch than the first.
func (p *WavePlan) space(need int) {
	p.period = p.widest
	if more := need - p.drawn; more > p.left/p.widest {
		p.period = max(p.left/more, leastPeriod)
	}
}

// sureCost is the total of some launches' cycles with its confidence.
type sureCost struct{ Cycles, Half float64 } // Half: half-width of the interval, in cycles

// Leaves returns the relative error allowed to the next launch, given its expected cycles. All launches
// together then have the wanted error. The first launch is allowed the wanted error. So is a launch after
// the earlier ones have used the error up. No launch is allowed more than twice the wanted error, because
// the deviation of a few units is not known well.
func (s sureCost) Leaves(wanted, cycles float64) float64 {
	all := wanted * (s.Cycles + cycles)
	if left := all*all - s.Half*s.Half; cycles > 0 && left > wanted*wanted*cycles*cycles {
		return min(math.Sqrt(left)/cycles, 2*wanted)
	}
	return wanted
}
