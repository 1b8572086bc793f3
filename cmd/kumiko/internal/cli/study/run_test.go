package study

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/config"
)

// program returns a root command with the command study.
func program(a *app.App) *cobra.Command { return app.Root(a, Command(a, nil)) }

func TestAPointThatAFaultOfKumikoEndsGivesTheStudyItsStatus(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.toml")
	text := "name = \"s\"\nsize = \"test\"\nwaves = 0\n[groups]\nall = [\"vecadd\", \"transpose\"]\n" +
		"[[variant]]\nname = \"v\"\ngpu = \"fermi\"\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := app.App{Stdout: &out, Stderr: &errs, Version: "1"}
	a.New = func(*config.Config, gpus.Options) (app.Machine, error) { panic("bang") }
	status := a.Main([]string{"study", "run", file, "--dir", filepath.Join(dir, "records"), "--workers", "1"}, program)
	if status != app.Internal || strings.Count(out.String(), "internal error: kumiko: bang\n") != 2 ||
		!strings.Contains(errs.String(), "2 points failed, some by a fault of Kumiko 1, not of the input.") {
		t.Errorf("status %d, %s%s", status, out.String(), errs.String())
	}
}
