package policy

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pick returns a policy's choice among slots, and reports its issue to the policy.
func pick(p Policy, slots ...int) int {
	var ready uint64
	for _, s := range slots {
		ready |= 1 << s
	}
	s := p.Pick(ready)
	p.Issued(s)
	return s
}

// Slots 5, 0 and 3 start in this order, so neither age nor number alone
// explains the choices. Slot 0 issues while 5 waits. Then 5 is ready, then 0
// waits, and last 5 has ended.
func TestPoliciesDifferInWhomTheyStayWithAndWhomTheyTakeNext(t *testing.T) {
	for name, want := range map[string][5]int{
		"gto":    {0, 0, 5, 5, 0}, // stays with 0 although 5 is older
		"oldest": {0, 5, 5, 5, 0},
		"lrr":    {0, 3, 5, 3, 0},
		"greedy": {0, 0, 3, 3, 3},
	} {
		p := New(name)
		for _, s := range []int{5, 0, 3} {
			p.Started(s)
		}
		got := [5]int{pick(p, 0, 3), pick(p, 0, 3, 5), pick(p, 3, 5), pick(p, 3, 5)}
		p.Finished(5)
		got[4] = pick(p, 0, 3)
		if got != want {
			t.Errorf("%s chose %v, want %v", name, got, want)
		}
		// Slot 5 has a new warp, now the youngest; the warp of slot 0 ends.
		p.Started(5)
		p.Finished(0)
		if s := pick(p, 3, 5); s != 3 {
			t.Errorf("%s takes %d before the older, or lower, 3", name, s)
		}
	}
}

func TestAWarpIsSortedBetweenOlderAndYoungerWarps(t *testing.T) {
	for age, want := range map[int][]int8{1: {5, 0, 1, 2}, 3: {0, 5, 1, 2}, 5: {0, 1, 5, 2}, 7: {0, 1, 2, 5}} {
		p := &oldest{}
		ages := map[int]int{0: 2, 1: 4, 2: 6, 5: age}
		for _, s := range []int{0, 1, 2, 5} {
			p.Started(s)
		}
		p.Resort(5, func(other int) bool { return ages[5] > ages[other] })
		if d := cmp.Diff(want, p.order[:p.n]); d != "" {
			t.Errorf("age %d (-want +got):\n%s", age, d)
		}
	}
}

func TestWarpsMayStartAndEndAnyNumberOfTimes(t *testing.T) {
	p := &oldest{}
	p.Started(7)
	for range 200 {
		p.Started(3)
		p.Finished(3)
	}
	if p.n != 1 || p.Pick(1<<7) != 7 {
		t.Errorf("%d warps are there, want warp 7 alone", p.n)
	}
}

// Slot 3 issued last and its warp ends: the oldest is next, though a new warp has the slot.
func TestGreedyThenOldestForgetsAWarpThatHasEnded(t *testing.T) {
	p := New("gto")
	for _, s := range []int{0, 1, 3} {
		p.Started(s)
	}
	p.Issued(3)
	p.Finished(1) // another one
	p.Started(1)
	if s := p.Pick(0b1011); s != 3 {
		t.Errorf("slot %d is picked, want 3, which issued last", s)
	}
	p.Finished(3)
	p.Started(3)
	if s := p.Pick(0b1011); s != 0 {
		t.Errorf("slot %d is picked, want 0, the oldest", s)
	}
}

// Warp 1 starts after warp 0 and so is younger, although warp 0 has lost its slot since.
func TestAWarpThatComesBackHasTheAgeOfItsStart(t *testing.T) {
	p := &oldest{}
	age := map[int]int{0: 1, 1: 2, 2: 3}
	p.Started(0)
	p.Started(1)
	p.Finished(0)
	p.Started(2)
	age[3] = 1 // warp 0 in slot 3
	p.Started(3)
	p.Resort(3, func(other int) bool { return age[3] > age[other] })
	if p.Pick(1<<1|1<<2|1<<3) != 3 || p.Pick(1<<1|1<<2) != 1 {
		t.Errorf("order %v, want slots 3, 1, 2", p.order[:p.n])
	}
}
