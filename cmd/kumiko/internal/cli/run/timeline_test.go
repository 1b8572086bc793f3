package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
)

func timelineRun(t *testing.T, dir string, args ...string) (status int, errs string) {
	t.Helper()
	status, _, errs = runReal(t, append([]string{"vecadd", "--size", "test", "--set", "sm.count=1", "--timeline",
		filepath.Join(dir, "t.json")}, args...)...)
	return status, errs
}

func TestATimelineIsAWholeFileOrNone(t *testing.T) {
	dir := t.TempDir()
	if status, errs := timelineRun(t, dir, "--window", "0:400"); status != app.Done {
		t.Fatalf("status %d: %s", status, errs)
	}
	text, err := os.ReadFile(filepath.Join(dir, "t.json"))
	if err != nil || !json.Valid(text) || !strings.Contains(string(text), `"program":"vecadd"`) {
		t.Errorf("%v; %d bytes", err, len(text))
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("%d files left, want 1", len(list))
	}
	for _, bad := range []struct{ flag, value, want string }{
		{"--window", "9:3", "--window 9:3: expected FROM:TO"},
		{"--window", "x", "--window x: expected FROM:TO"},
		{"--sm", "1", "timeline of SM 1: expected one of the SMs 0 to 0"},
		{"--sm", "-1", "timeline of SM -1"},
	} {
		dir := t.TempDir()
		status, errs := timelineRun(t, dir, bad.flag, bad.value)
		if list, _ := os.ReadDir(dir); status != app.BadInput || !strings.HasPrefix(errs, bad.want) || len(list) != 0 {
			t.Errorf("%s %s: status %d, %q, %d files left", bad.flag, bad.value, status, errs, len(list))
		}
	}
}

func TestAnInterruptedRunKeepsItsTimeline(t *testing.T) {
	dir := t.TempDir()
	if status, errs := timelineRun(t, dir, "--max-cycles", "300"); status != app.Stopped {
		t.Fatalf("status %d: %s", status, errs)
	}
	text, err := os.ReadFile(filepath.Join(dir, "t.json"))
	if err != nil || !json.Valid(text) || !strings.Contains(string(text), `"complete":"false"`) {
		t.Errorf("%v; %d bytes", err, len(text))
	}
}

func TestAWindowWithoutATimelineIsRefused(t *testing.T) {
	status, _, errs := runStub(t, &stub{}, "vecadd", "--size", "test", "--window", "0:5")
	if status != app.BadInput || !strings.HasPrefix(errs, "--window: expected together with --timeline") {
		t.Errorf("status %d, %q", status, errs)
	}
}

func TestAKonataLogIsWrittenBesideATimelineOrAlone(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "k.log")
	if status, errs := timelineRun(t, dir, "--window", "0:400", "--konata", log); status != app.Done {
		t.Fatalf("status %d: %s", status, errs)
	}
	both, err := os.ReadFile(log)
	if err != nil || !strings.HasPrefix(string(both), "Kanata\t0004\nC=\t0\n") ||
		strings.Count(string(both), "\nI\t") != strings.Count(string(both), "\nR\t") {
		t.Errorf("%v; %.100q", err, both)
	}
	status, _, errs := runReal(t, "vecadd", "--size", "test", "--set", "sm.count=1", "--window", "0:400", "--konata",
		log)
	alone, err := os.ReadFile(log)
	if status != app.Done || err != nil || string(alone) != string(both) {
		t.Errorf("status %d, %v, %s; the log alone has %d bytes, beside a timeline %d", status, err, errs, len(alone),
			len(both))
	}
}
