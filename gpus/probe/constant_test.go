package probe

import "testing"

// A constant operand missing in the sub-core's cache delays its instruction by 79 cycles, once. An earlier read by
// an LDC makes no difference, since LDC has a cache of its own (Huerta et al., section 5.4).
func TestAConstantOperandDelaysItsInstructionOnce(t *testing.T) {
	text := "[B------:R-:W0:-:S02] LDC R20, c[0x0][0x160];\n" + quiet +
		plain("FADD R5, R2, R3;\nFADD R6, R2, c[0x0][0x160];\nFADD R7, R2, c[0x0][0x164];") + "\n" + quiet
	for repetition, want := range [2][3]int{{0, 80, 81}, {0, 1, 2}} {
		at := issues(t, ampere(t, 1, text, "sm.constant_cache.lines=8"), 0, repetition, 6)
		if got := [3]int{0, at[3] - at[2], at[4] - at[2]}; got != want {
			t.Errorf("repetition %d: instructions issue at %v, want %v", repetition, got, want)
		}
	}
}

// After a miss the sub-core issues nothing for four cycles. Then the youngest ready warp issues. Warps 0, 4 and 8
// share a sub-core. They miss one after the other on one line, the youngest first.
func TestASubCoreWaitsFourCyclesForAConstantAndThenTurnsToTheYoungestWarp(t *testing.T) {
	text := word + "FADD R5, R2, R3;\n" + word + "FADD R6, R2, c[0x0][0x160];\n" + quiet
	rows := ampere(t, 12, text, "sm.constant_cache.lines=8")
	old, middle, young := issues(t, rows, 0, 0, 3), issues(t, rows, 4, 0, 3), issues(t, rows, 8, 0, 3)
	// the youngest issues once, misses a cycle later, and holds the sub-core in this cycle and three more
	if middle[0] != young[0]+1+4 || old[0] != middle[0]+1+4 {
		t.Errorf("first issues at %d, %d and %d, want five cycles apart", young[0], middle[0], old[0])
	}
	// the oldest was the last to issue, so it continues first
	if first := min(old[1], middle[1], young[1]); first != young[0]+1+79 || first != old[1] {
		t.Errorf("warps go on at %d, %d and %d, want the oldest 80 cycles behind the first issue, %d", old[1],
			middle[1], young[1], young[0])
	}
}
