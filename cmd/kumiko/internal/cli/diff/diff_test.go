package diff

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
)

// example returns a result of 1,000 warp instructions.
func example(design string, cycles, memory, conflicts uint64) *result.Result {
	r := &result.Result{Version: "1", GPU: "gtx980", Design: design, Program: "p", ProgramHash: "h", Complete: true,
		Config: map[string]any{"regfile.kind": design, "sm.count": 4}}
	c := result.Counts{Cycles: cycles, WarpInstructions: 1000, ThreadInstructions: 32000,
		IssueSlots: map[string]uint64{"issued": 1000, "memory": memory, "scoreboard": memory / 4, "fence": 0},
		Stats:      map[string]uint64{"common": 400, "regfile.reads": 2 * conflicts}}
	r.Kernels = []result.Kernel{{Name: "k", Counts: c}, {Name: "k", Counts: c}}
	r.Kernels[1].Stats = map[string]uint64{"common": 400, "rare": conflicts / 200, "regfile.reads": 2 * conflicts}
	r.Blocks.Banks = []result.Bank{{Name: "GPU.SM[0].RegFile.Bank[0]", Reads: 500, ReadConflicts: conflicts},
		{Name: "GPU.SM[1].RegFile.Bank[0]", SM: 1, ReadConflicts: conflicts}}
	r.Finish(0)
	return r
}

// command runs kumiko diff, and returns the status and its outputs.
func command(args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	a := &app.App{Stdout: &o, Stderr: &e}
	status = a.Main(
		append([]string{"diff"}, args...),
		func(a *app.App) *cobra.Command { return app.Root(a, Command(a)) },
	)
	return status, o.String(), e.String()
}

// save writes a document as JSON, and returns the path of its file.
func save(t *testing.T, name string, doc any) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	var b bytes.Buffer
	if err := app.WriteJSON(&b, doc); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestADifferenceHasEveryChangeWithTheLargestFirst(t *testing.T) {
	a, b := example("conventional", 100, 3000, 200), example("rfc", 150, 1000, 50)
	b.Config["regfile.rfc.ways"] = 8
	status, out, errs := command(save(t, "a.json", a), save(t, "b.json", b))
	if status != app.Done || errs != "" {
		t.Fatalf("status %d: %s", status, errs)
	}
	for _, want := range []string{
		"regfile.kind  conventional  rfc", "1 that only B has",
		"cycles               200    300    +50.0 %",
		"k       200  300  +50.0 %",
		"memory  3  1  -2.000",               // 6,000 slots of 2,000 instructions
		"RegFile.Bank[0]  200  50  -150.000", // of both SMs
		"read conflicts  200  50   -75.0 %",
		"regfile.reads  800  200  -75.0 %",
	} {
		if !strings.Contains(squeezed(out), squeezed(want)) {
			t.Errorf("no line %q in\n%s", want, out)
		}
	}
	for _, no := range []string{"fence", "common", "rare"} {
		if strings.Contains(out, no) {
			t.Errorf("%s did not change, or counts less than one of a thousand:\n%s", no, out)
		}
	}
}

// squeezed has one blank where there are several.
func squeezed(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestEqualRunsHaveNoChange(t *testing.T) {
	a := save(t, "a.json", example("rfc", 100, 3000, 200))
	_, out, _ := command(a, a)
	if !strings.Contains(out, "Settings that differ: 0") || strings.Contains(out, "%") {
		t.Errorf("found a change:\n%s", out)
	}
}

func TestRunsThatCannotBeComparedAsTheyAreHaveANote(t *testing.T) {
	a, b := example("rfc", 100, 3000, 200), example("rfc", 100, 3000, 200)
	b.ProgramHash, b.Version, b.Complete = "other", "2", false
	_, _, errs := command(save(t, "a.json", a), save(t, "b.json", b))
	for _, want := range []string{"differ in their files, size or input", "versions, 1 and 2", "b.json is incomplete"} {
		if !strings.Contains(errs, want) {
			t.Errorf("no note %q in\n%s", want, errs)
		}
	}
}

func TestAFileThatIsNoResultIsRefused(t *testing.T) {
	good := save(t, "a.json", example("rfc", 100, 3000, 200))
	bad := filepath.Join(t.TempDir(), "bad.json")
	for text, want := range map[string]string{
		"{\n\"version\": }": "bad.json:2:13: ",
		"{}":                "found no version, config and kernels",
		"[1]":               "expected a result that kumiko run --json wrote",
	} {
		if err := os.WriteFile(bad, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		status, out, errs := command(good, bad)
		if status != app.BadInput || !strings.Contains(errs, want) || out != "" {
			t.Errorf("%q: status %d, %s%s, want %s", text, status, out, errs, want)
		}
	}
	if status, _, errs := command(good, good, "--html", good); status != app.BadInput ||
		!strings.Contains(errs, "is read") {
		t.Errorf("status %d, %s, want a refusal to overwrite the result", status, errs)
	}
}

func TestThePageHasFiguresAndTables(t *testing.T) {
	html := filepath.Join(t.TempDir(), "d.html")
	a := save(t, "a.json", example("conventional", 100, 3000, 200))
	b := save(t, "b.json", example("rfc", 150, 1000, 50))
	if status, _, errs := command(a, b, "--html", html); status != app.Done {
		t.Fatalf("status %d: %s", status, errs)
	}
	text, err := os.ReadFile(html)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"p on gtx980: conventional and rfc", "Issue slots per warp instruction", "figure-1",
		"RegFile.Bank[0]"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the page has no %q", want)
		}
	}
}

func TestASmallChangeIsNotWrittenAsNone(t *testing.T) {
	for by, want := range map[float64]string{0: "=", -0.00005: "-5e-05", 0.0004: "+0.0004", -0.0006: "-0.001",
		2: "+2.000"} {
		if got := (&table{}).change(&change{b: by}); got != want {
			t.Errorf("%g: found %s, want %s", by, got, want)
		}
	}
}

// The records of a study are results with their points around them.
func TestRecordsOfAStudyAreCompared(t *testing.T) {
	recorded := func(variant string, cycles uint64) string {
		return save(t, variant+".json", map[string]any{"format": 2, "version": "1",
			"point": map[string]string{"variant": variant}, "result": example("conventional", cycles, 3000, 200)})
	}
	status, out, errs := command(recorded("a", 100), recorded("b", 150))
	if status != app.Done || !strings.Contains(squeezed(out), squeezed("cycles  200  300  +50.0 %")) {
		t.Errorf("status %d: %s\n%s", status, errs, out)
	}
}

func TestOnesidedEnergiesAreNotedAndManySettingsLeftOut(t *testing.T) {
	a, b := example("conventional", 100, 1, 1), example("rfc", 100, 1, 1)
	b.Energy = &result.Energy{PJ: 5}
	for i := range 30 {
		key := fmt.Sprintf("mem.key%02d", i)
		a.Config[key], b.Config[key] = 1, 2
	}
	page := filepath.Join(t.TempDir(), "d.html")
	status, out, errs := command(save(t, "a.json", a), save(t, "b.json", b), "--top", "9", "--html", page)
	if status != app.Done || !strings.Contains(errs, "b.json has energies: run the other with --energy, too") {
		t.Errorf("status %d: %s", status, errs)
	}
	if !strings.Contains(out, "mem.key08") || strings.Contains(out, "mem.key09") ||
		!strings.Contains(out, " more of both: --top") {
		t.Errorf("found more than nine settings, or no word of the others:\n%s", out)
	}
	text, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(text), "<details><summary>Settings that differ") {
		t.Errorf("the settings are not folded: %v", err)
	}
}
