package study

import (
	"fmt"
	"slices"
)

// addViews adds default tables to a study that declares neither a figure nor a table: the IPC of every
// benchmark on every variant and, for variants with a baseline, the speedup over it, with geometric means. The
// first table becomes a figure too.
func (s *Spec) addViews() {
	if len(s.Figures) > 0 || len(s.Tables) > 0 || len(s.Groups[AllGroup]) == 0 {
		return
	}
	var all, compared []*Variant
	for i := range s.Variants {
		v := &s.Variants[i]
		if !s.runsAll(v) {
			continue // its row would have holes
		}
		all = append(all, v)
		if v.Baseline != "" && s.runsAll(s.Variant(v.Baseline)) {
			compared = append(compared, v)
		}
	}
	one := 1.0
	s.addView("speedup", "Speedup over the baseline", Axis{Title: "relative IPC", From: &one}, compared,
		func(v *Variant) string { return fmt.Sprintf("speedup(%q, %q, x)", v.Name, v.Baseline) })
	s.addView("ipc", "Thread instructions per cycle", Axis{Title: "IPC"}, all,
		func(v *Variant) string { return fmt.Sprintf("ipc(%q, x)", v.Name) })
}

// runsAll reports whether a variant runs every benchmark of the study.
func (s *Spec) runsAll(v *Variant) bool {
	if v == nil {
		return false
	}
	has := s.Benchmarks(v.Groups)
	return !slices.ContainsFunc(s.Groups[AllGroup], func(b string) bool { return !slices.Contains(has, b) })
}

// mostBars is the most bars of a benchmark in a default figure.
const mostBars = 12

// addView adds a table with a column for each variant, and the study's first figure.
func (s *Spec) addView(id, title string, y Axis, variants []*Variant, value func(*Variant) string) {
	if len(variants) == 0 {
		return
	}
	over := "group:" + AllGroup
	t := Table{ID: id + "-table", Title: title, Over: over, Mean: Geometric}
	f := Figure{ID: id, Title: title, Kind: Bar, Over: over, Y: y, Mean: Geometric}
	if len(variants) == 1 { // a figure of one series has no legend
		f.Title += ": " + variants[0].Name
	}
	for _, v := range variants {
		t.Columns = append(t.Columns, Column{Name: v.Name, Value: value(v), Format: "%.3f"})
		f.Series = append(f.Series, Series{Name: v.Name, Y: value(v)})
	}
	s.Tables = append(s.Tables, t)
	if len(s.Figures) == 0 && len(variants) <= mostBars {
		s.Figures = append(s.Figures, f)
	}
}
