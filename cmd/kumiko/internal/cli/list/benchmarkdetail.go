package list

import (
	"fmt"
	"io"
	"strings"

	"kumiko/benchmarks"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
)

// benchmarkDetails prints all information about some benchmarks.
func benchmarkDetails(w io.Writer, rows []benchmarkRow) error {
	for i := range rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		r := &rows[i]
		fmt.Fprintf(w, "%s (%s)\n%s\n\n", r.Name, r.Suite, r.Summary)
		t := app.NewTable(w)
		if len(r.Aliases) > 0 {
			t.Row("also", strings.Join(r.Aliases, ", "))
		}
		for _, p := range app.SortedKeys(r.Papers) {
			t.Row(p, r.Papers[p])
		}
		t.Row("checked", strings.Join(r.Outputs, ", "))
		if err := t.Flush(); err != nil {
			return err
		}
		for _, section := range []func(io.Writer, *benchmarkRow) error{sizeTable, kernelTable, fitTable} {
			fmt.Fprintln(w)
			if err := section(w, r); err != nil {
				return err
			}
		}
	}
	return nil
}

func sizeTable(w io.Writer, r *benchmarkRow) error {
	t := app.NewTable(w)
	t.Row("size", "launches", "warp instr.", "lanes", "memory", "off chip", "reads per value", "read once", "within 3",
		"more than twice", "never")
	for _, s := range []benchmarks.Size{benchmarks.Test, benchmarks.Small, benchmarks.Study} {
		m := r.Sizes[s.String()]
		v := &m.Values
		part := func(n uint64) string { return fmt.Sprintf("%.0f%%", 100*v.Share(n)) }
		t.Row(s, m.Launches, m.WarpInstructions, fmt.Sprintf("%.1f", m.Lanes()),
			fmt.Sprintf("%.1f%%", 100*m.MemoryShare()),
			fmt.Sprintf("%.1f%%", 100*m.OffChipShare()), fmt.Sprintf("%.2f", v.ReadsPerValue()), part(v.Once),
			part(v.Soon), part(v.MoreThan2), part(v.Never))
	}
	return t.Flush()
}

func kernelTable(w io.Writer, r *benchmarkRow) error {
	t := app.NewTable(w)
	t.Row("kernel", "block", "shared", "used", "rounded to 4", "in print", "live", "share of study")
	study := r.Sizes[benchmarks.Study.String()]
	for i := range r.Kernels {
		k := &r.Kernels[i]
		paper := "-"
		if k.Registers.Paper != 0 {
			paper = fmt.Sprint(k.Registers.Paper)
		}
		t.Row(k.Name, app.Dims(k.Block), k.Shared, k.Registers.Used, k.Registers.Alloc4, paper, k.Registers.MaxLive,
			app.Percent(study.Work[i].WarpInstructions, study.WarpInstructions))
	}
	return t.Flush()
}

func fitTable(w io.Writer, r *benchmarkRow) error {
	fmt.Fprintln(w, "CTAs per SM and what limits them:")
	t := app.NewTable(w)
	names := config.Names()
	t.Row(append([]any{"kernel", "registers"}, anys(names)...)...)
	for i := range r.Kernels {
		k := &r.Kernels[i]
		line := func(footprint string, by map[string]fitting) {
			cells := []any{k.Name, footprint}
			for _, n := range names {
				cells = append(cells, by[n].String())
			}
			t.Row(cells...)
		}
		line("natural", k.Natural)
		if k.Paper != nil {
			line(fmt.Sprintf("paper, %d", k.Registers.Paper), k.Paper)
		}
	}
	return t.Flush()
}

func anys[T any](in []T) []any {
	out := make([]any, len(in))
	for i, v := range in {
		out[i] = v
	}
	return out
}

// String returns the fitting as a table cell.
func (f fitting) String() string {
	if f.CTAs == 0 {
		return "does not fit"
	}
	return fmt.Sprintf("%d %s", f.CTAs, f.Limit)
}
