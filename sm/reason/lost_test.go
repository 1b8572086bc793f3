package reason

import (
	"testing"

	"kumiko/components/stats"
)

// registered returns the account of a scheduler of two slots with one reason of its own.
func registered(t *testing.T) *Account {
	t.Helper()
	a := &Account{}
	a.Register("S", 2, List([]Info{{Reason: First, Name: "inactive"}}, Inserted, Unpaired, Pending), &stats.Registry{})
	return a
}

// The warps' states are taken away one by one, the nearest to issuing first.
func TestALostSlotHasTheReasonOfTheWarpNearestToIssuing(t *testing.T) {
	a := registered(t)
	order := []Reason{First, Scoreboard, Memory, FencePending, AtBarrier, NoInst, Draining}
	for i, r := range order {
		a.States[r] = 1 << i
	}
	a.Pending = 1
	for _, r := range order {
		if got := a.Lost(true); got != r {
			t.Errorf("a slot is lost for reason %d, want %d", got, r)
		}
		a.States[r] = 0
	}
	if got := a.Lost(true); got != Pending {
		t.Errorf("with a warp without a slot: reason %d, want %d", got, Pending)
	}
	a.Pending = 0
	if got := a.Lost(true); got != Empty {
		t.Errorf("without warps: reason %d, want %d", got, Empty)
	}
}

func TestASlotIsLostWithAReadyWarpToThePairOrToTheRegisterFile(t *testing.T) {
	a := registered(t)
	a.States[Issued], a.States[Scoreboard] = 1, 2
	if got := [2]Reason{a.Lost(true), a.Lost(false)}; got != [2]Reason{Unpaired, RegfileFull} {
		t.Errorf("reasons %v, want %v", got, [2]Reason{Unpaired, RegfileFull})
	}
}

// The account has seen cycle 10. The scheduler sleeps through 11 and 12, and ticks in 13.
func TestTheCyclesOfASleepHaveTheReasonOfTheLastOne(t *testing.T) {
	a := registered(t)
	a.Begin(9)
	a.Enter(Memory, 0b111)
	a.Cycle(10, 0, 0, Memory)
	a.CatchUp(11)
	if a.Slots[Memory] != 2 || a.Warps[Memory] != 3 {
		t.Errorf("without a sleep: %d slots, %d warp-cycles; want 2, 3", a.Slots[Memory], a.Warps[Memory])
	}
	a.CatchUp(13)
	if a.Slots[Memory] != 2*3 || a.Warps[Memory] != 3*3 {
		t.Errorf("after a sleep of two cycles: %d slots, %d warp-cycles; want 6, 9", a.Slots[Memory], a.Warps[Memory])
	}
}

// An account already at the last cycle of a launch neither subtracts slots nor adds any.
func TestAnAccountIsClosedAtTheCycleThatItHasSeen(t *testing.T) {
	a := registered(t)
	a.Begin(4)
	a.Cycle(5, 0, 0, Memory)
	a.Finish(5)
	if a.Slots[Memory] != 2 || a.Slots[Empty] != 0 {
		t.Errorf("%d slots lost to memory, %d empty; want 2, 0", a.Slots[Memory], a.Slots[Empty])
	}
}

func TestOnlyReasonsOfEverySMAreNamed(t *testing.T) {
	for name, want := range map[string]bool{"barrier": true, "parked": true, "inactive": false} {
		if Named(name) != want {
			t.Errorf("%s: %t, want %t", name, !want, want)
		}
	}
}
