package sample

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"kumiko/components/splitmix"
)

// Spec asks for a sampled run.
type Spec struct {
	Seed  int64   // of the first unit's place
	Error float64 // half of the interval of cycles, over the cycles, that is wanted; 0: none is
	// Windows draws windows of time from launches of less than EnoughWaves, if they are long.
	Windows bool
}

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
	// leastUnits are those that a launch must have room for, at the least period.
	leastUnits = 5
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
	wave   int // CTAs: as many as the GPU holds, or the least of a unit
	rest   int // CTAs that are no whole wave, in detail at the end
	random uint64
	first  int // CTAs to skip before the first unit
	owed   int // CTAs to skip before the tail, so that whole waves are skipped in all
	left   int // waves between head and tail of which nothing is decided
	need   int // units that are drawn, as long as too few are known to say it
	period int // waves from one unit to the next
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
	p := &Plan{spec: spec, wave: wave, rest: ctas % wave, left: ctas/wave - head - tail}
	p.draw(splitmix.Of(uint64(spec.Seed)<<20^launch), units)
	return p
}

// draw spaces so many units. The first is anywhere in the first period.
func (p *Plan) draw(random uint64, n int) {
	p.random, p.need = random, n
	p.period = max(p.left/n, leastPeriod)
	p.first = int(random % uint64((p.period-detailed)*p.wave+1))
}

// Like tells the plan, before it is asked, how sure the last launch of the same kernel and shape was, and all launches
// so far. Where an error is asked for, it is that of all launches together, and as many units as that calls for are
// drawn.
func (p *Plan) Like(last, all Sure) {
	if p.spec.Error > 0 && last.Units > 0 && last.Cycles > 0 {
		p.spec.Error = all.Leaves(p.spec.Error, last.Cycles)
		one := last.Half / last.Cycles * math.Sqrt(float64(last.Units))
		p.draw(p.random, max(leastUnits, needed(one, p.spec.Error)))
	}
}

// needed is how many units bring the interval to what is wanted. half is that of one.
func needed(half, wanted float64) int {
	return int(min(math.Ceil(half/wanted*half/wanted), mostUnits))
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
		return skip, detailed * p.wave, false
	}
	if p.spec.Error > 0 {
		p.period = p.spaced(costs)
	}
	if p.left < p.period {
		return p.left*p.wave + p.owed, tail*p.wave + p.rest, true
	}
	p.left -= p.period
	return (p.period - detailed) * p.wave, detailed * p.wave, false
}

// spaced is the period at which the units that are still needed fit into what is left: as many as
// bring the interval to what is wanted, by the units so far.
func (p *Plan) spaced(costs []float64) int {
	need := p.need
	if len(costs) >= leastUnits {
		need = p.enough(costs)
	}
	more := max(need-len(costs), 2)
	return max(p.left/more, leastPeriod)
}

// enough is how many units like these bring the interval to what is wanted: more of them make Student's t smaller, too.
func (p *Plan) enough(costs []float64) int {
	deviation, worth := independent(costs)
	wanted := p.spec.Error * stat.Mean(costs, nil)
	return leastUnits + sort.Search(mostUnits-leastUnits, func(i int) bool {
		n := float64(leastUnits + i)
		t := quantile(max(3, worth*n/float64(len(costs))))
		return t*deviation <= wanted*math.Sqrt(n)
	})
}
