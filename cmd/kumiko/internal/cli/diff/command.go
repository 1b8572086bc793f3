// Package diff is kumiko diff: what differs between two results, in the machine and in what was measured on it.
package diff

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
)

// Command returns kumiko diff.
func Command(a *app.App) *cobra.Command {
	var html string
	var top int
	c := &cobra.Command{
		Use:   "diff A.json B.json",
		Short: "Compare two results",
		Long: `Compare two results that kumiko run wrote with --json, or two records in the folder of a study (results/NAME).

It prints the settings that differ, and how B differs from A in cycles, kernels, issue slots, register banks, energy and
statistics, the largest change first. Statistics that count less than one event for a thousand warp instructions in both
results are left out.`,
		Example: `  kumiko run hotspot --json conventional.json
  kumiko run hotspot --design rfc --json rfc.json
  kumiko diff conventional.json rfc.json
  kumiko diff conventional.json rfc.json --html diff.html
  kumiko diff results/quick/fft--fermi--*.json results/quick/fft--rfc--*.json`,
		Args: app.Exactly("A.json", "B.json"),
	}
	c.Flags().StringVar(&html, "html", "", "write a self-contained page with figures of the comparison to this file")
	c.Flags().IntVar(&top, "top", 15, "rows of a table; the largest changes are shown")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if top < 1 {
			return fmt.Errorf("--top %d: expected 1 or more", top)
		}
		var out app.Outputs
		out.File(html, "--html "+html)
		var runs [2]run
		for i, name := range args {
			out.Reads(name, name)
			r, err := read(name)
			if err != nil {
				return err
			}
			runs[i] = run{name, r}
		}
		if err := out.Check(); err != nil {
			return err
		}
		if html != "" {
			if err := app.Place(html); err != nil {
				return fmt.Errorf("--html %s: %w", html, err)
			}
		}
		d := compare(runs[0], runs[1], top)
		if err := d.print(a); err != nil || html == "" {
			return err
		}
		return app.WriteFile(html, func(w io.Writer) error { return d.page().Write(w) })
	}
	return c
}

// read reads a result.
func read(name string) (*result.Result, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var file struct {
		result.Result
		Record *result.Result `json:"result"` // of a point of a study
	}
	if err := json.Unmarshal(data, &file); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			line, column := place(data, syntax.Offset)
			return nil, fmt.Errorf(
				"%s:%d:%d: %w, expected a result that kumiko run --json wrote",
				name,
				line,
				column,
				err,
			)
		}
		return nil, fmt.Errorf("%s: %w, expected a result that kumiko run --json wrote", name, err)
	}
	r := &file.Result
	if file.Record != nil {
		r = file.Record
	}
	if r.Version == "" || r.Config == nil || r.Kernels == nil {
		return nil, fmt.Errorf(
			"%s: found no version, config and kernels, expected a result that kumiko run --json wrote",
			name,
		)
	}
	return r, nil
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
