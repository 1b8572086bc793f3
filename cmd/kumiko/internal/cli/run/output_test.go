package run

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
)

func TestTheResultReplacesNoFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "result.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--out", dir}, {"--json", filepath.Join(dir, "result.json")},
		{"--json", dir + "/"}} {
		s := &stub{}
		status, out, errs := runStub(t, s, append([]string{"vecadd", "--size", "test"}, args...)...)
		if status != app.BadInput || !strings.Contains(errs, "is a folder, expected a file") ||
			strings.Count(errs, "\n") != 1 || out != "" || s.kernels != nil {
			t.Errorf("%v: status %d, %d launches, %q", args, status, len(s.kernels), errs)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestAFailureIsSaidBesideTheOutputThatDoesNotArrive(t *testing.T) {
	var errs bytes.Buffer
	a := app.App{Stdout: closed{}, Stderr: &errs, New: func(*config.Config, gpus.Options) (app.Machine, error) {
		return &stub{failAt: 1, fail: &stop.Error{Reason: "nothing moves"}}, nil
	}}
	status := a.Main([]string{"run", "vecadd", "--size", "test"}, program)
	if status != app.BadInput || errs.String() != "cannot write to standard output: no space left on device\nnothing "+
		"moves\n" {
		t.Errorf("status %d, %q", status, errs.String())
	}
}

// closed is a writer without any room, like a full disk.
type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }
