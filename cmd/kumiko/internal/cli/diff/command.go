// Package diff is kumiko diff: what differs between two results, in the machine and in what was measured on it.
package diff

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
	"kumiko/gpus/timeline"
	"kumiko/internal/page"
)

// Command returns kumiko diff.
func Command(a *app.App) *cobra.Command {
	var html string
	var top int
	c := &cobra.Command{
		Use:   "diff A.json B.json",
		Short: "Compare two results",
		Long: `Compare two results that kumiko run wrote with --json, two records in the folder of a study (results/NAME), or
two profiles of operand waits that kumiko run wrote with --profile FILE.json.

It prints the settings that differ, and how B differs from A in cycles, kernels, issue slots, register banks, energy (if both
runs had --energy) and statistics, the largest change first. Two results of runs with --profile, and two records of a study with profile =
true, also have their operand waits compared, by instruction and by pair of registers. Statistics that count less than
one event for a thousand warp instructions in both results are left out.`,
		Example: `  kumiko run hotspot --json conventional.json --profile waits-conventional.json
  kumiko run hotspot --design rfc --json rfc.json --profile waits-rfc.json
  kumiko diff conventional.json rfc.json
  kumiko diff conventional.json rfc.json --html diff.html
  kumiko diff waits-conventional.json waits-rfc.json
  kumiko diff results/quick/fft--fermi--*.json results/quick/fft--rfc--*.json`,
		Args: app.Exactly("A.json", "B.json"),
	}
	c.Flags().StringVar(&html, "html", "", "write a self-contained page with figures of the comparison to this file")
	c.Flags().IntVar(&top, "top", 15, "rows of a table; the largest changes are shown")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if top < 1 {
			return fmt.Errorf("--top %d: expected 1 or more", top)
		}
		return compareFiles(a, args[0], args[1], html, top)
	}
	return c
}

// comparison is what differs between two files.
type comparison interface {
	print(a *app.App) error
	page() *page.Page
}

// compareFiles compares two files of one kind.
func compareFiles(a *app.App, first, second, html string, top int) error {
	var out app.Outputs
	out.File(html, "--html "+html)
	var files [2]*file
	for i, name := range []string{first, second} {
		out.Reads(name, name)
		f, err := read(name)
		if err != nil {
			return err
		}
		files[i] = f
	}
	if err := out.Check(); err != nil {
		return err
	}
	if err := app.PlaceOf("--html", html); err != nil {
		return err
	}
	var d comparison
	switch x, y := files[0], files[1]; {
	case x.profile != nil && y.profile != nil:
		d = compareProfiles(profile{first, x.profile}, profile{second, y.profile}, top)
	case x.profile != nil || y.profile != nil:
		return fmt.Errorf("%s and %s: found a result and a profile, expected two results, or two profiles", first,
			second)
	default:
		d = compare(run{first, x.result}, run{second, y.result}, top)
	}
	if err := d.print(a); err != nil || html == "" {
		return err
	}
	return app.WriteFile(html, func(w io.Writer) error { return d.page().Write(w) })
}

// file is what a file has: a result, or a profile.
type file struct {
	result  *result.Result
	profile *result.Waits
}

// read reads a result, a record of a study, or a profile.
func read(name string) (*file, error) {
	const expected = "expected a result that kumiko run --json wrote, or a profile (--profile FILE.json)"
	data, err := os.ReadFile(name)
	if err != nil {
		if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
			err = pe.Err
		}
		return nil, fmt.Errorf("%s: %w, %s; kumiko run PROGRAM --json %[1]s writes a result", name, err, expected)
	}
	var all struct {
		result.Result
		Record *result.Result `json:"result"` // of a point of a study
		timeline.ProfileReport
	}
	if err := json.Unmarshal(data, &all); err != nil {
		if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
			line, column := place(data, syntax.Offset)
			return nil, fmt.Errorf("%s:%d:%d: %w, %s", name, line, column, err, expected)
		}
		return nil, fmt.Errorf("%s: %w, %s", name, err, expected)
	}
	if all.Instructions != nil && all.Time.Banks != nil {
		return &file{profile: all.ProfileReport.Waits()}, nil
	}
	r := &all.Result
	if all.Record != nil {
		r = all.Record
	}
	if r.Version == "" || r.Config == nil || r.Kernels == nil {
		return nil, fmt.Errorf("%s: found no version, config and kernels, %s", name, expected)
	}
	return &file{result: r}, nil
}

// place returns the line and column, from 1 on, of an offset.
func place(data []byte, offset int64) (line, column int) {
	line, column = 1, 1
	for _, b := range data[:min(offset, int64(len(data)))] {
		if column++; b == '\n' {
			line, column = line+1, 1
		}
	}
	return line, column
}
