package sample

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"kumiko/components/splitmix"
)

// Spec asks for a sampled run.
type Spec struct {
	Seed int64 // of the first unit's place
	// Error is half of the interval of cycles, over the cycles, that is wanted; 0: none is, and units are as many and
	// where they are whatever they cost.
	Error float64
	// Bounded draws no more for the wanted error than would be drawn without one.
	Bounded bool
	// Windows draws windows of time from launches of less than EnoughWaves, if they are long.
	Windows bool
}

// DefaultError is what a single run asks for, if it can be had with no more units than without it.
const DefaultError = "3%"

// ParseError reads half of an interval over the cycles, a percentage such as "3%".
func ParseError(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if !percent || err != nil || !(v >= 0.01 && v <= 50) {
		return 0, fmt.Errorf("found %q, expected 0.01%% to 50%%", text)
	}
	return v / 100, nil
}

const (
	// units are drawn unless an error is asked for.
	units = 10
	// leastUnits are those that a launch must have room for, at the least period, and that it has at least if none like
	// it was sampled before and an error is asked for.
	leastUnits = 5
	// leastMore are the CTAs simulated of a launch like an earlier one: enough to show a difference.
	leastMore = 3
	// known units of the first launch of its kind begin to say how many it needs. Of fewer no deviation comes with more
	// than one degree of freedom.
	known = 3
	// mostUnits bounds what is asked for.
	mostUnits = 10000
	// ramp is the waves in front of a unit: one that the machine fills with, and one in which what skipping
	// has left behind goes away. Without the second b+tree comes out 1.3 % too slow (docs/sampling.md).
	ramp = 2
	// leastUnit is the CTAs of a unit at least. On an SM or two a wave has few CTAs, and its cycles depend on how far
	// each of them has come at its ends.
	leastUnit = 16
	// detailed waves of a period: the ramp and the unit.
	detailed    = ramp + 1
	leastPeriod = detailed + 1
	// head and tail are the waves in detail at the ends.
	head, tail = 2, 1
)

// LeastWaves is how many waves a launch has at least that is sampled.
const LeastWaves = head + leastUnits*leastPeriod + tail

// EnoughWaves is how many waves a launch has at least whose waves are drawn where windows of time could be: with less,
// so many waves are simulated that drawing them gains little.
const EnoughWaves = head + units*leastPeriod + tail

// Plan draws the units of a launch.
type Plan struct {
	spec   Spec
	like   *Pool // of launches before it that are alike; nil: of none
	wave   int   // CTAs: as many as the GPU holds, or the least of a unit
	rest   int   // CTAs that are no whole wave, in detail at the end
	random uint64
	first  int // CTAs to skip before the first unit
	owed   int // CTAs to skip before the tail, so that whole waves are skipped in all
	left   int // waves between head and tail of which nothing is decided
	drawn  int // units
	period int // waves from one unit to the next
	widest int // period that was planned
}

// Wave is the CTAs of a unit where the GPU holds so many at once.
func Wave(held int) int { return max(held, leastUnit) }

// New plans a launch of so many CTAs, of which the GPU holds some at once. It returns nil if the launch is too short to
// be sampled: then it is simulated whole.
func New(spec Spec, launch uint64, ctas, held int) *Plan {
	wave := Wave(held)
	if ctas/wave < LeastWaves {
		return nil
	}
	p := &Plan{spec: spec, wave: wave, rest: ctas % wave, left: ctas/wave - head - tail,
		random: splitmix.Of(uint64(spec.Seed)<<20 ^ launch)}
	if spec.Error > 0 {
		p.draw(leastUnits)
	} else {
		p.draw(units)
	}
	return p
}

// draw spaces so many units. The first is anywhere in the first period.
func (p *Plan) draw(n int) {
	p.period = max(p.left/n, leastPeriod)
	p.widest = p.period
	p.first = int(p.random % uint64((p.period-detailed)*p.wave+1))
}

// Like tells the plan, before it is asked, of the launches of the same kernel and shape, and how sure all launches so
// far are. As many units as the wanted error calls for are drawn. It is that of all launches together, but where units
// are bounded that of each.
func (p *Plan) Like(like *Pool, all Sure) {
	if p.spec.Error == 0 || like == nil || like.counts == nil {
		return
	}
	p.like = like
	if !p.spec.Bounded {
		p.spec.Error = all.Leaves(p.spec.Error, like.cycles)
	}
	p.draw(p.needed(nil))
}

// needed is how many units bring the interval to what is wanted, by those so far.
func (p *Plan) needed(costs []float64) int {
	least := leastUnits
	if p.like != nil {
		least = leastMore
	}
	need := p.like.of(0).with(costs).needed(len(costs), least, p.spec.Error)
	if p.spec.Bounded {
		need = min(need, units)
	}
	return need
}

// Head is how many CTAs are in detail at the beginning.
func (p *Plan) Head() int { return head * p.wave }

// Begins is how many CTAs of those behind skipped ones have retired when the unit begins: the wave before them is
// in the machine when they come in.
func (p *Plan) Begins() int { return (ramp - 1) * p.wave }

// Wave is how many CTAs a unit has: as many as the GPU holds, or more.
func (p *Plan) Wave() int { return p.wave }

// Next returns how many CTAs are skipped now, how many are simulated behind them, and whether these are
// the launch's last. costs are the cycles for each instruction of the units so far.
func (p *Plan) Next(costs []float64) (skip, run int, last bool) {
	if p.first >= 0 {
		skip = p.first
		waves := (skip + p.wave - 1) / p.wave
		p.owed, p.first = waves*p.wave-skip, -1
		p.left -= waves + detailed
		p.drawn++
		return skip, detailed * p.wave, false
	}
	if p.spec.Error > 0 && (len(costs) >= known || p.like != nil && len(costs) > 0) {
		p.space(p.needed(costs))
	}
	if p.left < p.period {
		return p.left*p.wave + p.owed, tail*p.wave + p.rest, true
	}
	p.left -= p.period
	p.drawn++
	return (p.period - detailed) * p.wave, detailed * p.wave, false
}

// space makes the period one with which so many units fit. It is never longer than it was to begin with, so that the
// last ones stand for no more than the first.
func (p *Plan) space(need int) {
	p.period = p.widest
	if more := need - p.drawn; more > p.left/p.widest {
		p.period = max(p.left/more, leastPeriod)
	}
}

// Sure is how sure the cycles of some launches are.
type Sure struct{ Cycles, Half float64 } // Half of the interval, in cycles

// Leaves returns the relative error allowed to the next launch, given its expected cycles. All launches
// together then have the wanted error. The first launch is allowed the wanted error. So is a launch after
// the earlier ones have used the error up. No launch is allowed more than twice the wanted error, because
// the deviation of a few units is not known well.
func (s Sure) Leaves(wanted, cycles float64) float64 {
	all := wanted * (s.Cycles + cycles)
	if left := all*all - s.Half*s.Half; cycles > 0 && left > wanted*wanted*cycles*cycles {
		return min(math.Sqrt(left)/cycles, 2*wanted)
	}
	return wanted
}
