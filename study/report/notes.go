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
	named := map[string]bool{}
	for _, n := range s.Notes {
		for _, id := range deviations.References(n.Text) {
			named[id] = true
		}
	}
	for i := range all {
		if d := &all[i]; d.Concerns(s.Paper) || named[d.ID] {
			sec.Parts = append(sec.Parts, page.Part{Group: entry(d)})
		}
	}
	return sec, nil
}

// entry shows a deviation, folded.
func entry(d *deviations.Deviation) *page.Group {
	text := "The paper: " + d.Paper + "\nKumiko: " + d.Kumiko
	if d.Effect != "" {
		text += "\nEffect: " + d.Effect
	}
	text += "\nWhy: " + d.Why + "\nSource: " + d.Place
	g := &page.Group{Title: d.ID + ": " + d.Title, Folded: true, Parts: []page.Part{page.Para(text)}}
	for _, n := range d.Numbers {
		if n.Measured != "" {
			g.Parts = append(g.Parts, page.Para(n.Measured))
		}
		g.Parts = append(g.Parts, page.Tab(&page.Table{Head: n.Head, Rows: n.Rows}))
	}
	return g
}
