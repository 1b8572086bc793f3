package probe

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/kernel/cuasm"
)

// A stall count of 0 issues an instruction together with the next one if the latter is a memory instruction, a
// conversion or a special function, and otherwise acts as 1 (maxas' wiki, Control Codes).
func TestAStallOfNoCyclesIssuesTwoInstructionsOfDifferentUnitsAtOnce(t *testing.T) {
	const (
		fma  = "FFMA R1, R4, R5, R6;\n"
		lds  = "LDS R8, [R11];\n"
		mufu = "MUFU.RCP R9, R7;\n"
		pair = "[B------:R-:W-:-:S00] "
		one  = "[B------:R-:W-:-:S01] "
		rest = one + fma + one + fma + one + fma
	)
	for _, c := range []struct {
		name, text string
		want       float64
	}{
		{"a multiply-add and a load", pair + fma + one + lds + rest, 4},
		{"a multiply-add and a special function", pair + fma + one + mufu + rest, 4},
		{"a stall of 1", one + fma + one + lds + rest, 5},
		{"two multiply-adds", pair + fma + one + fma + rest, 5},
		{"a load before a multiply-add", pair + lds + one + fma + rest, 5},
		{"a special function before a load", pair + mufu + one + lds + rest, 5},
		{"three in a row", pair + fma + pair + lds + one + mufu + rest, 5},
		{"a constant in one", pair + "FADD R1, R4, c[0x0][0x20];\n" + one + lds + rest, 4},
		{"a constant in both", pair + "FADD R1, R4, c[0x0][0x20];\n" + one + "I2F R9, c[0x0][0x24];\n" + rest, 5},
		{"the second waits for a counter", one + "MUFU.RCP R9, R7;\n", 4},
	} {
		t.Run(c.name, func(t *testing.T) { costs(t, 4, c.text, c.want) })
	}
}

// If the second instruction of a pair waits for a counter, the first issues alone.
func TestTheSecondOfAPairWaitsAlone(t *testing.T) {
	r, err := controlled(t, 1, "[B------:R-:W0:-:S02] LDS R8, [R11];\n[B------:R-:W-:-:S00] FFMA R1, R4, R5, R6;\n"+
		"[B0-----:R-:W-:-:S01] STS [R11], R8;\n")
	if err != nil {
		t.Fatal(err)
	}
	if a, b := r.Instructions[1].Stages[0], r.Instructions[2].Stages[0]; a != 2 || b < 20 {
		t.Errorf("issued at %d and %d, want 2 and when the load is done", a, b)
	}
}

func TestWithoutPairsAStallOfNoCyclesIsOne(t *testing.T) {
	if r := loop(t, "[B------:R-:W-:-:S00] FFMA R1, R4, R5, R6;\n[B------:R-:W-:-:S01] LDS R8, [R11];\n"+
		strings.Repeat("[B------:R-:W-:-:S01] FFMA R1, R4, R5, R6;\n", 3), 4, "sched.pairs=false"); r.Cycles != 5 {
		t.Errorf("%v cycles per repetition, want 5", r.Cycles)
	}
}

// loop runs a text by its control words, with all lanes accessing one address, and with further settings.
func loop(t *testing.T, text string, warps int, set ...string) *Result {
	t.Helper()
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	code := list[0].Insts
	cfg, err := config.Load(config.Request{GPU: "gtx980-sm52",
		Set: append(append(Settings(code), "sched.dependences=control"), set...)})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(cfg, code, strings.Split(text, "\n"),
		Spec{Warps: warps, Repeat: 16, Stride: new(int), File: "x.sass"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The loop of maxas' SGEMM has 512 multiply-adds, and takes 520 issue slots without its branch and barrier, so at
// most 98.5 % can be multiply-adds. A GM107 reaches 98 % and a GM204 96 % (maxas' wiki, SGEMM). The simulation
// reaches 97.5 %, and 91.3 % without paired instructions. In each load and store one place stands for the lanes'
// addresses, which have no conflicts in the program.
func TestTheLoopOfSGEMMReachesTheShareOfTheHardware(t *testing.T) {
	if testing.Short() {
		t.Skip("a loop of 560 instructions on 16 warps")
	}
	const program = "../../../shared/data/modern/maxas/sgemm_final_64.sass"
	data, err := os.ReadFile(filepath.FromSlash(program))
	if err != nil {
		t.Skipf("the program is not there: %v", err)
	}
	_, text, _ := strings.Cut(strings.ReplaceAll(string(data), "\r", ""), "TARGET1:\n")
	text, _, found := strings.Cut(text, "BRA TARGET1")
	if !found {
		t.Fatal("the loop is not there")
	}
	var body []string
	for _, l := range strings.Split(text, "\n") {
		if strings.Contains(l, ";") && !strings.Contains(l, "BAR.SYNC") {
			body = append(body, l)
		}
	}
	if len(body) != 560 {
		t.Fatalf("%d instructions, want 560", len(body))
	}
	for set, want := range map[string]float64{"sched.pairs=true": 525, "sched.pairs=false": 561} {
		if r := loop(t, strings.Join(body, "\n")+"\n", 16, set); math.Round(r.Cycles) != want {
			t.Errorf("%s: %v cycles for 512 multiply-adds, want %v", set, r.Cycles, want)
		}
	}
}
