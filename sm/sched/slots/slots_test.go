package slots

import (
	"testing"

	"kumiko/sm/reason"
)

// Slot 0 has no instruction. Slots 1 to 6 have one, and are in a row each: of barriers, fences, memory, the
// scoreboard, an early reason and a late one. Slot 7 is in none.
func TestAWarpIsReadyWithAnInstructionAndInNoRow(t *testing.T) {
	s := Sets{Live: 0xff, Head: 0xfe, Exited: 1, Late: reason.First + 1, End: reason.First + 2}
	for slot, row := range []reason.Reason{reason.AtBarrier, reason.FencePending, reason.Memory, reason.Scoreboard,
		reason.First, reason.First + 1} {
		s.Blocked[row] = 1 << (slot + 1)
	}
	if s.Chosen() != 0b11000000 || s.Ready() != 0b10000000 || s.Running() != 0xfe {
		t.Errorf("chosen %b, ready %b, running %b; want slots 6 and 7, slot 7, and all but 0", s.Chosen(), s.Ready(),
			s.Running())
	}
}

func TestWithoutRowsOfItsOwnASchedulerHasThoseOfEverySchedulerAlone(t *testing.T) {
	s := Sets{Head: 0b11, Late: reason.First, End: reason.First}
	s.Blocked[reason.Memory] = 0b01
	s.Blocked[reason.First] = 0b10 // of nobody
	if s.Chosen() != 0b10 || s.Ready() != 0b10 {
		t.Errorf("chosen %b, ready %b, want slot 1", s.Chosen(), s.Ready())
	}
}
