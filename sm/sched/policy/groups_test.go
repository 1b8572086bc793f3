package policy

import (
	"testing"

	"kumiko/sm/reason"
	"kumiko/sm/sched/slots"
)

// Four groups of two slots; group 2 has no warp.
func TestAFetchGroupGivesWayToTheNextOneOfWhichAWarpCanGoOn(t *testing.T) {
	p := NewFetchGroups(2)
	s := &slots.Sets{Live: 0b11001111}
	want := func(what string, group uint64) {
		t.Helper()
		if got := p.Eligible(s); got != group {
			t.Errorf("%s: slots %08b, want %08b", what, got, group)
		}
	}
	want("all can go on", 0b11)
	s.Blocked[reason.Memory] = 0b01
	want("one of the group waits for memory", 0b11)
	s.Blocked[reason.AtBarrier] = 0b10
	want("the other waits at a barrier", 0b1100)
	s.Blocked[reason.FencePending], s.Asked = 0b0100, 0b1000
	want("a fence and a gate that has been asked hold the group", 0b11000000)
	s.Blocked[reason.Memory] = 0b11000000
	s.Blocked[reason.AtBarrier] = 0
	want("the turn begins anew", 0b11)
	s.Blocked[reason.Memory] = 0b11000011
	want("no warp can go on", 0b11)
	s.Blocked[reason.Memory], s.Exited = 0, 0b11
	want("the group's warps have ended", 0b11000000)
	s.Exited, s.Blocked[reason.Memory], s.Blocked[reason.FencePending], s.Asked = 0, 0b11000000, 0, 0
	want("the first of two groups, after the last", 0b11)
	s.Blocked[reason.Memory] = 0b11000011
	want("the next group", 0b1100)
	s.Blocked[reason.Memory] = 0b1100
	want("a group behind, not one before", 0b11000000)
}

func TestTheYoungestIsNextWhenTheGreedyOneWaits(t *testing.T) {
	p := New("cggty")
	for _, s := range []int{5, 0, 3} {
		p.Started(s)
	}
	for i, k := range []struct {
		ready []int
		want  int
	}{{[]int{5, 0, 3}, 3}, {[]int{5, 3}, 3}, {[]int{5, 0}, 0}, {[]int{5, 0, 3}, 0}, {[]int{5}, 5}} {
		if got := pick(p, k.ready...); got != k.want {
			t.Errorf("choice %d among %v: slot %d, want %d", i, k.ready, got, k.want)
		}
	}
	p.Finished(5)
	if got := pick(p, 0, 3); got != 3 {
		t.Errorf("slot %d after the end of the greedy one, want 3", got)
	}
}

func TestNoWarpIsPreferredBeforeTheFirstIssue(t *testing.T) {
	for name, want := range map[string]int{"gto": 3, "oldest": 3, "cggty": 0, "lrr": 0, "greedy": 0} {
		p := New(name)
		for _, s := range []int{3, 1, 0} {
			p.Started(s)
		}
		if got := pick(p, 0, 1, 3); got != want {
			t.Errorf("%s: slot %d, want %d", name, got, want)
		}
	}
	if New("none") != nil {
		t.Error("there is a policy none")
	}
}

// Slot 0 issues last: a policy with -1 or 1 for no slot would prefer another.
func TestSlot0MayBeTheGreedyOne(t *testing.T) {
	for _, name := range []string{"gto", "cggty"} {
		p := New(name)
		for _, s := range []int{2, 0, 1} {
			p.Started(s)
		}
		p.Issued(0)
		if got := p.Pick(0b111); got != 0 {
			t.Errorf("%s: slot %d, want 0", name, got)
		}
	}
}
