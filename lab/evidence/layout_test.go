package evidence

import (
	"os"
	"path/filepath"
	"testing"

	"kumiko/gpus/result"
	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
	"kumiko/study"
	"kumiko/study/query"
	"kumiko/study/record"
	"kumiko/study/report"
)

// slotRecords are runs of every point of a study, with issue slots of every
// reason.
func slotRecords(s *study.Spec) (out []*record.Record) {
	for i := range s.Variants {
		v := &s.Variants[i]
		for k, b := range s.Benchmarks(v.Groups) {
			c := result.Counts{Cycles: 1000, WarpInstructions: 500, ThreadInstructions: 16000,
				IssueSlots: map[string]uint64{}}
			for n, r := range report.KnownReasons() {
				c.IssueSlots[r.Name] = uint64(100 + 10*(n+k+i))
			}
			r := &result.Result{Kernels: []result.Kernel{{Counts: c}}}
			r.Finish(0)
			out = append(out, &record.Record{Point: record.Point{Variant: v.Name, Benchmark: b}, Result: r})
		}
	}
	return out
}

// Over made-up records every built-in study has all of its figures.
func TestNoTextOfABuiltInFigureIsCutOffOrLiesUponAnother(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	p := &page.Page{Title: "All figures"}
	var names []string
	for _, name := range study.Names() {
		s, err := study.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		q := query.Trial(s)
		sec := page.Section{Title: name}
		add := func(f *report.Figure) {
			if f.Spec != nil {
				sec.Parts, names = append(sec.Parts, f.Part()), append(names, name+" "+f.ID)
			} else if len(f.Missing) > 0 {
				t.Errorf("%s: figure %s is not drawn: %v", name, f.ID, f.Missing)
			}
		}
		for i := range s.Figures {
			f, err := report.NewFigure(q, &s.Figures[i])
			if err != nil {
				t.Fatalf("%s: %s: %v", name, s.Figures[i].ID, err)
			}
			add(f)
		}
		add(report.IssueSlots(study.NewData(s, slotRecords(s))))
		p.Sections = append(p.Sections, sec)
	}
	// Of the files, texts are measured by an estimate when they are drawn.
	files := map[string][]byte{}
	pictures, err := filepath.Glob("../../docs/figures/*.svg")
	if err != nil || len(pictures) == 0 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	for _, f := range pictures {
		if files[filepath.Base(f)], err = os.ReadFile(f); err != nil {
			t.Fatal(err)
		}
	}
	got := pagetest.Measure(t, p, names, files)
	if got.Figures != len(names) || len(names) < 40 || got.Files != len(files) {
		t.Errorf("%d figures and %d files are measured, of %d and %d", got.Figures, got.Files, len(names), len(files))
	}
	for _, w := range got.Wrong {
		t.Error(w)
	}
}
