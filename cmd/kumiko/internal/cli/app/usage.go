package app

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// HelpWidth is the number of columns of help texts.
const HelpWidth = 100

// flagGroup is a part of a command's list of flags.
type flagGroup struct {
	title string
	flags []string
}

// runGroups are the flags of kumiko run: the common ones first, the limits last. Flags in no group stand before the
// limits.
var runGroups = []flagGroup{
	{"Common flags", []string{"gpu", "design", "set", "size", "launch", "detail", "html", "json", "out", "help"}},
	{"How it runs", []string{"workers", "check", "registers", "strict", "perturb", "max-cycles"}},
	{"Long runs", []string{"sample", "sample-error", "sample-seed", "sample-windows", "checkpoint",
		"checkpoint-every", "resume"}},
	{"Look inside", []string{"energy", "area", "timeline", "konata", "profile", "profile-interval", "akita-trace",
		"launch-results",
		"window", "sm", "monitor", "record", "tracez"}},
}

const (
	otherFlags = "More flags"
	limitFlag  = "max-" // begins the names of limits
	limitTitle = "Limits of the input and the simulation"
)

// helpful lays out the help texts of a command and its sub-commands in HelpWidth columns, with flags in groups.
func helpful(root *cobra.Command) {
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(),
		"Flags:\n{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}", "{{flagTexts .}}"))
	cobra.AddTemplateFunc("flagTexts", flagTexts)
	narrow(root)
}

// narrow wraps the long texts of a command and its sub-commands.
func narrow(c *cobra.Command) {
	c.Long = Wrapped(c.Long, HelpWidth)
	for _, s := range c.Commands() {
		narrow(s)
	}
}

// flagTexts describes the flags of a command.
func flagTexts(c *cobra.Command) string {
	groups := []flagGroup{{title: "Flags"}}
	if c.Name() == "run" && c.Flag("max-cycles") != nil {
		groups = grouped(c)
	}
	var out []string
	for i := range groups {
		g := &groups[i]
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.SortFlags = g.flags == nil
		if g.flags == nil {
			flags.AddFlagSet(c.LocalFlags())
		}
		for _, name := range g.flags {
			if f := c.Flag(name); f != nil { // cobra adds --help when a command runs
				flags.AddFlag(f)
			}
		}
		out = append(out, g.title+":\n"+strings.TrimRight(flags.FlagUsagesWrapped(HelpWidth), "\n"))
	}
	return strings.Join(out, "\n\n")
}

// grouped returns the groups of a command's flags with every visible flag in one of them.
func grouped(c *cobra.Command) []flagGroup {
	out := slices.Clone(runGroups)
	other, limits := flagGroup{title: otherFlags}, flagGroup{title: limitTitle}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		switch {
		case f.Hidden || slices.ContainsFunc(runGroups, func(g flagGroup) bool {
			return slices.Contains(g.flags, f.Name)
		}):
		case strings.HasPrefix(f.Name, limitFlag):
			limits.flags = append(limits.flags, f.Name)
		default:
			other.flags = append(other.flags, f.Name)
		}
	})
	if len(other.flags) > 0 {
		out = append(out, other)
	}
	return append(out, limits)
}

// Wrapped breaks the paragraphs of a text anew. Paragraphs with an indented line keep their lines.
func Wrapped(text string, width int) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, " ") || strings.Contains(p, "\n ") || strings.Contains(p, "\t") {
			continue
		}
		var b strings.Builder
		column := 0
		for _, word := range strings.Fields(p) {
			n := utf8.RuneCountInString(word)
			switch {
			case column == 0:
			case column+1+n > width:
				b.WriteByte('\n')
				column = 0
			default:
				b.WriteByte(' ')
				column++
			}
			fmt.Fprint(&b, word)
			column += n
		}
		paragraphs[i] = b.String()
	}
	return strings.Join(paragraphs, "\n\n")
}
