package cli

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

func TestHelpTextsHaveAtMostAHundredColumns(t *testing.T) {
	a := App{New: Assemble, Stdout: io.Discard, Stderr: io.Discard}
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
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > helpWidth {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
		}
		for _, s := range c.Commands() {
			each(s)
		}
	}
	each(a.root())
	if commands < 20 {
		t.Fatalf("%d commands", commands)
	}
}

func TestEveryFlagOfRunIsInOneGroup(t *testing.T) {
	a := App{New: Assemble, Stdout: io.Discard, Stderr: io.Discard}
	run, _, err := a.root().Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	run.InitDefaultHelpFlag()
	text := flagTexts(run)
	for _, g := range grouped(run) {
		for _, name := range g.flags {
			if name == "help" {
				continue // it has a short form
			}
			if n := strings.Count("\n"+text, "\n      --"+name+" "); n != 1 {
				t.Errorf("--%s is described %d times", name, n)
			}
		}
	}
	first, _, _ := strings.Cut(text, "\n\n")
	if n := strings.Count(first, "\n      --") + strings.Count(first, "\n  -h, --help"); n != 10 {
		t.Errorf("%d common flags:\n%s", n, first)
	}
}
