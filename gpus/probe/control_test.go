package probe

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/cuasm"
)

// controlled runs a text on gtx980-sm52 by its control words.
func controlled(t *testing.T, warps int, text string) (*Result, error) {
	t.Helper()
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	code := list[0].Insts
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980-sm52",
		Set: append(Settings(code), "sched.dependences=control")})
	return Run(cfg, code, strings.Split(text, "\n"), Spec{Warps: warps, Repeat: 40, Check: true, File: "x.sass"})
}

func costs(t *testing.T, warps int, text string, want float64) {
	t.Helper()
	r, err := controlled(t, warps, text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if r.Cycles != want {
		t.Errorf("%s: %v cycles per repetition, want %v", text, r.Cycles, want)
	}
}

// A dependent instruction is right six cycles after its producer (maxas), and reads an old value one cycle earlier.
func TestAStallOfTheLatencyIsRightAndOneLessIsCaught(t *testing.T) {
	costs(t, 1, "[B------:R-:W-:-:S06] FFMA R1, R1, R2, R3;", 6)
	_, err := controlled(t, 1, "[B------:R-:W-:-:S05] FFMA R1, R1, R2, R3;")
	if err == nil || !strings.Contains(err.Error(), "FFMA at line 1 was issued 5 cycles after FFMA at line 1") {
		t.Error(err)
	}
}

func TestStallsAndYieldsCostWhatTheySay(t *testing.T) {
	for word, want := range map[string]float64{
		"-:S00": 1, "-:S01": 1, "-:S02": 2, "-:S11": 11, "-:S12": 2, "-:S15": 2,
		"Y:S01": 2, "Y:S02": 2, "Y:S12": 12, "Y:S15": 15, "Y:S00": 45,
	} {
		costs(t, 1, "[B------:R-:W-:"+word+"] FFMA R1, R4, R2, R3;", want)
	}
}

// An instruction without an operation sends nothing back to wake the scheduler.
func TestAStallWakesASchedulerThatNothingElseWakes(t *testing.T) {
	list, err := cuasm.Read("x.sass", []byte("[B------:R-:W-:Y:S15] NOP;"))
	if err != nil {
		t.Fatal(err)
	}
	for _, gpu := range []string{"rtx-a6000", "gtx980-sm52"} {
		cfg := machinetest.Config(t, config.Request{GPU: gpu,
			Set: append(Settings(list[0].Insts), "sched.dependences=control")})
		r, err := Run(cfg, list[0].Insts, []string{"[B------:R-:W-:Y:S15] NOP;"}, Spec{Warps: 1, Repeat: 20})
		if err != nil {
			t.Fatalf("%s: %v", gpu, err)
		}
		if r.Cycles != 15 {
			t.Errorf("%s: %v cycles, want 15", gpu, r.Cycles)
		}
	}
}

// Six instructions with a stall of s take 1.5 s cycles on a sub-core with four warps (CuAssembler's
// microbenchmarks: 7.66, 9.12, 10.56, 12.16, 13.96, 15.4, 16.7).
func TestFourWarpsShareTheCyclesOfStaticStalls(t *testing.T) {
	for s := 5; s <= 11; s++ {
		text := strings.Repeat(fmt.Sprintf("[B------:R-:W-:-:S%02d] FFMA R20, R8, R9, R10;\n", s), 6)
		costs(t, 16, text, 1.5*float64(s))
	}
}

// A counter rises in the stage after issue, so the next instruction must wait two cycles before checking it.
func TestACounterIsSeenFromTwoCyclesAfterItsInstruction(t *testing.T) {
	const use = "[B0-----:R-:W-:-:S06] FADD R5, R1, R2;"
	costs(t, 1, "[B------:R-:W0:-:S02] LDS R1, [R4];\n"+use, 40) // 34 of the load and 6 of the use
	_, err := controlled(t, 1, "[B------:R-:W0:-:S01] LDS R1, [R4];\n"+use)
	if err == nil || !strings.Contains(err.Error(), "FADD at line 2 was issued 1 cycles after LDS at line 1") {
		t.Error(err)
	}
}

func TestACounterThatIsNotWaitedForKeepsNobody(t *testing.T) {
	costs(t, 1, "[B------:R-:W0:-:S02] LDS R1, [R4];\n[B-1----:R-:W-:-:S02] FADD R5, R3, R2;", 4)
}

// The counter of the sources is down long before the counter of the result.
func TestAReadCounterIsDownWhenTheSourcesAreRead(t *testing.T) {
	r, err := controlled(t, 1, "[B------:R0:W1:-:S02] LDS R1, [R4];\n[B0-----:R-:W-:-:S06] FADD R4, R3, R2;\n"+
		"[B-1----:R-:W-:-:S06] FADD R5, R1, R2;")
	if err != nil {
		t.Fatal(err)
	}
	if at := r.Instructions[1].Stages[0]; at < 2 || at > 8 || r.Instructions[2].Stages[0] != 34 {
		t.Errorf("the overwriter issues at %d, the reader at %d, want a few cycles and 34", at,
			r.Instructions[2].Stages[0])
	}
}

// Stall counts stop while the register file stalls, so conflicts do not invalidate a schedule.
func TestConflictsOfOtherWarpsSpoilNoFixedStall(t *testing.T) {
	for _, warps := range []int{4, 8, 16, 64} {
		r, err := controlled(t, warps, "[B------:R-:W-:-:S06] FFMA R1, R1, R5, R9;\n"+
			"[B------:R-:W-:-:S06] FFMA R1, R5, R9, R1;")
		if err != nil {
			t.Fatalf("%d warps: %v", warps, err)
		}
		if r.Reads != 6 {
			t.Errorf("%d warps: %v reads, want 6", warps, r.Reads)
		}
	}
}

func TestAnInstructionWithoutAControlWordIsRefused(t *testing.T) {
	_, err := controlled(t, 1, "[B------:R-:W-:-:S06] FFMA R1, R1, R2, R3;\n FADD R1, R2, R3;")
	if err == nil || !strings.HasPrefix(err.Error(), "x.sass:2:2: found add without a control word") {
		t.Error(err)
	}
}

// A NOP writes no register and never raises its write counter, so the FADD does not wait.
func TestOnlyWhatTheRegisterFileTellsOfRaisesACounter(t *testing.T) {
	costs(t, 1, "[B------:R-:W3:-:S02] NOP;\n[B---3--:R-:W-:-:S02] FADD R5, R3, R2;", 4)
}

// Predicates and uniform registers are not in the register file. A guard is read at issue, other operands at the
// execution unit.
func TestAPredicateOrUniformRegisterReadACycleTooEarlyIsCaught(t *testing.T) {
	for _, c := range []struct {
		least          int
		writer, reader string
		name           string
	}{
		{9, "ISETP.EQ.AND P0, PT, R1, R2, PT;", "@P0 FADD R4, R5, R6;", "P0"},
		{4, "ISETP.EQ.AND P0, PT, R1, R2, PT;", "SEL R4, R5, R6, P0;", "P0"},
		{4, "UIADD3 UR4, UR5, UR6, URZ;", "IADD3 R4, R5, UR4, RZ;", "UR4"},
	} {
		for stall := range c.least {
			text := fmt.Sprintf("[B------:R-:W-:-:S%02d] %s\n[B------:R-:W-:Y:S15] %s", stall+1, c.writer, c.reader)
			list, err := cuasm.Read("x.sass", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			code := list[0].Insts
			cfg := machinetest.Config(t, config.Request{GPU: "rtx-a6000",
				Set: append(Settings(code), "sched.dependences=control")})
			_, err = Run(cfg, code, strings.Split(text, "\n"), Spec{Warps: 1, Repeat: 8, Check: true, File: "x.sass"})
			early := stall+1 < c.least
			if early != (err != nil) || early && !strings.Contains(err.Error(), c.name+" lane") {
				t.Errorf("%s\n%v, want an error: %v", text, err, early)
			}
		}
	}
}
