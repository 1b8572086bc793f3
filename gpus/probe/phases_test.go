package probe

import (
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/cuasm"
)

// phases measures the instructions in text on a GPU that issues by control words, with the warps started in n different
// ways.
func phases(t *testing.T, warps, n int, text string) *Result {
	t.Helper()
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	code := list[0].Insts
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980-sm52", Base: append(Settings(code), Controlled)})
	r, err := Run(cfg, code, strings.Split(text, "\n"), Spec{Warps: warps, Repeat: 40, Phases: n})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The start time of a lone warp does not matter. It issues its six instructions with their stalls.
func TestAWarpAloneTakesTheSameCyclesInEveryPhase(t *testing.T) {
	text := strings.Repeat("[B------:R-:W-:-:S06] FFMA R1, R8, R9, R1;\n", 6)
	r := phases(t, 1, 8, text)
	if r.Phases != 8 || r.Cycles != 36 || r.Least != 36 || r.Most != 36 || len(r.Instructions) != 6 {
		t.Errorf("%+v, want 36 cycles in each of 8 phases", r)
	}
}

// Sixteen warps with unequal stalls interleave differently in every phase. The mean lies between the phases'
// extremes, and is reproducible.
func TestCyclesAreTheMeanOverThePhases(t *testing.T) {
	text := "[B------:R-:W-:-:S03] FFMA R1, R8, R9, R1;\n[B------:R-:W-:-:S01] FFMA R2, R8, R12, R2;\n" +
		"[B------:R-:W-:Y:S03] FFMA R3, R8, R9, R3;\n"
	r := phases(t, 16, 12, text)
	if again := phases(t, 16, 12, text); again.Cycles != r.Cycles || again.Most != r.Most {
		t.Errorf("%v and then %v cycles", r.Cycles, again.Cycles)
	}
	one := phases(t, 16, 0, text)
	if one.Phases != 1 || one.Least != one.Cycles || one.Most != one.Cycles {
		t.Errorf("%+v, want one phase", one)
	}
	if r.Least > r.Cycles || r.Most < r.Cycles || r.Least > one.Cycles || r.Most < one.Cycles || r.Least == r.Most {
		t.Errorf("%v to %v cycles, %v in the mean, %v in the first phase", r.Least, r.Most, r.Cycles, one.Cycles)
	}
}
