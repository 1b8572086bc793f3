package probe

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/config"
	"kumiko/gpus/timeline"
	"kumiko/kernel/cuasm"
)

// ampere runs a text on the GPU measured by Huerta et al. (MICRO 2025), by the text's control words and with
// Settings. It returns the lives of the instructions.
func ampere(t *testing.T, warps int, text string, set ...string) []timeline.Instruction {
	t.Helper()
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	code := list[0].Insts
	cfg, err := config.Load(config.Request{GPU: "rtx-a6000",
		Set: append(append(Settings(code), "sched.dependences=control"), set...)})
	if err != nil {
		t.Fatal(err)
	}
	rows, _, err := simulate(cfg, code, &Spec{Warps: warps, Repeat: leastRepeat, Check: true, File: "x.sass"})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return rows
}

// issues returns the issue cycles, from 0, of a warp's repetition of n instructions.
func issues(t *testing.T, rows []timeline.Instruction, warp, repetition, n int) []int {
	t.Helper()
	var at []int
	for i := range rows {
		if rows[i].Warp == warp {
			at = append(at, int(rows[i].Begin[0]))
		}
	}
	first := repetition * n
	if len(at) < first+n {
		t.Fatalf("warp %d has issued %d instructions, expected at least %d", warp, len(at), first+n)
	}
	slices.Sort(at)
	return at[first : first+n]
}

// quiet waits for all instructions to end.
const quiet = "[B012345:R-:W-:Y:S00] NOP;\n"

// Loads with addresses in registers hit in the L1, on one to four sub-cores. Five issue back to back, filling the
// sub-core's queue, and later ones issue as earlier ones leave it. The cycles count from the first issue (table 1
// of the paper begins with 2).
func TestASubCoreIssuesFiveLoadsAndThenAsManyAsTheSMTakes(t *testing.T) {
	text := quiet
	for i := range 10 {
		text += fmt.Sprintf("[B------:R-:W0:-:S01] LDG.E R%d, [R2];\n", 10+i)
	}
	// issue cycles of the sixth, seventh and eighth load, by number of sub-cores and then by sub-core
	want := [][][]int{
		{{11, 15, 19}},
		{{11, 15, 19}, {13, 17, 21}},
		{{11, 17, 23}, {13, 19, 25}, {15, 21, 27}},
		{{11, 19, 27}, {13, 21, 29}, {15, 23, 31}, {17, 25, 33}},
	}
	for n, cores := range want {
		rows := ampere(t, n+1, text)
		for w, late := range cores {
			at := issues(t, rows, w, 0, 11)[1:] // the first repetition: the warps begin it together
			for i := range at {
				at[i] -= issues(t, rows, 0, 0, 11)[1]
			}
			step := late[2] - late[1]
			if d := cmp.Diff(append([]int{0, 1, 2, 3, 4}, append(late, late[2]+step, late[2]+2*step)...), at); d != "" {
				t.Errorf("sub-core %d of %d (-want +got):\n%s", w, n+1, d)
			}
		}
	}
}

// memoryTimes is table 2 of Huerta et al.: the cycles from a memory instruction to the first instruction allowed to
// overwrite a source (war), and to the first allowed to use or overwrite the result (raw); 0: no result.
var memoryTimes = []struct {
	text     string
	war, raw int
}{
	{"LDG.E R12, [UR2]", 9, 29}, {"LDG.E.64 R12, [UR2]", 9, 31}, {"LDG.E.128 R12, [UR2]", 9, 35},
	{"LDG.E R12, [R2]", 11, 32}, {"LDG.E.64 R12, [R2]", 11, 34}, {"LDG.E.128 R12, [R2]", 11, 38},
	{"STG.E [UR2], R12", 10, 0}, {"STG.E.64 [UR2], R12", 12, 0}, {"STG.E.128 [UR2], R12", 16, 0},
	{"STG.E [R2], R12", 14, 0}, {"STG.E.64 [R2], R12", 16, 0}, {"STG.E.128 [R2], R12", 20, 0},
	{"LDS R12, [UR2]", 9, 23}, {"LDS.64 R12, [UR2]", 9, 23}, {"LDS.128 R12, [UR2]", 9, 25},
	{"LDS R12, [R2]", 9, 24}, {"LDS.64 R12, [R2]", 9, 24}, {"LDS.128 R12, [R2]", 9, 26},
	{"STS [UR2], R12", 10, 0}, {"STS.64 [UR2], R12", 12, 0}, {"STS.128 [UR2], R12", 16, 0},
	{"STS [R2], R12", 12, 0}, {"STS.64 [R2], R12", 14, 0}, {"STS.128 [R2], R12", 18, 0},
	{"LDC R12, c[0x0][0x160]", 10, 26}, {"LDC R12, c[0x0][R2]", 29, 29}, {"LDC.64 R12, c[0x0][R2]", 29, 29},
	{"LDGSTS.E [R4], [R2]", 13, 39}, {"LDGSTS.E.64 [R4], [R2]", 13, 39}, {"LDGSTS.E.128 [R4], [R2]", 13, 39},
}

func TestMemoryInstructionsHittingTheL1TakeTheMeasuredTimes(t *testing.T) {
	if len(memoryTimes) != 30 {
		t.Fatalf("%d rows, want 30", len(memoryTimes))
	}
	for _, c := range memoryTimes {
		text := "[B------:R0:W1:-:S02] " + c.text + ";\n[B0-----:R-:W-:-:S01] FADD R2, R7, R5;\n" + quiet
		at := issues(t, ampere(t, 1, text), 0, 2, 3)
		if got := at[1] - at[0]; got != c.war {
			t.Errorf("%s: sources may be overwritten after %d cycles, want %d", c.text, got, c.war)
		}
		if c.raw == 0 {
			continue
		}
		text = strings.Replace(text, "[B0-----", "[B-1----", 1)
		if !strings.HasPrefix(c.text, "LDGSTS") {
			text = strings.Replace(text, "R2, R7, R5", "R2, R12, R5", 1)
		}
		at = issues(t, ampere(t, 1, text), 0, 2, 3)
		if got := at[1] - at[0]; got != c.raw {
			t.Errorf("%s: the result may be used after %d cycles, want %d", c.text, got, c.raw)
		}
	}
}
