package probe

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/gpus/config"
	"kumiko/kernel/cuasm"
)

// onAmpere measures a text with one warp of rtx-a6000 with the given settings.
func onAmpere(t *testing.T, text string, set ...string) (*Result, error) {
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
	return Run(cfg, code, strings.Split(text, "\n"), Spec{Warps: 1, Repeat: 60, Check: true, File: "x.sass"})
}

// word has a stall of 1 and no counters.
const word = "[B------:R-:W-:-:S01] "

// plain puts the word before each instruction. Instructions are separated by newlines.
func plain(code string) string { return word + strings.ReplaceAll(code, "\n", "\n"+word) }

// Cycles per instruction by the paper's rules. The first three are measurements of the paper (section 5.3). With
// two ports, three reads take 1.5 cycles.
func TestReadsOfABankCostWhatItsPortMakesThem(t *testing.T) {
	for _, c := range []struct {
		code             string
		rfc, none, ports float64 // as it is; without the cache; with two ports
	}{
		{"FMUL R40, R2, R4;", 2, 2, 1}, {"FMUL R40, R2, R5;", 1, 1, 1},
		{"FFMA R40, R10, R12, R14;", 3, 3, 1.5}, {"FFMA R40, R10, R12, R15;", 2, 2, 1},
		{"FFMA R40, R10, R10, R14;", 2, 2, 1}, {"FFMA R40, R10, R10, R10;", 1, 1, 1},
		{"FFMA R40, R10, R12, R14;\nFFMA R41, R11, R13, R15;", 1.5, 1.5, 1},
		{"FFMA R40, R10.reuse, R12.reuse, R14;", 1, 3, 1}, {"FFMA R40, R10.reuse, R12, R14;", 2, 3, 1},
	} {
		for _, v := range []struct {
			set  string
			want float64
		}{{"regfile.turing.reuse=true", c.rfc}, {"regfile.turing.reuse=false", c.none},
			{"regfile.turing.read_ports=2", c.ports}, {"regfile.turing.read_ports=0", 1}} {
			r, err := onAmpere(t, plain(c.code), v.set)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Cycles / float64(len(r.Instructions)); got != v.want {
				t.Errorf("%s, %s: %v cycles, want %v", c.code, v.set, got, v.want)
			}
		}
	}
}

// Listing 1 of the paper: two FFMAs between clock reads. The second has one, two or three registers in the bank of
// the first's three. A NOP after it is held in the Control stage, and the clock read after the NOP at issue.
// Without the NOP the clock read is not held.
func TestAConflictDelaysTheSecondInstructionBehindIt(t *testing.T) {
	for _, c := range []struct {
		regs      string
		nop, none int
	}{{"R19, R21", 5, 4}, {"R18, R21", 6, 4}, {"R18, R20", 7, 4}} {
		text := plain("CS2R R50, SR_CLOCKLO;\nNOP;\nFFMA R11, R10, R12, R14;\nFFMA R13, R16, " + c.regs +
			";\nNOP;\nCS2R R52, SR_CLOCKLO;\n")
		text = strings.TrimSuffix(text, word) + quiet
		if got := issued(t, 1, text); got[5] != c.nop {
			t.Errorf("%s: %d cycles between the clocks, want %d", c.regs, got[5], c.nop)
		}
		text = strings.Replace(text, word+"NOP;\n"+word+"CS2R R52", word+"CS2R R52", 1)
		if got := issued(t, 1, text); got[4] != c.none {
			t.Errorf("%s: %d cycles between the clocks without a NOP, want %d", c.regs, got[4], c.none)
		}
	}
}

