package report

import (
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
	t := &page.Table{Head: []string{"deviation", "what differs", "by how much", "why"}, Class: func(_, c int) string {
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
	for _, d := range all {
		if d.Of == "all" || s.Paper != "" && d.Of == s.Paper || named[d.ID] {
			t.Rows = append(t.Rows, []string{d.ID, capital(d.What), capital(d.HowMuch), capital(d.Why)})
		}
	}
	if len(t.Rows) > 0 {
		sec.Parts = append(sec.Parts, page.Tab(t))
	}
	return sec, nil
}
