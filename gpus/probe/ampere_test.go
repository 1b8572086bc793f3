package probe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// issued returns the issue cycles of a text's instructions, counted from the first.
func issued(t *testing.T, warps int, text string) []int {
	t.Helper()
	n := strings.Count(text, ";")
	at := issues(t, ampere(t, warps, text), 0, 2, n)
	first := at[0]
	for i := range at {
		at[i] -= first
	}
	return at
}

// Figure 2 of Huerta et al.: three loads, two of them sharing a counter of their sources; a DEPBAR permitting one
// of these two to be outstanding; an instruction overwriting an address; and a use. The figure has 14 and 35 for
// the last two. This is one cycle below the paper's table 2, by which they are at 15 and 36.
func TestADepbarHoldsWhatIsBehindItUntilItsCounterIsLowEnough(t *testing.T) {
	got := issued(t, 1, `[B------:R-:W3:-:S01] LDG.E R20, [R2];
[B------:R0:W3:-:S01] LDG.E R22, [R4];
[B------:R0:W4:-:S02] LDG.E R24, [R6];
[B------:R-:W-:-:S01] IADD3 R30, R31, R32, R33;
[B------:R-:W-:-:S04] DEPBAR.LE SB0, 0x1;
[B------:R-:W-:-:S01] IADD3 R4, R31, R32, R33;
[B0--3--:R-:W-:-:S01] IADD3 R34, R20, R22, R33;
`+quiet)
	if d := cmp.Diff([]int{0, 1, 2, 4, 5, 15, 36}, got[:7]); d != "" {
		t.Errorf("issue (-want +got):\n%s", d)
	}
}

func TestADepbarWithAStallOfLessThanFourHoldsNobody(t *testing.T) {
	for stall, want := range map[int]int{1: 3, 2: 4, 3: 5, 4: 11} {
		got := issued(t, 1, fmt.Sprintf("[B------:R0:W3:-:S02] LDG.E R20, [R2];\n[B------:R-:W-:-:S%02d] "+
			"DEPBAR.LE SB0, 0x0;\n[B------:R-:W-:-:S01] IADD3 R30, R31, R32, R33;\n%s", stall, quiet))
		if got[2] != want {
			t.Errorf("stall %d: the next instruction issues at %d, want %d", stall, got[2], want)
		}
	}
}

// Three loads have raised SB1. A further load raises a counter in the braces, or SB1 to four.
func TestADepbarPassesAtItsValueIfTheCountersInBracesAreZero(t *testing.T) {
	for extra, want := range map[string]int{
		"":                                       7,
		"[B------:R-:W1:-:S02] LDS R27, [R2];\n": 24, // the first three are done
		"[B------:R-:W3:-:S02] LDS R27, [R2];\n": 30,
		"[B------:R-:W0:-:S02] LDS R27, [R2];\n": 9, // in no braces
	} {
		got := issued(t, 1, "[B------:R-:W1:-:S01] LDS R20, [R2];\n[B------:R-:W1:-:S01] LDS R22, [R2];\n"+
			"[B------:R-:W1:-:S01] LDS R24, [R2];\n"+extra+"[B------:R-:W-:-:S04] DEPBAR.LE SB1, 0x3, {4,3,2};\n"+
			"[B------:R-:W-:-:S01] IADD3 R30, R31, R32, R33;\n"+quiet)
		if at := got[len(got)-2]; at != want {
			t.Errorf("%q: the next instruction issues at %d, want %d", extra, at, want)
		}
	}
}

// Three entries of a warp's instruction buffer cover the latency from issue to fetch and back. With two entries a
// warp issues twice and then waits for a cycle, in which another warp issues.
func TestAWarpIssuesOnWithThreeEntriesInItsBufferAndNotWithTwo(t *testing.T) {
	text := strings.Repeat(word+"FADD R40, R2, R3;\n", 16)
	for buffer, most := range map[string]int{"3": 60, "2": 2} {
		rows := ampere(t, 8, text, "sm.fetch.width=4", "sm.fetch.instructions=1", "sm.fetch.latency=2",
			"sm.fetch.buffer="+buffer)
		run, longest, seen, last := 0, 0, 0, -1
		for _, x := range rows { // in the order of issue
			if x.Warp%4 != 0 || seen == 60 { // later one of the two has ended
				continue
			}
			seen++
			if x.Warp != last {
				run, last = 0, x.Warp
			}
			run++
			longest = max(longest, run)
		}
		if longest != most {
			t.Errorf("with %s entries a warp issues %d times in a row, want %d", buffer, longest, most)
		}
	}
}
