package alloc

import (
	"math"
	"math/bits"
)

// pressure has the number of live words at each program point. It is a tree of maxima over ranges whose lengths are
// powers of two, so adding to a range, or finding its maximum, takes a logarithmic number of steps.
type pressure struct {
	leaves int
	max    []int // of node i's range, without additions above it
	plus   []int // to all of node i's range
}

// newPressure counts the live ranges of nodes.
func newPressure(points int, nodes []*node) *pressure {
	leaves := 1 << bits.Len(uint(max(points-1, 1)))
	p := &pressure{leaves: leaves, max: make([]int, 2*leaves), plus: make([]int, 2*leaves)}
	at := p.max[leaves:]
	for _, n := range nodes {
		for _, live := range n.live {
			for _, s := range live {
				at[s.from]++
				if int(s.to) < leaves {
					at[s.to]--
				}
			}
		}
	}
	for i := 1; i < leaves; i++ {
		at[i] += at[i-1]
	}
	for i := leaves - 1; i > 0; i-- {
		p.max[i] = max(p.max[2*i], p.max[2*i+1])
	}
	return p
}

// add adds to the points [from, to).
func (p *pressure) add(from, to, by int) { p.addIn(1, 0, p.leaves, from, to, by) }

func (p *pressure) addIn(i, lo, hi, from, to, by int) {
	switch {
	case to <= lo || hi <= from:
		return
	case from <= lo && hi <= to:
		p.max[i] += by
		p.plus[i] += by
		return
	}
	mid := (lo + hi) / 2
	p.addIn(2*i, lo, mid, from, to, by)
	p.addIn(2*i+1, mid, hi, from, to, by)
	p.max[i] = max(p.max[2*i], p.max[2*i+1]) + p.plus[i]
}

// most returns the maximum over the points [from, to), math.MinInt for none.
func (p *pressure) most(from, to int) int { return p.mostIn(1, 0, p.leaves, from, to) }

func (p *pressure) mostIn(i, lo, hi, from, to int) int {
	switch {
	case to <= lo || hi <= from:
		return math.MinInt
	case from <= lo && hi <= to:
		return p.max[i]
	}
	mid := (lo + hi) / 2
	m := max(p.mostIn(2*i, lo, mid, from, to), p.mostIn(2*i+1, mid, hi, from, to))
	return m + p.plus[i]
}
