package probe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/timeline"
	"kumiko/kernel/cuasm"
	_ "kumiko/regfile/designs"
)

// measure runs a text on a GPU.
func measure(t *testing.T, gpu string, warps int, text string) *Result {
	t.Helper()
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	code := list[0].Insts
	cfg := machinetest.Config(t, config.Request{GPU: gpu, Set: Settings(code)})
	r, err := Run(cfg, code, strings.Split(text, "\n"), Spec{Warps: warps, Repeat: 40, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// six multiply-adds of the same operands to six registers.
func six(operands string) string {
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, "FFMA R%d, %s;\n", 20+i, operands)
	}
	return b.String()
}

// Issue varies by a few cycles in 40 repetitions. The expected times were measured by CuAssembler's microbenchmarks
// on compute capability 5.0 (lab/docs/silicon.md).
func TestSixMultiplyAddsCostWhatMaxwellTakes(t *testing.T) {
	for _, c := range []struct {
		operands string
		want     float64
	}{
		{"R8, R9, R10", 6}, {"R8, R12, R16", 18}, {"R8.reuse, R12, R16", 12}, {"R8, R12.reuse, R16", 12},
		{"R8.reuse, R12.reuse, R16", 6},
	} {
		if r := measure(t, "gtx980-sm52", 16, six(c.operands)); r.Cycles < c.want-0.1 || r.Cycles > c.want+0.1 {
			t.Errorf("%s: %v cycles per repetition, want %v", c.operands, r.Cycles, c.want)
		}
	}
}

func TestADependentMultiplyAddOfOneWarpCostsItsLatency(t *testing.T) {
	if r := measure(t, "gtx980-sm52", 1, "FFMA R1, R1, R2, R3;"); r.Cycles != 6 {
		t.Errorf("%v cycles, want 6", r.Cycles)
	}
}

// maxas, MaxAsGrammar.pm. A 32-bit multiplication by the project's compiler stands for three of them.
func TestAnXMADTakesTheTimeOfAnAddition(t *testing.T) {
	for text, want := range map[string]float64{"XMAD R1, R1, R2, R3;": 6, "IADD R1, R1, R2;": 6} {
		if r := measure(t, "gtx980-sm52", 1, text); r.Cycles != want {
			t.Errorf("%s: %v cycles to itself, want %v", text, r.Cycles, want)
		}
	}
	const four = "XMAD R1, R2, R5, R8;\nXMAD R3, R2, R5, R8;\nXMAD R4, R2, R5, R8;\nXMAD R9, R2, R5, R8;"
	if r := measure(t, "gtx980-sm52", 16, four); r.Cycles < 3.9 || r.Cycles > 4.1 {
		t.Errorf("%v cycles for four of a warp among others, want 4", r.Cycles)
	}
	// Elsewhere it takes the time of other multiplications.
	half, whole := measure(t, "gtx980", 1, "XMAD R1, R1, R2, R3;"), measure(t, "gtx980", 1, "IMAD R1, R1, R2, R3;")
	if half.Cycles != whole.Cycles {
		t.Errorf("%v cycles on gtx980, and %v of an IMAD, want as many", half.Cycles, whole.Cycles)
	}
}

func TestTheLifeOfEachInstructionIsShown(t *testing.T) {
	r := measure(t, "gtx980", 1, "[B------:R-:W-:-:S01] FFMA R1, R2, R6, R10;\n FADD R3, R1, R1;")
	if len(r.Instructions) != 2 {
		t.Fatalf("%d instructions", len(r.Instructions))
	}
	first, second := r.Instructions[0], r.Instructions[1]
	if first.Text != "FFMA R1, R2, R6, R10" || first.Control != "[B------:R-:W-:-:S01]" || first.Stages[0] != 0 ||
		second.Stages[0] < 6 || second.Line != 2 || second.Control != "" || first.Bank == 0 {
		t.Errorf("%+v\n%+v", first, second)
	}
}

func TestWhatIsNoStraightLineIsRefused(t *testing.T) {
	list, err := cuasm.Read("x.sass", []byte("NOP;\n  EXIT;"))
	if err != nil {
		t.Fatal(err)
	}
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980"})
	_, err = Run(cfg, list[0].Insts, nil, Spec{Warps: 1, Repeat: 8})
	if err == nil || !strings.HasPrefix(err.Error(), "2:3: found EXIT, expected") {
		t.Error(err)
	}
	for _, s := range []Spec{{Warps: 0, Repeat: 8}, {Warps: 65, Repeat: 8}, {Warps: 1, Repeat: 7},
		{Warps: 1, Repeat: 1 << 20}} {
		if _, err := Run(cfg, list[0].Insts[:1], nil, s); err == nil {
			t.Errorf("%+v was run", s)
		}
	}
}

// Each of four warps of an SM has a sub-core of its own. An instruction with three registers of bank 0 waits while
// the previous one reads the bank, and on Maxwell also for its own registers.
func TestConflictsNameTheBankAndWhoseInstructionHasItsPort(t *testing.T) {
	for gpu, want := range map[string][]timeline.Conflict{
		"gtx980-sm52": {{Bank: 0, Line: 2, Cycles: 3}, {Bank: 0, Line: 3, Cycles: 2}},
		"rtx-a6000":   {{Bank: 0, Line: 2, Cycles: 2}},
	} {
		text := six("R8, R12, R16")
		list, err := cuasm.Read("x.sass", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		cfg := machinetest.Config(t, config.Request{GPU: gpu,
			Set: append(Settings(list[0].Insts), "sched.dependences=scoreboard")})
		r, err := Run(cfg, list[0].Insts, strings.Split(text, "\n"), Spec{Warps: 4, Repeat: 40})
		if err != nil {
			t.Fatal(err)
		}
		third := r.Instructions[2]
		if d := cmp.Diff(want, third.Conflicts); d != "" {
			t.Errorf("%s (-want +got):\n%s", gpu, d)
		}
		if third.Stages[1] < third.Stages[0]+1 || third.Stages[2] <= third.Stages[1] || third.Bank == 0 {
			t.Errorf("%s: stages %v, %d cycles of waiting", gpu, third.Stages, third.Bank)
		}
	}
}

// The papers' register files have no reuse cache.
func TestFlagsOfReuseThatARegisterFileIgnoresAreCounted(t *testing.T) {
	for gpu, want := range map[string]uint64{"gtx980": 2, "gtx980-sm52": 0} {
		code, _ := read(t, "FFMA R1, R2.reuse, R3.reuse, R4;")
		cfg := machinetest.Config(t, config.Request{GPU: gpu, Set: Settings(code)})
		_, stats, err := simulate(cfg, code, &Spec{Warps: 4, Repeat: 10})
		if err != nil {
			t.Fatal(err)
		}
		if got := stats["sm.ignored_reuse_flags"]; got != want*40 {
			t.Errorf("%s: %d flags, want %d in each of 40 instructions", gpu, got, want)
		}
	}
}
