package alloc

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawNodes draws nodes of one or two words with live ranges over the points.
func drawNodes(t *rapid.T, points int) *web {
	w := &web{}
	for i := range rapid.IntRange(1, 12).Draw(t, "nodes") {
		n := &node{words: rapid.IntRange(1, 2).Draw(t, "words"), pinned: rapid.Bool().Draw(t, "pinned"),
			cost: float64(rapid.IntRange(0, 4).Draw(t, "cost")), align: 1, base: i}
		for range n.words {
			var live spans
			for at := rapid.IntRange(0, points-1).Draw(t, "from"); at < points; {
				to := rapid.IntRange(at+1, points).Draw(t, "to")
				live = append(live, span{int32(at), int32(to)})
				at = to + rapid.IntRange(1, 10).Draw(t, "gap")
			}
			n.live = append(n.live, live)
		}
		n.measure()
		w.nodes = append(w.nodes, n)
	}
	return w
}

func TestThePressureOfARangeIsThatOfItsWorstPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.IntRange(1, 40).Draw(t, "points")
		w := drawNodes(t, points)
		want := make([]int, points)
		add := func(from, to, by int) {
			for at := from; at < to; at++ {
				want[at] += by
			}
		}
		for _, n := range w.nodes {
			for _, live := range n.live {
				for _, s := range live {
					add(int(s.from), int(s.to), 1)
				}
			}
		}
		p := newPressure(points, w.nodes)
		for range 20 {
			from := rapid.IntRange(0, points-1).Draw(t, "from")
			to := rapid.IntRange(from+1, points).Draw(t, "to")
			if got, want := p.most(from, to), slices.Max(want[from:to]); got != want {
				t.Fatalf("points %d to %d: %d, want %d", from, to, got, want)
			}
			by := rapid.IntRange(-3, 3).Draw(t, "by")
			p.add(from, to, by)
			add(from, to, by)
		}
		if got := p.most(0, 0); got != math.MinInt {
			t.Errorf("no point at all: %d", got)
		}
	})
}

func TestReliefIsTheCheapestOfANodeAndItsNeighbours(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		points := rapid.IntRange(1, 40).Draw(t, "points")
		w := drawNodes(t, points)
		r := newRelief(w, points)
		for i, f := range w.nodes {
			var want *node
			for _, n := range w.nodes {
				if !n.pinned && (n == f || n.meets(f)) && (want == nil || n.density() < want.density()) {
					want = n
				}
			}
			if got := r.victim(f); got != want {
				t.Errorf("node %d: got %+v, want %+v", i, got, want)
			}
		}
	})
}

func TestSpansMeetAndAddUpAsSetsOfPointsDo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const points = 200
		draw := func(name string, longest int) (s spans, set [points]bool) {
			for at := rapid.IntRange(0, points/2).Draw(t, name); at < points; {
				to := min(points, at+rapid.IntRange(1, longest).Draw(t, name))
				s = append(s, span{int32(at), int32(to)})
				for i := at; i < to; i++ {
					set[i] = true
				}
				at = to + rapid.IntRange(1, longest).Draw(t, name)
			}
			return s, set
		}
		a, inA := draw("a", 2)
		b, inB := draw("b", 150) // few, so that they are looked up
		both := false
		for i := range inA {
			both = both || inA[i] && inB[i]
		}
		if a.meets(b) != both || b.meets(a) != both {
			t.Errorf("%v meets %v: %v, %v, want %v", a, b, a.meets(b), b.meets(a), both)
		}
		sum := a.plus(b)
		for i := range points {
			in := slices.ContainsFunc(sum, func(s span) bool { return int(s.from) <= i && i < int(s.to) })
			if in != (inA[i] || inB[i]) {
				t.Fatalf("%v plus %v is %v, wrong at %d", a, b, sum, i)
			}
		}
		for i := 1; i < len(sum); i++ {
			if sum[i-1].to >= sum[i].from {
				t.Fatalf("%v: spans touch", sum)
			}
		}
	})
}
