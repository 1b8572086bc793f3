package cli_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli"
	"kumiko/cmd/kumiko/internal/cli/app"
)

func TestWithoutClangAFileOfCUDAIsBadInput(t *testing.T) {
	file := filepath.Join(t.TempDir(), "k.cu")
	if err := os.WriteFile(file, []byte("__global__ void k() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CLANG", "")
	for _, args := range [][]string{{"compile", file}, {"inspect", file}, {"occupancy", file, "--block", "32"},
		{"run", file, "--launch", "k.toml"}} {
		var out, errs bytes.Buffer
		p := cli.App{New: app.Assemble, Stdout: &out, Stderr: &errs}
		if got := p.Main(args); got != app.BadInput {
			t.Errorf("%s: status %d, want %d", args[0], got, app.BadInput)
		}
		want := "found no clang, which compiles .cu files, expected clang 19 or newer: "
		if !strings.HasPrefix(errs.String(), want) || strings.Count(errs.String(), "\n") != 1 || out.Len() > 0 {
			t.Errorf("%s: %q and %q", args[0], errs.String(), out.String())
		}
	}
}
