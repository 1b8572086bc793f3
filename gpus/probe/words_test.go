package probe

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/kernel/cuasm"
	"kumiko/kernel/ir"
)

// fixed are instructions of fixed latency on gtx980-sm52, with placeholders for result and sources, and the cycles
// until an instruction may read the result.
var fixed = []struct {
	text    string
	latency int
}{
	{"MOV %[1]s, %[2]s;", 6}, {"LOP %[1]s, %[2]s, R60;", 6}, {"SHL %[1]s, %[2]s, R60;", 6},
	{"IADD %[1]s, %[2]s, R60;", 6}, {"BFE %[1]s, %[2]s, R60;", 6}, {"FADD %[1]s, %[2]s, R60;", 6},
	{"FMUL %[1]s, %[2]s, R60;", 6}, {"FFMA %[1]s, %[2]s, R60, R61;", 6}, {"HADD2 %[1]s, %[2]s, R60;", 6},
	{"IMAD %[1]s, %[2]s, R60, R61;", 13},
}

// readers are instructions of other kinds that read a result.
var readers = []string{"MUFU.RCP R50, %[2]s;", "I2F R50, %[2]s;", "LDS R50, [%[2]s];", "STS [R61], %[2]s;",
	"STG [%[2]s], R60;", "DADD R52, R40, R42;"}

func read(t *testing.T, text string) ([]ir.Inst, []string) {
	t.Helper()
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list[0].Insts, strings.Split(text, "\n")
}

// worded reads a text and adds control words for gtx980-sm52.
func worded(t *testing.T, text string) (*config.Config, []ir.Inst, []string) {
	t.Helper()
	code, lines := read(t, text)
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980-sm52", Set: append(Settings(code), Controlled)})
	code, _, err := Words(cfg, code, nil, OfGPU)
	if err != nil {
		t.Fatal(err)
	}
	return cfg, code, lines
}

func TestEveryPairOfTheMeasuredMaxwellIsRightAtItsLatencyAndACycleLessIsCaught(t *testing.T) {
	pairs := 0
	for _, a := range fixed {
		consumers := append([]string(nil), readers...)
		for _, b := range fixed {
			consumers = append(consumers, b.text)
		}
		for _, b := range consumers {
			if strings.HasPrefix(b, "DADD") {
				continue
			}
			pairs++
			text := fmt.Sprintf(a.text+"\n", "R40", "R62") + fmt.Sprintf(b+"%.0[1]s", "R50", "R40")
			cfg, code, lines := worded(t, text)
			s := Spec{Warps: 4, Repeat: 8, Check: true, File: "x.sass"}
			if code[0].Control.Stall != uint8(a.latency) {
				t.Errorf("%s: %v, want a stall of %d", text, code[0].Control, a.latency)
			}
			if _, err := Run(cfg, code, lines, s); err != nil {
				t.Errorf("%s: %v", text, err)
			}
			code[0].Control.Stall--
			if _, err := Run(cfg, code, lines, s); err == nil || !strings.Contains(err.Error(), "was issued") {
				t.Errorf("%s with a stall of %d: %v, want an old operand", text, code[0].Control.Stall, err)
			}
		}
	}
	if pairs != 150 {
		t.Errorf("%d pairs, want 150", pairs)
	}
}

func TestWordsOfASequenceCostWhatItsLatenciesSay(t *testing.T) {
	for text, want := range map[string]float64{
		"FFMA R1, R1, R2, R3;":                                 6,
		"FFMA R1, R5, R2, R3;\nFFMA R4, R5, R2, R3;":           7,
		"LDS R1, [R1];":                                        34,
		"IMAD R1, R1, R2, R3;":                                 13,
		"ISETP.EQ P0, R1, R2;\n@P0 FADD R5, R5, R2;":           19,
		"FFMA R1, R4, R5, R6;\nFFMA R4, R4, R1, R6;":           12,
		"MUFU.RCP R1, R2;\nFADD R3, R1, R1;\nFADD R4, R3, R5;": 34,
	} {
		cfg, code, lines := worded(t, text)
		r, err := Run(cfg, code, lines, Spec{Warps: 1, Repeat: 40, Check: true, File: "x.sass"})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if r.Cycles != want {
			t.Errorf("%s: %v cycles, want %v", text, r.Cycles, want)
		}
	}
}

