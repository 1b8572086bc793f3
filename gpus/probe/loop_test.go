package probe

import (
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/cuasm"
)

// looped runs a text with a loop on a GPU, by control words. They are made if the text has none.
func looped(t *testing.T, gpu, text string, warps int) *Result {
	t.Helper()
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	l, err := FindLoop(&list[0])
	if err != nil || l == nil {
		t.Fatalf("loop %v, error %v", l, err)
	}
	code := list[0].Insts
	cfg := machinetest.Config(t, config.Request{GPU: gpu, Set: append(LoopSettings(code), Controlled)})
	if !code[0].Control.Set {
		if code, l, err = Words(cfg, code, l, OfGPU); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Run(cfg, code, strings.Split(text, "\n"),
		Spec{Warps: warps, Repeat: 40, Check: true, Loop: l, File: "x.sass"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A branch issued at t is known to fetch at t + 1. The next pass can issue three cycles after the branch, or when
// its stall count has run down. Instructions before and after the loop run once.
func TestAPassOfALoopCostsItsInstructionsAndTheWayBack(t *testing.T) {
	const body = "[B------:R-:W-:-:S01] FADD R3, R8, R9;\n[B------:R-:W-:-:S01] FADD R4, R8, R9;\n" +
		"[B------:R-:W-:-:S01] FADD R5, R8, R9;\n"
	for _, c := range []struct {
		gpu, stall string
		want       float64
	}{
		{"rtx-a6000", "-:S01", 3 + 3}, {"rtx-a6000", "-:S05", 3 + 5}, {"rtx-a6000", "-:S08", 3 + 8},
		{"rtx-a6000", "Y:S13", 3 + 13},
	} {
		text := "[B------:R-:W-:-:S11] MOV R1, R2;\n.L_1:\n" + body + "[B------:R-:W-:" + c.stall +
			"] @P0 BRA `(.L_1);\n[B------:R-:W-:-:S11] MOV R1, R2;\n"
		r := looped(t, c.gpu, text, 1)
		if r.Cycles != c.want {
			t.Errorf("%s, a stall of %s: %v cycles per pass, want %v", c.gpu, c.stall, r.Cycles, c.want)
		}
		if len(r.Instructions) != 4 || r.Instructions[0].Line != 3 || r.Instructions[3].Line != 6 {
			t.Errorf("%s: instructions %+v, want those of lines 3 to 6", c.gpu, r.Instructions)
		}
	}
}

// A dependence between passes holds regardless of the latency of the branch back: --check would find a violation.
func TestALoopGetsControlWordsThatHoldInEveryPass(t *testing.T) {
	for _, gpu := range []string{"gtx980-sm52", "rtx-a6000"} {
		for _, body := range []string{"FFMA R1, R1, R2, R3;\n", "LDS R1, [R4];\nFADD R5, R1, R5;\nMUFU.RCP R6, R5;\n",
			"LDG.E R4, [R4];\n"} {
			r := looped(t, gpu, "MOV R2, R3;\nAGAIN:\n"+body+"BRA AGAIN;\nFADD R7, R1, R5;\n", 8)
			if n := strings.Count(body, "\n") + 1; len(r.Instructions) != n || r.Cycles < float64(n) {
				t.Errorf("%s, %q: %d instructions in %v cycles, want %d", gpu, body, len(r.Instructions), r.Cycles, n)
			}
		}
	}
}

func TestWhatIsNoLoopIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"FADD R1, R2, R3;\nBRA 0x10;\n":             "2:1: found a branch to 0x10, expected a label of the sequence",
		"BRA ON;\nFADD R1, R2, R3;\nON:\nEXIT;\n":   "1:1: found a branch to ON, which is behind it",
		"A:\nNOP;\nBRA A;\n@P0 BRA `(A);\n":         "4:5: found another branch, expected one loop",
		"A:\nNOP;\n@!P0 BRA A;\nBAR.SYNC 0x0;\n":    "4:1: found BAR.SYNC, expected instructions in a straight line",
		"BAR.SYNC 0x0;\nA:\nNOP;\n@!P0 BRA A;\n":    "1:1: found BAR.SYNC",
		"A:\nNOP;\n@!P0 BRA A;\nNOP;\nBRX R2 -A;\n": "5:1: found BRX",
	} {
		list, err := cuasm.Read("x.sass", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		l, err := FindLoop(&list[0])
		if err == nil {
			_, err = kernel(list[0].Insts, &Spec{Loop: l, Repeat: 8, Warps: 1})
		}
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}
