package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/config"
)

func TestAFlagsMistakeIsSaidInOneLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"occupancy", "--block", "abc", "--registers", "3"}, "--block: found \"abc\", expected an integer\n"},
		{[]string{"study", "status", "quick", "--waves", "some"}, "--waves: found \"some\", expected a number\n"},
		{[]string{"inspect", "sgemm", "--cfg=maybe"}, "--cfg: found \"maybe\", expected true or false\n"},
		{[]string{"inspect", "sgemm", "--cfg", "--liveness"}, "--cfg and --liveness: expected one of them alone\n"},
		{[]string{"study", "report", "quick", "-o"}, "flag needs an argument: 'o' in -o\n"},
	} {
		var out, errs bytes.Buffer
		status := (&app.App{Stdout: &out, Stderr: &errs}).Main(c.args, program)
		if status != app.BadInput || errs.String() != c.want || out.Len() != 0 {
			t.Errorf("%q: status %d, %q, expected %q", c.args, status, errs.String(), c.want)
		}
	}
}

func TestANULByteInAnArgumentIsRefusedBeforeAnythingRuns(t *testing.T) {
	t.Chdir(t.TempDir())
	const run = "run vecadd --size test "
	for _, line := range []string{
		"run a\x00b", run + "--json a\x00b", run + "--json=a\x00b", run + "--html a\x00b", run + "--out a\x00b",
		run + "--timeline a\x00b", run + "--akita-trace a\x00b", run + "--record a\x00b", run + "--checkpoint a\x00b",
		run + "--gpu a\x00b.toml", "run --resume a\x00b", "probe a\x00b", "inspect a\x00b", "traces check a\x00b",
		"study run a\x00b.toml", "study run quick --dir a\x00b", "study export quick -o a\x00b",
		"study report quick -o a\x00b.html", "study report quick --svg a\x00b",
		"study new a\x00b.toml", "new design a\x00b",
	} {
		var errs bytes.Buffer
		a := app.App{Stdout: io.Discard, Stderr: &errs, New: func(*config.Config, gpus.Options) (app.Machine, error) {
			t.Errorf("%q: a machine was built", line)
			return nil, errors.New("built")
		}}
		got := a.Main(strings.Fields(line), program)
		said := errs.String()
		if got != app.BadInput || strings.Count(said, "\n") != 1 || !strings.Contains(said, `a\x00b`) ||
			!strings.HasPrefix(said, "found a NUL byte in the argument ") {
			t.Errorf("%q: status %d, %q", line, got, said)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}
