package twolevel

import (
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/sm/reason"
	"kumiko/sm/sched/slots"
)

func setRules(places int, ready, barrier bool, after wire.Cycle) Rules {
	return Rules{Places: places, SuspendReady: ready, AtBarrier: barrier, After: after}
}

// filled returns n ready warps, the first of them active.
func filled(a *Set, n int) *slots.Sets {
	s := &slots.Sets{}
	for i := range n {
		s.Live |= 1 << i
		s.Head |= 1 << i
		s.Clear |= 1 << i
		if !a.full() {
			a.Activate(i, s, 0)
			a.Issued(i, false, 0)
		}
	}
	return s
}

// step simulates a cycle: warps that have to leave the active set leave it, then one that may enters. It returns the
// warps that left, and the one that entered or -1.
func step(a *Set, s *slots.Sets, now wire.Cycle) (left uint64, entered int) {
	for c, m := range a.Leaving(s, now) {
		left |= m
		for ; m != 0; m &= m - 1 {
			a.Suspend(bits.TrailingZeros64(m), Cause(c))
		}
	}
	slot := a.Next(s)
	if slot >= 0 {
		a.Activate(slot, s, now)
	}
	return left, slot
}

func TestPlacesAreGivenInTurn(t *testing.T) {
	a := New(setRules(2, true, true, 0), "A", nil)
	s := filled(a, 5) // 0 and 1 active
	var got []int
	for _, leaves := range []int{0, 1, 2, 3, 4, 0, 1} {
		s.Long = 1 << leaves
		_, entered := step(a, s, 0)
		a.Issued(entered, false, 0)
		got = append(got, entered)
	}
	if d := cmp.Diff([]int{2, 3, 4, 0, 1, 2, 3}, got); d != "" {
		t.Error(d)
	}
}

func TestWhoLeavesComesBackInTheNextCycleAtTheSoonestAndThenIssues(t *testing.T) {
	a := New(setRules(1, true, true, 0), "A", nil)
	s := filled(a, 2)
	s.Clear, s.Long = 0b01, 0b01 // the other waits for data
	if left, entered := step(a, s, 1); left != 0b01 || entered != -1 {
		t.Errorf("cycle 1: %b leaves, %d enters; want warp 0, nobody", left, entered)
	}
	if left, entered := step(a, s, 2); left != 0 || entered != 0 {
		t.Errorf("cycle 2: %b leaves, %d enters; want nobody, 0", left, entered)
	}
	for c := wire.Cycle(3); c < 10; c++ {
		if left, _ := step(a, s, c); left != 0 {
			t.Fatalf("cycle %d: suspended again for the same instruction", c)
		}
	}
	a.Issued(0, false, 10)
	if left, _ := step(a, s, 11); left != 0b01 {
		t.Error("the next long consumer does not suspend the warp")
	}
}

func TestAWarpEntersWhenItCouldIssueOrIsNewAndNotAtABarrier(t *testing.T) {
	for name, c := range map[string]struct {
		s     slots.Sets
		enter int
	}{
		"ready":                {slots.Sets{Live: 2, Head: 2, Clear: 2}, 1},
		"waits for a result":   {slots.Sets{Live: 2, Head: 2}, -1},
		"new, nothing fetched": {slots.Sets{Live: 2, Fresh: 2}, 1},
		"new, its head waits":  {slots.Sets{Live: 2, Fresh: 2, Head: 2}, -1},
		"old, nothing fetched": {slots.Sets{Live: 2}, -1},
		"ready, but at a barrier": {slots.Sets{Live: 2, Head: 2, Clear: 2,
			Blocked: [reason.Num]uint64{reason.AtBarrier: 2}}, -1},
		"its start is not noticed": {slots.Sets{Live: 2, Head: 2, Clear: 2, Fresh: 2, StartPending: 2}, -1},
		"has ended":                {slots.Sets{Live: 2, Exited: 2}, -1},
	} {
		a := New(setRules(1, true, true, 0), "A", nil)
		if got := a.Next(&c.s); got != c.enter {
			t.Errorf("%s: slot %d enters, want %d", name, got, c.enter)
		}
	}
}

func TestALongConsumerWhoseDataIsThereMayKeepItsPlace(t *testing.T) {
	a := New(setRules(1, false, true, 0), "A", nil)
	s := filled(a, 2)
	s.Long = 0b01
	if left, _ := step(a, s, 1); left != 0 {
		t.Error("suspended with its data there")
	}
	s.Clear, s.Blocked[reason.Memory] = 0b10, 0b01
	if left, entered := step(a, s, 2); left != 0b01 || entered != 1 {
		t.Errorf("%b leaves, %d enters; want warp 0 and 1: its data is awaited", left, entered)
	}
}

func TestAWarpAtABarrierLeavesAndWithoutThatOnlyIfAllAreThere(t *testing.T) {
	for _, c := range []struct {
		atBarrier bool
		wait      uint64
		left      uint64
	}{{true, 0b01, 0b01}, {false, 0b01, 0}, {false, 0b11, 0b11}} {
		a := New(setRules(2, true, c.atBarrier, 0), "A", nil)
		s := filled(a, 3)
		s.Blocked[reason.AtBarrier] = c.wait
		if left, _ := step(a, s, 1); left != c.left {
			t.Errorf("suspend at barrier %t, %02b wait: %02b leave, want %02b", c.atBarrier, c.wait, left, c.left)
		}
		if got := a.Suspensions[barrierWait]; got != uint64(bits.OnesCount64(c.left)) {
			t.Errorf("%d suspensions counted", got)
		}
	}
}

