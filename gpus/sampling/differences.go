package sampling

import (
	"math"
	"sort"

	"kumiko/internal/averages"
)

// differences accumulates the relative deviations of units from the mean of their launch, for one launch or for
// several similar launches.
type differences struct {
	units, launches   float64
	squares, products float64 // sums of each deviation squared, and of each deviation times its predecessor
}

// with returns the differences extended by the units of one more launch.
func (d differences) with(rates []float64) differences {
	if len(rates) == 0 {
		return d
	}
	mean := averages.Mean(rates)
	if mean == 0 {
		return d
	}
	d.units += float64(len(rates))
	d.launches++
	before := 0.0
	for _, r := range rates {
		x := r/mean - 1
		d.squares += x * x
		d.products += x * before
		before = x
	}
	return d
}

// half returns the relative half-width of the confidence interval of a launch's mean, times the root of its number
// of units. It is computed from Student's t and the standard deviation, and is larger if neighbouring units
// correlate.
func (d differences) half() float64 {
	if d.squares == 0 {
		return 0
	}
	each := d.independent()
	return quantile(d.free(each)) * d.deviation() / math.Sqrt(each)
}

func (d differences) deviation() float64 { return math.Sqrt(d.squares / (d.units - d.launches)) }

// independent returns how many independent units one unit is worth. The machine keeps its state from unit to unit:
// CTAs running in step stay in step across skipped waves, so successive units correlate. For a first-order
// autoregression n units are worth n(1-r)/(1+r) independent units. The correlation r of neighbours, estimated from
// n units, is too low by (1+4r)/n (Kendall, Biometrika 1954). A correlation below zero is ignored. So is one above
// a half: so few units cannot distinguish it from chance or from a slope. All units together are therefore worth at
// least a third of their number, and at least three.
func (d differences) independent() float64 {
	if d.squares == 0 {
		return 1
	}
	r := d.products / d.squares
	r += (1 + 4*max(r, 0)) * d.launches / d.units
	return min(max((1-r)/(1+r), 1.0/3, 3/d.units), 1)
}

// free returns the degrees of freedom of the deviation. each is the number of independent units one unit is worth.
func (d differences) free(each float64) float64 {
	rest := d.units - d.launches
	return max(d.units*each-d.launches, rest/3-1, min(rest, 2))
}

// needed returns how many units a launch needs for an interval of relative half-width wanted. own of the
// accumulated units belong to this launch. More units also make Student's t smaller. least is the minimum.
func (d differences) needed(own, least int, wanted float64) int {
	if d.squares == 0 {
		return least
	}
	each, deviation := d.independent(), d.deviation()
	if own == 0 {
		d.launches++
	}
	before := d.units - float64(own)
	return least + sort.Search(mostUnits-least, func(more int) bool {
		n := float64(least + more)
		d.units = before + n
		return quantile(d.free(each))*deviation <= wanted*math.Sqrt(n*each)
	})
}

// differencePool holds the units of launches of one kernel and shape.
type differencePool struct {
	counts []differences
	cycles float64 // of the last launch
}

// Add adds the units of a launch of the given number of cycles.
func (p *differencePool) Add(e *estimator, cycles float64) {
	if len(e.Units) == 0 {
		return
	}
	if p.counts == nil {
		p.counts = make([]differences, len(e.Units[0].Counts))
	}
	for i := range p.counts {
		p.counts[i] = p.counts[i].with(e.rates(i))
	}
	p.cycles = cycles
}

// differencesOf returns the differences of count i.
func (p *differencePool) differencesOf(i int) differences {
	if p == nil || p.counts == nil {
		return differences{}
	}
	return p.counts[i]
}
