package twolevel

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/sm/sched/slots"
)

// Three members of four warps have issued at 10, 6 and 8, and may stall for 20 cycles.
func stalling() (*Set, *slots.Sets) {
	a := New(setRules(3, true, true, 20), "A", nil)
	s := filled(a, 4)
	a.Issued(0, false, 10)
	a.Issued(1, false, 6)
	a.Issued(2, false, 8)
	return a, s
}

func TestTheSchedulerIsWokenForTheFirstMemberThatStallsAndOnce(t *testing.T) {
	a, s := stalling()
	if at := a.Due(s, 12); at != 26 {
		t.Errorf("woken at %d, want 26", at)
	}
	if at := a.Due(s, 13); at != wire.Never {
		t.Errorf("told again, for %d", at)
	}
	a.Issued(1, false, 14)
	if at := a.Due(s, 14); at != 28 {
		t.Errorf("woken at %d, want 28", at)
	}
	b, s := stalling()
	if at := b.Due(s, 26); at != wire.Never {
		t.Errorf("woken at %d for a cycle that is now", at)
	}
}

func TestAWarpWhoseGateOpensHasNotStalledSoLong(t *testing.T) {
	a, s := stalling()
	a.Open(0b110, 16)
	for now, want := range map[wire.Cycle]uint64{29: 0, 30: 0b001} {
		if left := a.Leaving(s, now)[stalled]; left != want {
			t.Errorf("cycle %d: members %03b leave, want %03b", now, left, want)
		}
	}
	if left := a.Leaving(s, 36)[stalled]; left != 0b111 {
		t.Errorf("cycle 36: members %03b leave, want all", left)
	}
}

func TestEntriesAndCyclesOfMembersAreCounted(t *testing.T) {
	a := New(setRules(3, true, true, 0), "A", nil)
	filled(a, 4)
	if a.Activations != 3 {
		t.Errorf("%d warps entered, want 3", a.Activations)
	}
	a.Account(10)
	a.Issued(0, true, 10)
	a.Account(14)
	if want := uint64(3*10 + 2*4); a.warpCycles != want {
		t.Errorf("%d warp-cycles, want %d", a.warpCycles, want)
	}
}