func TestAWarpThatDoesNotIssueLeavesAfterTheGivenCycles(t *testing.T) {
	a := New(setRules(1, true, true, 20), "A", nil)
	s := filled(a, 2)
	a.Issued(0, false, 5)
	if at := a.Due(s, 6); at != 25 {
		t.Errorf("due at %d, want 25", at)
	}
	if left, _ := step(a, s, 24); left != 0 {
		t.Error("left at 24")
	}
	if left, entered := step(a, s, 25); left != 1 || entered != 1 || a.Suspensions[stalled] != 1 {
		t.Errorf("%b leaves at 25, %d enters", left, entered)
	}
}

func TestWithNoMoreWarpsThanPlacesEachIsActiveFromItsStartAndStays(t *testing.T) {
	a := New(setRules(3, true, true, 5), "A", nil)
	s := &slots.Sets{Live: 0b111, Fresh: 0b111}
	for i := range 3 {
		if !a.Start(i, s, 1) {
			t.Fatalf("warp %d is not active", i)
		}
	}
	s.Head, s.Long, s.Blocked[reason.Memory], s.Blocked[reason.AtBarrier] = 0b111, 0b011, 0b001, 0b100
	for c := wire.Cycle(2); c < 50; c++ {
		if left, _ := step(a, s, c); left != 0 {
			t.Fatalf("cycle %d: %b leave", c, left)
		}
	}
	s.Live |= 0b1000
	if a.Start(3, s, 50) {
		t.Error("a fourth warp has a place of three")
	}
}

func TestActiveWarpsAreSummedOverCyclesWhateverTheTicks(t *testing.T) {
	a := New(setRules(4, true, true, 0), "A", nil)
	filled(a, 3)
	a.Account(10)
	a.Account(10)
	a.Account(15)
	a.Issued(0, true, 15)
	a.Account(25)
	// three until 15, then two
	if want := uint64(3*15 + 2*10); a.warpCycles != want {
		t.Errorf("%d warp-cycles, want %d", a.warpCycles, want)
	}
}

// The active set never holds more warps than it has places, nor warps that have ended, and no warp enters out of turn.
func TestTheActiveSetKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 8).Draw(t, "places")
		a := New(setRules(places, rapid.Bool().Draw(t, "ready"), rapid.Bool().Draw(t, "barrier"),
			wire.Cycle(rapid.IntRange(0, 9).Draw(t, "after"))), "A", nil)
		word := rapid.Uint64()
		s := slots.Sets{Live: word.Draw(t, "live")}
		for now := wire.Cycle(1); now < 30; now++ {
			s.Exited = s.Live & word.Draw(t, "exited")
			for m := a.Members & s.Exited; m != 0; m &= m - 1 {
				a.Issued(bits.TrailingZeros64(m), true, now)
			}
			s.Head = s.Running() & word.Draw(t, "head")
			s.Clear = s.Head & word.Draw(t, "clear")
			s.Long = s.Head & word.Draw(t, "long")
			s.Blocked[reason.AtBarrier] = s.Running() & word.Draw(t, "bar")
			before := a.Members
			left, entered := step(a, &s, now)
			if n := bits.OnesCount64(a.Members); n > places || a.Members&^s.Running() != 0 {
				t.Fatalf("%d of %d places taken, by %x of %x", n, places, a.Members, s.Running())
			}
			want := before &^ left
			if entered >= 0 {
				want |= 1 << entered
				if before>>entered&1 != 0 {
					t.Fatalf("slot %d enters, but was a member", entered)
				}
			}
			if a.Members != want {
				t.Fatalf("members %x, want %x", a.Members, want)
			}
		}
	})
}

func TestAMissSuspendsAWarpUntilNothingFromMemoryIsAwaited(t *testing.T) {
	rules := setRules(1, true, true, 0)
	rules.On = Miss
	a := New(rules, "A", nil)
	s := filled(a, 2)
	s.Long = 0b01
	if left, _ := step(a, s, 1); left != 0 {
		t.Error("suspended by a use, without a miss")
	}
	s.Missed = 0b01 // its next instruction could issue
	if left, entered := step(a, s, 2); left != 0b01 || entered != 1 || a.Suspensions[LongLatency] != 1 {
		t.Errorf("%b leaves, %d enters; want warp 0 and 1: it has missed", left, entered)
	}
	a.Issued(1, true, 3)
	s.Live = 0b01
	if _, entered := step(a, s, 4); entered != -1 {
		t.Errorf("%d enters with data outstanding", entered)
	}
	s.Missed = 0
	if _, entered := step(a, s, 5); entered != 0 {
		t.Errorf("%d enters, want 0: its data is there", entered)
	}
}

// Warp 0 uses a loaded value: at 1 no load has missed, at 2 the result is there, at 3 it is awaited after a miss.
func TestAUseSuspendsAWarpOnlyAfterAMissIfThatIsAsked(t *testing.T) {
	rules := setRules(1, false, true, 0)
	rules.On = MissedUse
	a := New(rules, "A", nil)
	s := filled(a, 2)
	s.Long, s.Clear = 0b01, 0b10
	for now, c := range []struct {
		awaited, missed, left uint64
	}{{}, {awaited: 1}, {missed: 1}, {awaited: 1, missed: 1, left: 1}} {
		s.Blocked[reason.Memory], s.Missed = c.awaited, c.missed
		if left, _ := step(a, s, wire.Cycle(now)); left != c.left {
			t.Errorf("%+v: %b leaves", c, left)
		}
	}
	a.Issued(1, true, 4)
	s.Live, s.Clear, s.Blocked[reason.Memory] = 0b01, 0b01, 0
	if _, entered := step(a, s, 5); entered != 0 {
		t.Errorf("%d enters, want 0: its operand is there, if not all of its loads", entered)
	}
}