// Listing 2: a stall of 4 is right. With a shorter stall the second instruction reads an old value.
func TestADependentInstructionIsRightFourCyclesLater(t *testing.T) {
	for stall, between := range map[int]int{1: 5, 2: 6, 3: 7, 4: 8} {
		text := fmt.Sprintf(word+"CS2R R50, SR_CLOCKLO;\n"+word+"NOP;\n[B------:R-:W-:-:S%02d] FADD R1, R2, R3;\n"+word+
			"FFMA R5, R1, R1, R1;\n"+word+"NOP;\n"+word+"CS2R R52, SR_CLOCKLO;\n"+quiet, stall)
		r, err := onAmpere(t, text)
		if stall < 4 {
			want := fmt.Sprintf("FFMA at line 4 was issued %d cycles after FADD at line 3", stall)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("stall %d: error %v, want %q", stall, err, want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := r.Instructions[5].Stages[0]; got != between {
			t.Errorf("%d cycles between the clocks, want %d", got, between)
		}
	}
}

// A preceding instruction occupies the ports of the bank for no, one or two further cycles.
func TestADependentInstructionIsRightWhateverHeldTheFirst(t *testing.T) {
	for _, before := range []string{"FFMA R40, R11, R13, R15;", "FFMA R40, R10, R13, R15;",
		"FFMA R40, R10, R12, R14;"} {
		text := plain(before) + "\n[B------:R-:W-:-:S04] FFMA R1, R2, R4, R6;\n" +
			"[B------:R-:W-:-:S04] FFMA R1, R1, R1, R1;"
		if _, err := onAmpere(t, text); err != nil {
			t.Errorf("%s: %v", before, err)
		}
	}
}

// Listing 3: results are bypassed only to instructions of fixed latency, so a load needs its address a cycle
// earlier than an addition its operand.
func TestAnAddressHasToBeThereACycleEarlier(t *testing.T) {
	for stall, right := range map[int]bool{4: false, 5: true} {
		text := fmt.Sprintf("[B------:R-:W-:-:S01] MOV R40, R16;\n[B------:R-:W-:-:S04] MOV R43, R17;\n"+
			"[B------:R-:W-:-:S%02d] MOV R41, R43;\n[B------:R0:W1:-:S02] LDG.E R36, [R40];\n%s", stall, quiet)
		if _, err := onAmpere(t, text); (err == nil) != right {
			t.Errorf("stall %d: error %v", stall, err)
		}
	}
}

// An HADD2 takes a cycle longer than the FFMA after it, and both write bank 0 in the same cycle.
func TestAConflictOfResultsDelaysNeither(t *testing.T) {
	text := "[B------:R-:W-:-:S01] HADD2 R10, R3, R5;\n[B------:R-:W-:-:S04] FFMA R12, R3, R5, R7;\n" +
		"[B------:R-:W-:-:S04] FFMA R14, R10, R12, R3;"
	if _, err := onAmpere(t, text); err != nil {
		t.Error(err)
	}
}

// Listing 4: IADD3 keeps a register for operand slot a of bank 0.
func TestTheRegisterFileCacheKeepsARegisterForABankAndASlot(t *testing.T) {
	for second, want := range map[string][]int{
		"FFMA R5, R2, R7, R8;":       {0, 1, 0}, // hit, and its access ends it
		"FFMA R5, R2.reuse, R7, R8;": {0, 1, 1}, // hit, and keeps it
		"FFMA R5, R7, R2, R8;":       {0, 0, 1}, // another slot, where it is not; a has a register of bank 1
		"FFMA R5, R4, R7, R8;":       {0, 0, 0}, // another register of the bank in the slot
	} {
		// the reads of R2 that hit, by instruction: the sequence is measured with one, two and three instructions
		text := plain("IADD3 R1, R2.reuse, R3, R4;\n" + second + "\nIADD3 R10, R2, R12, R13;")
		var got []int
		for n := 1; n <= 3; n++ {
			part := strings.Join(strings.SplitAfter(text, "\n")[:n], "")
			if !strings.HasSuffix(part, "\n") {
				part += "\n"
			}
			// another register in slot a of bank 0, so that nothing is kept from one repetition to the next
			r, err := onAmpere(t, part+word+"FADD R20, R22, R23;\n"+quiet)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, int(*r.ReuseHits+0.5))
		}
		for n := 2; n > 0; n-- {
			got[n] -= got[n-1]
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: hits of the three (-want +got):\n%s", second, d)
		}
	}
}
