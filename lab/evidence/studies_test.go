package evidence

import (
	"testing"

	"kumiko/lab/claims"
	"kumiko/lab/deviations"
	"kumiko/study"
	"kumiko/study/report"
)

func TestTheRegisterOfDeviationsIsWhole(t *testing.T) {
	all, err := deviations.All()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, d := range all {
		if known[d.ID] {
			t.Errorf("two deviations are named %s", d.ID)
		}
		known[d.ID] = true
	}
	check := func(where string, ids []string) {
		for _, id := range ids {
			if !known[id] {
				t.Errorf("%s names the deviation %q, which lab/docs/deviations does not have", where, id)
			}
		}
	}
	for _, paper := range claims.Papers {
		f, err := claims.Load(paper)
		if err != nil {
			t.Fatal(err)
		}
		if f == nil {
			continue
		}
		for _, c := range f.Claims {
			check("claim "+c.ID, c.Deviations)
		}
	}
	for _, name := range study.Names() {
		s, err := study.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range s.Notes {
			check("study "+name, deviations.References(n.Text))
		}
	}
}

// Every built-in study's figures and tables can be evaluated as soon as the study has
// records, and name the missing points while it has none.
func TestTheFiguresOfBuiltInStudiesHaveNoMistakes(t *testing.T) {
	for _, name := range study.Names() {
		s, err := study.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		r, err := report.New(&report.Input{Data: study.NewData(s, nil), Evidence: Published{}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if errs := report.Check(s, Published{}); len(errs) > 0 {
			t.Errorf("%s: %v", name, errs)
		}
		for _, f := range r.Figures {
			if f.Spec != nil && f.ID != "cpi" && len(f.Missing) == 0 {
				t.Logf("%s: figure %s needs no record", name, f.ID)
			}
		}
	}
}
