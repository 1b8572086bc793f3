package reason

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
)

// Each reason is also a state in which a warp can be, except the reasons that only a slot can have, such as Inserted.
func TestWarpCyclesAreCountedByTheStatesOfWarps(t *testing.T) {
	reg := &stats.Registry{}
	a := &Account{}
	a.Register("S", 1, List([]Info{{Reason: First, Name: "inactive"}}, Inserted, Unpaired), reg)
	var got []string
	for _, s := range reg.Stats() {
		if s.Name[:9] == "sm.warps." {
			got = append(got, s.Name[9:])
		}
		if s.Name == "sm.warps.issued" && s.Description != "warp-cycles of warps that could issue, used or not" ||
			s.Name == "sm.warps.memory" && s.Description != "warp-cycles in state memory" {
			t.Errorf("%s: %s", s.Name, s.Description)
		}
	}
	if d := cmp.Diff([]string{"barrier", "drain", "fence", "inactive", "issued", "memory", "no_instruction",
		"scoreboard"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	a.Enter(Memory, 0b111)
	a.Enter(First, 0b11)
	a.hold(4)
	if a.Warps[Memory] != 15 || a.Warps[First] != 10 {
		t.Errorf("%d warp-cycles of memory, %d inactive; want 5 of each warp: 15, 10", a.Warps[Memory],
			a.Warps[First])
	}
}

// At 10 three slots: an instruction, an inserted operation, one lost to memory; up to 14 all
// are lost to memory. A scheduler already at 9 when the launch ends at 5 subtracts 4 cycles.
func TestEverySlotOfACycleHasAReason(t *testing.T) {
	a := &Account{width: 3}
	a.Begin(9)
	a.Cycle(10, 1, 1, Memory)
	a.Finish(14)
	if s := &a.Slots; s[Issued] != 1 || s[Inserted] != 1 || s[Memory] != 1+4*3 {
		t.Errorf("%d issued, %d inserted, %d lost; want 1, 1, 13", s[Issued], s[Inserted], s[Memory])
	}
	b := &Account{width: 2}
	b.Begin(0)
	b.Cycle(9, 0, 0, Empty)
	b.Slots[Empty] = 18
	b.Finish(5)
	if b.Slots[Empty] != 10 || b.seen != 5 {
		t.Errorf("%d slots up to %d, want 10 up to 5", b.Slots[Empty], b.seen)
	}
}
