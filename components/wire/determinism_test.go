package wire_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mesh is a network of 28 routers in four clock domains with a lot of
// fan-in, small queues and moody receivers, so that most links are blocked at
// one time or another.
func mesh(seed uint64) *netSpec {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &netSpec{hz: []uint64{6, 6, 6, 4}}
	const perDomain = 7
	for i := 0; i < 4*perDomain; i++ {
		ns := nodeSpec{domain: i / perDomain, budget: 1 + rng.IntN(2), moody: rng.IntN(2) == 0}
		if i%perDomain < 3 {
			for at := uint64(1); at < 1500; at += uint64(rng.IntN(4)) {
				ns.inject = append(ns.inject, at)
			}
		}
		s.nodes = append(s.nodes, ns)
	}
	for i := range s.nodes {
		first := i / perDomain * perDomain
		for range 3 { // within the domain, forward, so that the network drains
			if to := first + rng.IntN(perDomain); to > i {
				s.links = append(s.links, linkSpec{i, to, 1 + rng.IntN(2), 1 + rng.IntN(3)})
			}
		}
	}
	for range 10 { // between domains
		from, to := rng.IntN(len(s.nodes)), rng.IntN(len(s.nodes))
		if s.nodes[from].domain != s.nodes[to].domain {
			s.links = append(s.links, linkSpec{from, to, 6 + rng.IntN(4), 4 + rng.IntN(10)})
		}
	}
	return s
}

const meshCycles = 2000

func moved(logs [][]take) (n int) {
	for _, l := range logs {
		n += len(l)
	}
	return n
}

func TestTheTickOrderWithinACycleDoesNotMatter(t *testing.T) {
	s := mesh(1)
	want := build(s, layout{partition: []int{0, 0, 0, 0}}).run(meshCycles)
	if n := moved(want); n < 8000 {
		t.Fatalf("only %d moves: no test of anything", n)
	}
	for seed := uint64(1); seed <= 3; seed++ {
		rng := rand.New(rand.NewPCG(seed, 2))
		shuffle := func(n int) []int32 {
			perm := make([]int32, n)
			for i, x := range rng.Perm(n) {
				perm[i] = int32(x)
			}
			return perm
		}
		got := build(s, layout{partition: []int{0, 0, 0, 0}, shuffle: shuffle}).run(meshCycles)
		if d := cmp.Diff(want, got, compareTakes); d != "" {
			t.Fatalf("permutation %d: %s", seed, d)
		}
	}
}

func TestNeitherWorkersNorWindowsNorPartitionsMatter(t *testing.T) {
	s := mesh(2)
	want := newNaive(s).run(meshCycles)
	for _, lay := range []layout{
		{partition: []int{0, 0, 0, 0}},
		{partition: []int{0, 1, 2, 3}, workers: 1},
		{partition: []int{0, 1, 2, 3}, workers: 2},
		{partition: []int{0, 1, 2, 3}, workers: 3},
		{partition: []int{0, 1, 2, 3}, workers: 9},
		{partition: []int{0, 1, 2, 3}, workers: 2, window: 1},
		{partition: []int{0, 1, 2, 3}, workers: 2, window: 5},
		{partition: []int{2, 0, 1, 1}, workers: 2},
	} {
		got := build(s, lay).run(meshCycles)
		if d := cmp.Diff(want, got, compareTakes); d != "" {
			t.Fatalf("%+v: %s", lay, d)
		}
	}
}

// star is a mesh in which links between domains lead to domain 0 or come from it.
func star(seed uint64) *netSpec {
	s := mesh(seed)
	s.links = slices.DeleteFunc(s.links, func(l linkSpec) bool {
		from, to := s.nodes[l.from].domain, s.nodes[l.to].domain
		return from != to && from != 0 && to != 0
	})
	return s
}

func TestHalvesInTurnMakeTheSameRun(t *testing.T) {
	end := uint64(25)
	if testing.Short() {
		end = 8
	}
	for seed := uint64(5); seed < end; seed++ {
		s := star(seed)
		want := newNaive(s).run(meshCycles)
		for _, lay := range []layout{
			{partition: []int{0, 1, 2, 3}},
			{partition: []int{3, 2, 1, 0}},
			{partition: []int{0, 1, 1, 1}},
			{partition: []int{0, 1, 0, 2}},
			{partition: []int{0, 1, 2, 3}, window: 1},
			{partition: []int{0, 1, 2, 3}, window: 5},
		} {
			got := build(s, lay).run(meshCycles)
			if d := cmp.Diff(want, got, compareTakes); d != "" {
				t.Fatalf("seed %d, %+v: %s", seed, lay, d)
			}
		}
	}
}

func TestARunInSlicesIsTheSameRun(t *testing.T) {
	for _, lay := range []layout{
		{partition: []int{0, 1, 2, 2}, workers: 2},
		{partition: []int{0, 1, 2, 3}}, // halves in turn
	} {
		s := star(3)
		want := build(s, lay).run(meshCycles)
		got := build(s, lay).runInSlices(meshCycles)
		if d := cmp.Diff(want, got, compareTakes); d != "" {
			t.Fatalf("%+v: %s", lay, d)
		}
	}
}

func TestHooksChangeNothing(t *testing.T) {
	s := mesh(4)
	lay := layout{partition: []int{0, 1, 2, 2}, workers: 3}
	want := build(s, lay).run(meshCycles)
	n := build(s, lay)
	h := n.hook()
	got := n.run(meshCycles)
	if d := cmp.Diff(want, got, compareTakes); d != "" {
		t.Fatal(d)
	}
	popped := 0
	for _, log := range got {
		for _, x := range log {
			if x.link >= 0 {
				popped++
			}
		}
	}
	if h.retrieved != popped || h.received < popped || h.sent < h.received {
		t.Errorf("hooks saw %d sent, %d received, %d retrieved; %d were popped", h.sent, h.received, h.retrieved,
			popped)
	}
}
