package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
	"kumiko/gpus/timeline"
)

// profileRun runs a small program with --profile FILE in a folder.
func profileRun(t *testing.T, file string, args ...string) (status int, errs string) {
	t.Helper()
	var out, e strings.Builder
	a := app.App{Stdout: &out, Stderr: &e, New: app.Assemble}
	status = a.Main(append([]string{"run", "sgemm", "--size", "test", "--set", "sm.count=1", "--profile", file},
		args...), program)
	return status, e.String()
}

func TestAProfileIsATableOrJSONByTheNameOfItsFile(t *testing.T) {
	dir := t.TempDir()
	table, doc := filepath.Join(dir, "p.txt"), filepath.Join(dir, "p.json")
	for _, file := range []string{table, doc} {
		if status, errs := profileRun(t, file); status != app.Done {
			t.Fatalf("status %d: %s", status, errs)
		}
	}
	text, err := os.ReadFile(table)
	if err != nil || !strings.Contains(string(text), "held by") || !strings.Contains(string(text), "fma.f32") ||
		!strings.Contains(string(text), "operands for the crossbar") {
		t.Errorf("%v: %.300s", err, text)
	}
	data, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	var p timeline.ProfileReport
	if err := json.Unmarshal(data, &p); err != nil || len(p.Instructions) < 20 || p.Instructions[0].BankWait == 0 {
		t.Errorf("%v: %d instructions", err, len(p.Instructions))
	}
}

func TestTheResultOfAProfiledRunHasItsOperandWaits(t *testing.T) {
	dir := t.TempDir()
	doc, res := filepath.Join(dir, "p.json"), filepath.Join(dir, "r.json")
	if status, errs := profileRun(t, doc, "--json", res); status != app.Done {
		t.Fatalf("status %d: %s", status, errs)
	}
	var p timeline.ProfileReport
	var r result.Result
	for file, v := range map[string]any{doc: &p, res: &r} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, v); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(p.Waits(), r.Waits); diff != "" {
		t.Errorf("the result has other waits than the profile (-profile +result):\n%s", diff)
	}
}

func TestAProfileCountsTheWindowAlone(t *testing.T) {
	issues := func(args ...string) (n uint64) {
		file := filepath.Join(t.TempDir(), "p.json")
		if status, errs := profileRun(t, file, args...); status != app.Done {
			t.Fatalf("status %d: %s", status, errs)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p timeline.ProfileReport
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(err)
		}
		for _, x := range p.Instructions {
			n += x.Issues
		}
		return n
	}
	part, all := issues("--window", "500:900"), issues()
	if part == 0 || part >= all/2 {
		t.Errorf("%d issues in a window of 400 cycles, %d in the run", part, all)
	}
}

func TestAPageWithAProfileSaysWhoWaitsForWhom(t *testing.T) {
	dir := t.TempDir()
	page := filepath.Join(dir, "run.html")
	if status, errs := profileRun(t, filepath.Join(dir, "p.txt"), "--html", page); status != app.Done {
		t.Fatalf("status %d: %s", status, errs)
	}
	text, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(text), "Who waits for whom") {
		t.Errorf("%v: %d bytes without the section", err, len(text))
	}
	for _, want := range []string{`own read of line \d+ \([^)]*\): R\d+ behind R\d+ in (\d+ banks|RegFile\S+Bank)`,
		`"bank":"SubCore\[0\]\.Bank\[\d+\]","cycles":\d+,"end":`, `"cycles":\d+,"register":"R\d+"`} {
		if !regexp.MustCompile(want).Match(text) {
			t.Errorf("nothing on the page is as %s", want)
		}
	}
}

func TestADesignWithoutCollectorsIsProfiledToo(t *testing.T) {
	for _, gpu := range []string{"gtx980-sm52", "rtx-a6000", "fermi"} {
		file := filepath.Join(t.TempDir(), "p.json")
		if status, errs := profileRun(t, file, "--gpu", gpu); status != app.Done {
			t.Fatalf("%s: status %d: %s", gpu, status, errs)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p timeline.ProfileReport
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(err)
		}
		held := uint64(0)
		for _, x := range p.Instructions {
			for _, h := range x.Holders {
				held += h.Cycles
			}
		}
		if held == 0 {
			t.Errorf("%s: no access held a bank that another waited for", gpu)
		}
	}
}

func TestASampledProfileSaysWhichShareItHas(t *testing.T) {
	dir := t.TempDir()
	whole, one, tenth, page := filepath.Join(dir, "w.txt"), filepath.Join(dir, "1.txt"), filepath.Join(dir, "10.txt"),
		filepath.Join(dir, "run.html")
	for file, args := range map[string][]string{whole: nil, one: {"--profile-interval", "1"},
		tenth: {"--profile-interval", "10", "--html", page}} {
		if status, errs := profileRun(t, file, args...); status != app.Done {
			t.Fatalf("status %d: %s", status, errs)
		}
	}
	text := map[string]string{}
	for _, file := range []string{whole, one, tenth, page} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text[file] = string(data)
	}
	if text[whole] != text[one] || strings.Contains(text[whole], "Sampled") {
		t.Error("a profile of every window is not that of the run")
	}
	const says = "Sampled: one of 10 windows of 512 cycles; recorded "
	if !strings.Contains(text[tenth], says) || !strings.Contains(text[page], says) {
		t.Errorf("the share is not in the table or not on the page: %.300s", text[tenth])
	}
}

func TestAnIntervalWithoutAProfileIsRefused(t *testing.T) {
	for args, want := range map[string]string{
		"--profile-interval 10":                     "--profile-interval: found without --profile FILE",
		"--profile-interval 0 --profile no.txt":     "--profile-interval 0: expected 1 to 1000000\n",
		"--profile-interval 1.5 --profile no.txt":   "--profile-interval: found \"1.5\", expected an integer",
		"--profile-interval 99999999 --profile no.": "--profile-interval 99999999: expected 1 to 1000000\n",
	} {
		var out, errs strings.Builder
		a := app.App{Stdout: &out, Stderr: &errs, New: app.Assemble}
		status := a.Main(append([]string{"run", "vecadd", "--size", "test"}, strings.Fields(args)...), program)
		if status != app.BadInput || !strings.HasPrefix(errs.String(), want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, errs.String(), want)
		}
	}
	if _, err := os.Stat("no.txt"); err == nil {
		t.Error("a file was written")
	}
}
