package report

import (
	"strings"

	"kumiko/internal/page"
	"kumiko/study"
	"kumiko/study/deviations"
)

// notes shows the study's notes and the deviations of its paper.
func notes(s *study.Spec) (page.Section, error) {
	all, err := deviations.All()
	if err != nil {
		return page.Section{}, err
	}
	sec := page.Section{Title: "Deviations and notes"}
	for _, n := range s.Notes {
		sec.Parts = append(sec.Parts, page.Part{Group: &page.Group{Title: n.Title,
			Parts: []page.Part{page.Para(deviations.Reference.ReplaceAllString(n.Text, "(deviation $1, below)"))}}})
	}
	t := &page.Table{Head: []string{"deviation", "the paper", "Kumiko", "effect", "why", "where"},
		Class: func(_, c int) string {
			if c == 0 {
				return "strong"
			}
			return "wide"
		}}
	named := map[string]bool{}
	for _, n := range s.Notes {
		for _, id := range deviations.References(n.Text) {
			named[id] = true
		}
	}
	var numbers []page.Part
	for i := range all {
		d := &all[i]
		if !d.Concerns(s.Paper) && !named[d.ID] {
			continue
		}
		effect := d.Effect
		if len(d.Numbers) > 0 {
			effect = strings.TrimSpace(effect + " Numbers below.")
			numbers = append(numbers, page.Part{Group: &page.Group{Title: d.ID + ": " + d.Title, Folded: true,
				Parts: tables(d)}})
		}
		t.Rows = append(t.Rows, []string{d.ID, d.Paper, d.Kumiko, effect, d.Why, d.Place})
	}
	if len(t.Rows) > 0 {
		sec.Parts = append(sec.Parts, page.Tab(t))
	}
	sec.Parts = append(sec.Parts, numbers...)
	return sec, nil
}

// tables shows the numbers of a deviation.
func tables(d *deviations.Deviation) []page.Part {
	var out []page.Part
	for _, n := range d.Numbers {
		if n.Measured != "" {
			out = append(out, page.Para(n.Measured))
		}
		out = append(out, page.Tab(&page.Table{Head: n.Head, Rows: n.Rows}))
	}
	return out
}
