package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"kumiko/cmd/kumiko/internal/cli/app"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// program returns the root command without further commands.
func program(a *app.App) *cobra.Command { return root(a, nil) }

func TestHelpTextsHaveAtMostAHundredColumns(t *testing.T) {
	a := app.App{New: app.Assemble, Stdout: io.Discard, Stderr: io.Discard}
	commands := 0
	var each func(*cobra.Command)
	each = func(c *cobra.Command) {
		if c.Parent() != nil && c.Parent().Name() == "completion" {
			return // the library's text, with commands for several shells
		}
		commands++
		var out bytes.Buffer
		c.SetOut(&out)
		if err := c.Help(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 100 {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
		}
		for _, s := range c.Commands() {
			each(s)
		}
	}
	each(program(&a))
	if commands < 20 {
		t.Fatalf("%d commands", commands)
	}
}

func TestEveryFlagOfRunIsInOneGroup(t *testing.T) {
	a := app.App{New: app.Assemble, Stdout: io.Discard, Stderr: io.Discard}
	run, _, err := program(&a).Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	run.InitDefaultHelpFlag()
	text := run.UsageString()
	run.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == "help" { // which has a short form
			return
		}
		if n := strings.Count("\n"+text, "\n      --"+f.Name+" "); n != 1 {
			t.Errorf("--%s is described %d times", f.Name, n)
		}
	})
	_, first, _ := strings.Cut(text, "\nCommon flags:\n")
	first, _, _ = strings.Cut("\n"+first, "\n\n")
	if n := strings.Count(first, "\n      --") + strings.Count(first, "\n  -h, --help"); n != 10 {
		t.Errorf("%d common flags:\n%s", n, first)
	}
}
