package diff

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/components/stats"
	"kumiko/gpus/result"
	"kumiko/gpus/timeline"
)

// profiled saves a profile of two instructions, of which the first waits for a bank.
func profiled(t *testing.T, name string, bankWait uint64, second string) string {
	t.Helper()
	p := timeline.ProfileReport{To: 90, BankWaits: []stats.Bucket{}, CrossbarWaits: []stats.Bucket{},
		Time: timeline.TimeReport{Length: 2, Banks: []timeline.BankTime{{Bank: "Bank[0]"}}},
		Instructions: []timeline.Profiled{
			{Kernel: "k", PC: 3, Text: "fma", Issues: 100, BankWait: bankWait, CrossbarWait: 50,
				Holders: []timeline.Holder{{Waiting: "R4", Register: "R8", Bank: "Bank[0]", Cycles: bankWait}}},
			{Kernel: "k", PC: 4, Text: second, Issues: 100}}}
	return save(t, name, &p)
}

func TestProfilesAreComparedByInstructionAndByPairOfRegisters(t *testing.T) {
	page := filepath.Join(t.TempDir(), "d.html")
	status, out, errs := command(profiled(t, "a.json", 100, "add"), profiled(t, "b.json", 300, "add"), "--html", page)
	if status != app.Done || errs != "" {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, want := range []string{
		"operands, for banks         0.5   1.5   +1.000", // of 200 issues
		"operands, for the crossbar  0.25  0.25  =",
		"k, pc 3: fma  1.5  3.5  +2.000",     // of 100 issues
		"R4 behind R8  500  1500  +1000.000", // per thousand of 200 issues
		"operand waits of SM 0 in cycles 0 to 90",
	} {
		if !strings.Contains(squeezed(out), squeezed(want)) {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "results, for banks") || strings.Contains(out, "add") {
		t.Errorf("what does not wait is listed:\n%s", out)
	}
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "R4 behind R8") {
		t.Errorf("the page: %d bytes, %v", len(text), err)
	}
}

func TestProfilesOfDifferentCodeAreNoted(t *testing.T) {
	status, _, errs := command(profiled(t, "a.json", 1, "add"), profiled(t, "b.json", 2, "sub"))
	if status != app.Done || !strings.HasPrefix(errs, "note: the programs are compiled to different instructions") {
		t.Errorf("status %d: %q", status, errs)
	}
}

// waited returns a result with the waits of one instruction.
func waited(design string, bank uint64) *result.Result {
	r := example(design, 1, 1, 1)
	r.Waits = &result.Waits{Instructions: []result.InstructionWaits{{Kernel: "k", PC: 3, Text: "fma", Issues: 100,
		Bank: bank}}, Registers: []result.RegisterWaits{{Waiting: "R4", Holding: "R8", Cycles: bank}}}
	return r
}

func TestResultsWithOperandWaitsHaveThemComparedBesideTheRest(t *testing.T) {
	page := filepath.Join(t.TempDir(), "d.html")
	a, b := save(t, "a.json", waited("conventional", 300)), save(t, "b.json", waited("rfc", 100))
	status, out, errs := command(a, b, "--html", page)
	if status != app.Done || errs != "" {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, want := range []string{"cycles 2 2 =", "k, pc 3: fma 3 1 -2.000", "R4 behind R8 3000 1000 -2000.000"} {
		if !strings.Contains(squeezed(out), want) {
			t.Errorf("no line %q in\n%s", want, squeezed(out))
		}
	}
	if text, err := os.ReadFile(page); err != nil || !strings.Contains(string(text), "R4 behind R8") {
		t.Errorf("the page: %d bytes, %v", len(text), err)
	}
}

func TestAResultWithOperandWaitsBesideOneWithoutIsNoted(t *testing.T) {
	a, b := save(t, "a.json", waited("conventional", 300)), save(t, "b.json", example("rfc", 1, 1, 1))
	status, _, errs := command(a, b)
	if status != app.Done || !strings.HasPrefix(errs, "note: only "+a+" has operand waits") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestAResultIsNotComparedWithAProfile(t *testing.T) {
	a := save(t, "a.json", example("conventional", 1, 1, 1))
	status, _, errs := command(a, profiled(t, "b.json", 2, "sub"))
	if status != app.BadInput || !strings.Contains(errs, "found a result and a profile, expected two results") {
		t.Errorf("status %d: %q", status, errs)
	}
}
