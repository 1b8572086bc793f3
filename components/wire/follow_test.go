package wire_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// led is a network of a leader, domain 0, two followers, domains 1 and 2, a domain of another clock beside the first
// follower, and a domain joined to the leader as an SM to the chip. Links between leader and followers have little
// room.
func led(seed uint64) *netSpec {
	rng := rand.New(rand.NewPCG(seed, 7))
	s := &netSpec{hz: []uint64{6, 6, 6, 4, 6}, leader: map[int]int{1: 0, 2: 0}}
	const perDomain = 5
	for i := range len(s.hz) * perDomain {
		ns := nodeSpec{domain: i / perDomain, budget: 1 + rng.IntN(2), moody: rng.IntN(2) == 0}
		if i%perDomain < 2 {
			for at := uint64(1); at < 1500; at += uint64(rng.IntN(4)) {
				ns.inject = append(ns.inject, at)
			}
		}
		s.nodes = append(s.nodes, ns)
	}
	for i := range s.nodes {
		first := i / perDomain * perDomain
		for range 2 {
			if to := first + rng.IntN(perDomain); to > i {
				s.links = append(s.links, linkSpec{i, to, 1 + rng.IntN(2), 1 + rng.IntN(3)})
			}
		}
	}
	join := func(a, b, least int) {
		for range 4 {
			from, to := a*perDomain+rng.IntN(perDomain), b*perDomain+rng.IntN(perDomain)
			if rng.IntN(2) == 0 {
				from, to = to, from
			}
			s.links = append(s.links, linkSpec{from, to, least + rng.IntN(4), 1 + rng.IntN(9)})
		}
	}
	least := 6 * (1 + rng.IntN(2)) // two windows, or one, so that there are no halves
	join(0, 1, least)
	join(0, 2, least)
	join(1, 3, 1+rng.IntN(12))
	join(0, 4, 6)
	return s
}

const ledCycles = 800

var ledLayouts = []layout{
	{partition: []int{0, 1, 2, 1, 3}},
	{partition: []int{0, 1, 2, 1, 3}, window: 1},
	{partition: []int{0, 1, 2, 1, 3}, window: 4},
	{partition: []int{0, 1, 2, 1, 0}}, // no halves
	{partition: []int{0, 1, 2, 1, 3}, workers: 2},
	{partition: []int{0, 1, 2, 1, 3}, workers: 3, window: 2},
	{partition: []int{0, 1, 2, 1, 3}, workers: 9},
}

func TestFollowersBehaveAsPartsOfTheirLeadersDomain(t *testing.T) {
	seeds := uint64(9)
	if testing.Short() {
		seeds = 4
	}
	moves := 0
	for seed := range seeds {
		s := led(seed)
		want := newNaive(s).run(ledCycles)
		moves += moved(want)
		for _, lay := range ledLayouts {
			got := build(s, lay).run(ledCycles)
			if d := cmp.Diff(want, got, compareTakes); d != "" {
				t.Fatalf("seed %d, %+v: %s", seed, lay, d)
			}
		}
	}
	if moves < 1200*int(seeds) {
		t.Errorf("only %d moves: no test of anything", moves)
	}
}

func TestARunWithFollowersInSlicesIsTheSameRun(t *testing.T) {
	s := led(11)
	want := newNaive(s).run(ledCycles)
	for _, lay := range ledLayouts {
		got := build(s, lay).runInSlices(ledCycles)
		if d := cmp.Diff(want, got, compareTakes); d != "" {
			t.Fatalf("%+v: %s", lay, d)
		}
	}
}

func TestHooksSeeFollowersInTheOrderOfTime(t *testing.T) {
	s := led(11)
	want := newNaive(s).run(ledCycles)
	for _, lay := range ledLayouts {
		n := build(s, lay)
		h := n.hook()
		got := n.run(ledCycles)
		if d := cmp.Diff(want, got, compareTakes); d != "" {
			t.Fatalf("%+v: %s", lay, d)
		}
		if h.sent < 600 {
			t.Errorf("%+v: hooks saw only %d messages", lay, h.sent)
		}
	}
}

func TestStopsChangeNothingOfFollowers(t *testing.T) {
	s := led(11)
	for _, lay := range ledLayouts {
		want := build(s, lay).run(meshCycles)
		got, stops := stoppedOften(t, build(s, lay), 1)
		if d := cmp.Diff(want, got, compareTakes); d != "" || stops < 20 {
			t.Errorf("%+v, %d stops: %s", lay, stops, d)
		}
	}
}