func TestASequenceWithSomeWordsGetsNoOthers(t *testing.T) {
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980-sm52", Set: []string{Controlled}})
	for text, want := range map[string]string{
		"FADD R1, R2, R3;\n[B------:R-:W-:-:S06] NOP;": "2:23: found the control word [B------:R-:W-:-:S06] at NOP",
		"FADD R1, R2.reuse, R3;":                       "1:1: found a flag of reuse at FADD",
	} {
		code, _ := read(t, text)
		if _, _, err := Words(cfg, code, nil, OfGPU); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestAGPUWithoutKnownWordsIsRefused(t *testing.T) {
	cfg := machinetest.Config(t, config.Request{GPU: "fermi"})
	code, _ := read(t, "FADD R1, R2, R3;")
	_, _, err := Words(cfg, code, nil, OfGPU)
	if err == nil || !strings.Contains(err.Error(), "fermi, whose control words") {
		t.Error(err)
	}
	if got, _, err := Words(cfg, code, nil, "sm_75"); err != nil || len(got) != 1 || !got[0].Control.Set {
		t.Errorf("%v, %v", got, err)
	}
}

func TestALongLatencyIsFilledWithNOPs(t *testing.T) {
	cfg := machinetest.Config(t, config.Request{GPU: "gtx980-sm52", Set: []string{Controlled}})
	code, lines := read(t, "HMMA.16816.F32 R4, R8, R12, R16;")
	code[0].T.Class = ir.ClassMatrixWide
	code, _, err := Words(cfg, code, nil, "sm_75")
	if err != nil {
		t.Fatal(err)
	}
	if len(code) < 2 || source(lines, &code[1]) != "NOP" {
		t.Errorf("%d instructions, want a NOP behind the first", len(code))
	}
}

// auto adds the compiler's control words for a GPU to a sequence, and runs the sequence with the operand check.
func auto(t *testing.T, gpu, text string) error {
	t.Helper()
	list, err := cuasm.Read("x.sass", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	cfg := machinetest.Config(t, config.Request{GPU: gpu, Set: append(Settings(list[0].Insts), Controlled)})
	code, _, err := Words(cfg, list[0].Insts, nil, OfGPU)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(cfg, code, strings.Split(text, "\n"), Spec{Warps: 1, Repeat: 20, Check: true, Fitted: true,
		File: "x.sass"})
	return err
}

// Two results are written to one register. The second has the shorter latency.
func TestAShortResultBehindALongOneIsTheNewest(t *testing.T) {
	for _, gpu := range []string{"rtx-2070s", "rtx-a6000", "h100"} {
		for _, text := range []string{
			"HFMA2 R1, R2, R3, R4;\nIADD3 R1, R5, R6, RZ;\nFADD R7, R1, R1;",
			"HADD2 R1, R2, R3;\nIADD3 R1, R5, R6, RZ;\nFADD R7, R1, R1;",
			"HMMA.1688.F32 R4, R8, R10, R12;\nFADD R5, R16, R17;\nFADD R7, R5, R5;",
			"HMMA.16816.F32 R4, R8, R16, R12;\nIADD3 R5, R20, R17, RZ;\nFADD R7, R5, R5;",
			"IMAD R1, R2, R3, R4;\n@P0 MOV R1, R5;\nFADD R7, R1, R1;",
		} {
			if err := auto(t, gpu, text); err != nil {
				t.Errorf("%s: %s: %v", gpu, text, err)
			}
		}
	}
}

// A vector instruction reads a uniform register some cycles later than a uniform instruction would.
func TestAUniformRegisterIsThereWhenAVectorInstructionReadsIt(t *testing.T) {
	for _, gpu := range []string{"rtx-2070s", "rtx-a6000", "h100"} {
		for _, text := range []string{"UIADD3 UR4, UR4, UR5, URZ;\nIADD3 R4, R5, UR4, RZ;",
			"UMOV UR4, UR5;\nUIADD3 UR6, UR4, UR4, URZ;\nIMAD R4, R5, UR6, R7;"} {
			if err := auto(t, gpu, text); err != nil {
				t.Errorf("%s: %s: %v", gpu, text, err)
			}
		}
	}
}
