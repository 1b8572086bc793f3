package alloc

import (
	"math"
	"slices"
)

// relief finds, for a node without a place, the node to spill: the cheapest among the node and those with
// overlapping live ranges. Nodes are identified by rank, the cheapest first. A live range overlaps [from, to) if it
// covers the point from or begins inside. One tree has the ranges covering each point, the other the ranges beginning
// at each point.
type relief struct {
	rank   []*node
	leaves int
	covers []int32 // lowest rank of a live range covering all of tree node i's points
	begins []int32 // lowest rank of a live range beginning at one of them
}

const noRank = math.MaxInt32

func newRelief(w *web, points int) *relief {
	r := &relief{rank: w.byDensity(), leaves: points}
	r.covers, r.begins = make([]int32, 2*points), make([]int32, 2*points)
	for i := range r.covers {
		r.covers[i], r.begins[i] = noRank, noRank
	}
	for rank, n := range r.rank {
		if n.pinned {
			continue
		}
		for _, live := range n.live {
			for _, s := range live {
				r.enter(int32(rank), int(s.from), int(s.to))
			}
		}
	}
	for i := points - 1; i > 0; i-- {
		r.begins[i] = min(r.begins[2*i], r.begins[2*i+1])
	}
	return r
}

func (r *relief) enter(rank int32, from, to int) {
	r.begins[from+r.leaves] = min(r.begins[from+r.leaves], rank)
	for lo, hi := from+r.leaves, to+r.leaves; lo < hi; lo, hi = lo/2, hi/2 {
		if lo&1 == 1 {
			r.covers[lo] = min(r.covers[lo], rank)
			lo++
		}
		if hi&1 == 1 {
			hi--
			r.covers[hi] = min(r.covers[hi], rank)
		}
	}
}

// victim returns the node to spill for f, nil if all candidates are pinned.
func (r *relief) victim(f *node) *node {
	best := int32(noRank)
	for _, live := range f.live {
		for _, s := range live {
			for i := int(s.from) + r.leaves; i > 0; i /= 2 {
				best = min(best, r.covers[i])
			}
			for lo, hi := int(s.from)+r.leaves, int(s.to)+r.leaves; lo < hi; lo, hi = lo/2, hi/2 {
				if lo&1 == 1 {
					best = min(best, r.begins[lo])
					lo++
				}
				if hi&1 == 1 {
					hi--
					best = min(best, r.begins[hi])
				}
			}
		}
	}
	if best == noRank {
		return nil
	}
	return r.rank[best]
}

func (n *node) meets(o *node) bool {
	for _, a := range n.live {
		if slices.ContainsFunc(o.live, a.meets) {
			return true
		}
	}
	return false
}
