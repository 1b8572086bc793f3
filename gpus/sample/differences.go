package sample

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat"
)

// differences are how far units are from the mean of their launch, over that mean: of one launch, or of some that are
// alike.
type differences struct {
	units, launches   float64
	squares, products float64 // sums: of each unit's difference, and of it and the one's before it
}

// with is these and the units of one more launch.
func (d differences) with(rates []float64) differences {
	if len(rates) == 0 {
		return d
	}
	mean := stat.Mean(rates, nil)
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

// half is half of the interval of a launch's mean, over the mean, times the root of the number of its units:
// Student's t and the standard deviation, and more where neighbours are alike.
func (d differences) half() float64 {
	if d.squares == 0 {
		return 0
	}
	each := d.independent()
	return quantile(d.free(each)) * d.deviation() / math.Sqrt(each)
}

func (d differences) deviation() float64 { return math.Sqrt(d.squares / (d.units - d.launches)) }

// independent is how many independent units one is worth. The machine goes on from unit to unit, and whether its
// CTAs are in step with each other outlives the skipped waves, so that a unit says in part what the one before it said.
// By an autoregression of first order n units are worth n(1-r)/(1+r) independent ones. Of n units the
// correlation r of neighbours comes out too low by (1+4r)/n (Kendall, Biometrika 1954). Below zero nothing
// is made of it, and nothing above a half, which so few units do not tell from chance or from a slope: they are worth
// a third of their number at the least, and three.
func (d differences) independent() float64 {
	if d.squares == 0 {
		return 1
	}
	r := d.products / d.squares
	r += (1 + 4*max(r, 0)) * d.launches / d.units
	return min(max((1-r)/(1+r), 1.0/3, 3/d.units), 1)
}

// free is the degrees of freedom of the deviation, where a unit is worth each independent ones.
func (d differences) free(each float64) float64 {
	rest := d.units - d.launches
	return max(d.units*each-d.launches, rest/3-1, min(rest, 2))
}

// needed is how many units the launch of which own are some has to have for an interval of so much over the mean: more
// of them make Student's t smaller, too. least is how many it has in any case.
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

// Pool is the units of launches of one kernel and shape.
type Pool struct {
	counts []differences
	cycles float64 // of the last launch
}

// Add takes in the units of a launch of so many cycles.
func (p *Pool) Add(e *Estimator, cycles float64) {
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

// of is the differences of a count.
func (p *Pool) of(i int) differences {
	if p == nil || p.counts == nil {
		return differences{}
	}
	return p.counts[i]
}
