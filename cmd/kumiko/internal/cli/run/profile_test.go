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
	"kumiko/gpus/timeline"
)

// profileRun runs a small program with --profile FILE, and returns the content of the file.
func profileRun(t *testing.T, file string, args ...string) []byte {
	t.Helper()
	runDone(t, append([]string{"sgemm", "--size", "test", "--set", "sm.count=1", "--profile", file}, args...)...)
	return read(t, file)
}

// profileOf is the profile of such a run.
func profileOf(t *testing.T, args ...string) (p timeline.ProfileReport) {
	t.Helper()
	if err := json.Unmarshal(profileRun(t, filepath.Join(t.TempDir(), "p.json"), args...), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAProfileIsATableOrJSONByTheNameOfItsFile(t *testing.T) {
	text := string(profileRun(t, filepath.Join(t.TempDir(), "p.txt")))
	if !strings.Contains(text, "held by") || !strings.Contains(text, "fma.f32") ||
		!strings.Contains(text, "operands for the crossbar") {
		t.Errorf("%.300s", text)
	}
	if p := profileOf(t); len(p.Instructions) < 20 || p.Instructions[0].BankWait == 0 {
		t.Errorf("%d instructions", len(p.Instructions))
	}
}

func TestTheResultOfAProfiledRunHasItsOperandWaits(t *testing.T) {
	res := filepath.Join(t.TempDir(), "r.json")
	p := profileOf(t, "--json", res)
	if diff := cmp.Diff(p.Waits(), decode(t, read(t, res)).Waits); diff != "" {
		t.Errorf("the result has other waits than the profile (-profile +result):\n%s", diff)
	}
}

func TestAProfileCountsTheWindowAlone(t *testing.T) {
	issues := func(args ...string) (n uint64) {
		for _, x := range profileOf(t, args...).Instructions {
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
	profileRun(t, filepath.Join(dir, "p.txt"), "--html", page)
	text := read(t, page)
	if !strings.Contains(string(text), "Who waits for whom") {
		t.Errorf("%d bytes without the section", len(text))
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
		held := uint64(0)
		for _, x := range profileOf(t, "--gpu", gpu).Instructions {
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
	table, page := filepath.Join(dir, "p.txt"), filepath.Join(dir, "run.html")
	whole := string(profileRun(t, table))
	one := string(profileRun(t, table, "--profile-interval", "1"))
	if whole != one || strings.Contains(whole, "Sampled") {
		t.Error("a profile of every window is not that of the run")
	}
	const says = "Sampled: one of 10 windows of 512 cycles; recorded "
	tenth := string(profileRun(t, table, "--profile-interval", "10", "--html", page))
	if !strings.Contains(tenth, says) || !strings.Contains(string(read(t, page)), says) {
		t.Errorf("the share is not in the table or not on the page: %.300s", tenth)
	}
}

func TestAnIntervalWithoutAProfileIsRefused(t *testing.T) {
	for args, want := range map[string]string{
		"--profile-interval 10":                     "--profile-interval: found without --profile FILE",
		"--profile-interval 0 --profile no.txt":     "--profile-interval 0: expected 1 to 1000000\n",
		"--profile-interval 1.5 --profile no.txt":   "--profile-interval: found \"1.5\", expected an integer",
		"--profile-interval 99999999 --profile no.": "--profile-interval 99999999: expected 1 to 1000000\n",
	} {
		status, _, errs := runReal(t, append([]string{"vecadd", "--size", "test"}, strings.Fields(args)...)...)
		if status != app.BadInput || !strings.HasPrefix(errs, want) {
			t.Errorf("%s: status %d, %q, want %q", args, status, errs, want)
		}
	}
	if _, err := os.Stat("no.txt"); err == nil {
		t.Error("a file was written")
	}
}
