package evidence

import (
	"slices"
	"strings"

	"kumiko/internal/page"
	"kumiko/lab/claims"
	"kumiko/lab/deviations"
	"kumiko/study"
)

// notes shows the notes and the deviations of a study. A deviation is shown if the study uses its subject, or if a note
// or a claim names the deviation.
func notes(s *study.Spec, c *claims.File) (page.Section, error) {
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
	if c != nil {
		for i := range c.Claims {
			for _, id := range c.Claims[i].Deviations {
				named[id] = true
			}
		}
	}
	use := used(s)
	for i := range all {
		if d := &all[i]; d.Concerns(use) || named[d.ID] {
			sec.Parts = append(sec.Parts, page.Part{Group: entry(d)})
		}
	}
	return sec, nil
}

// used returns what a study uses.
func used(s *study.Spec) *deviations.Use {
	u := &deviations.Use{Paper: s.Paper, Designs: map[string]bool{}, Programs: map[string]bool{}}
	for i := range s.Variants {
		v := &s.Variants[i]
		c := s.Config(v.Name)
		for _, name := range append(strings.Split(v.Design, "+"), c.RegFile.Kind, c.RegFile.Residency,
			c.SM.Switch.Switching, c.OnChip.Memory, c.SM.Scheduler.Policy) {
			u.Designs[name] = true
		}
	}
	for _, name := range s.Groups[study.AllGroup] {
		u.Programs[name] = true
		if !slices.ContainsFunc(s.Programs, func(p study.Program) bool { return p.Name == name }) {
			u.Programs[deviations.BuiltIn] = true
		}
	}
	return u
}

// entry shows a deviation, folded.
func entry(d *deviations.Deviation) *page.Group {
	var text strings.Builder
	for _, p := range []struct{ name, text string }{{"The paper", d.Paper}, {"Here", d.Here}, {"Because", d.Because},
		{"Numbers", d.Numbers}} {
		if p.text != "" {
			text.WriteString(p.name + ": " + deviations.Plain(p.text) + "\n")
		}
	}
	text.WriteString("Source: " + d.Place)
	g := &page.Group{Title: d.ID + ": " + deviations.Plain(d.Title), Folded: true,
		Parts: []page.Part{page.Para(text.String())}}
	for _, t := range d.Tables {
		shown := &page.Table{Head: plain(t.Head)}
		for _, row := range t.Rows {
			shown.Rows = append(shown.Rows, plain(row))
		}
		g.Parts = append(g.Parts, page.Tab(shown))
	}
	return g
}

// plain returns the cells of a row without the marks of Markdown.
func plain(row []string) []string {
	out := make([]string, len(row))
	for i, cell := range row {
		out[i] = deviations.Plain(cell)
	}
	return out
}
