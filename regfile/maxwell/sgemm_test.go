package maxwell

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kumiko/kernel/cuasm"
	"kumiko/kernel/ir"
)

// The inner loop of maxas' SGEMM has 512 FFMAs of three registers each. Its author counts 47 % of
// the operands as reused, and sees little difference without the flags (maxas' wiki, SGEMM).
func TestTheLoopOfSGEMMTakesACyclePerInstruction(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(measurements, "..", "maxas", "sgemm_final_64.sass"))
	if err != nil {
		t.Skipf("the program is not there: %v", err)
	}
	_, text, _ := strings.Cut(string(data), "TARGET1:")
	text, _, _ = strings.Cut(text, "BRA TARGET1")
	found := regexp.MustCompile(`FFMA R\d+, R(\d+)(\.reuse)?, R(\d+)(\.reuse)?, R(\d+)(\.reuse)?;`).FindAllStringSubmatch(
		text, -1)
	if len(found) != 512 {
		t.Fatalf("%d instructions, want 512", len(found))
	}
	for _, c := range []struct {
		flags bool
		reads float64 // per instruction
	}{{true, 1.63}, {false, 3}} {
		var seq []ir.Inst
		for _, m := range found {
			flags, src := uint8(0), []ir.RegID(nil)
			for i := range 3 {
				src = append(src, ir.RegID(number(t, m[1+2*i])))
				if c.flags && m[2+2*i] != "" {
					flags |= 1 << i
				}
			}
			seq = append(seq, *fma(-1, flags, src...))
		}
		const loops = 8
		x := newDrive(t, Default(), load{seq: seq, warps: 1, n: loops * len(seq)}, false)
		for x.d.Step(1e6) {
		}
		if x.e.got != loops*len(seq) {
			t.Fatalf("%d instructions arrived, want %d", x.e.got, loops*len(seq))
		}
		if n := x.e.at[len(x.e.at)-1] - x.e.at[len(seq)-1]; n != (loops-1)*512 {
			t.Errorf("flags %v: %d cycles for %d loops, want 512 each", c.flags, n, loops-1)
		}
		reads := float64(x.reg.Snapshot()["regfile.bank.reads.operand"]) / float64(loops*len(seq))
		if math.Abs(reads-c.reads) > 0.005 {
			t.Errorf("flags %v: %.3f reads per instruction, want %.2f", c.flags, reads, c.reads)
		}
	}
}

// 42 of the loop's instructions issue with the next one (a stall of 0), so the others take 520 issue slots: at most
// 98.5 % of these can be multiply-adds. A GM107 reaches 98 %, a GM204 96 % (maxas' wiki, SGEMM).
func TestTheLoopOfSGEMMHasFiveHundredAndTwentyIssueSlots(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(measurements, "..", "maxas", "sgemm_final_64.sass"))
	if err != nil {
		t.Skipf("the program is not there: %v", err)
	}
	list, err := cuasm.Read("sgemm_final_64.sass", data)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d sections, error %v", len(list), err)
	}
	lines := strings.Split(string(data), "\n")
	from := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "TARGET1:") })
	to := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, "BRA TARGET1") })
	slots, pairs, fmas := 0, 0, 0
	for _, in := range list[0].Insts {
		if line := int(in.Line) - 1; line <= from || line > to {
			continue
		}
		if in.Sym == "FFMA" {
			fmas++
		}
		if in.Control.Stall == 0 {
			pairs++
		} else {
			slots++
		}
	}
	if slots != 520 || pairs != 42 || fmas != 512 {
		t.Errorf("%d issue slots, %d pairs and %d FFMAs, want 520, 42 and 512", slots, pairs, fmas)
	}
}
