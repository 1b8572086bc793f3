package report

import (
	"fmt"
	"regexp"
	"strings"

	"kumiko/docs"
	"kumiko/internal/page"
	"kumiko/study"
)

// Deviation is an entry of docs/deviations.md.
type Deviation struct {
	ID, Title string
	Of        string // short name of a paper, or all
	What      string
	HowMuch   string
	Why       string
}

// Deviations reads the register of deviations. Its error tells of an entry that
// lacks something.
func Deviations(text string) ([]Deviation, error) {
	var out []Deviation
	for i, part := range strings.Split("\n"+text, "\n## ") {
		if i == 0 {
			continue
		}
		head, body, _ := strings.Cut(part, "\n")
		id, title, ok := strings.Cut(head, ": ")
		d := Deviation{ID: id, Title: title}
		for _, p := range strings.Split(body, "\n\n") {
			p = strings.ReplaceAll(strings.Join(strings.Fields(p), " "), "`", "")
			for name, field := range map[string]*string{"Of": &d.Of, "What": &d.What, "How much": &d.HowMuch, "Why": &d.Why} {
				if rest, ok := strings.CutPrefix(p, name+": "); ok {
					*field = rest
				}
			}
		}
		if !ok || d.Of == "" || d.What == "" || d.HowMuch == "" || d.Why == "" {
			return nil, fmt.Errorf("deviation %q: expected an id, a title, and the paragraphs Of, What, How much, Why", head)
		}
		out = append(out, d)
	}
	return out, nil
}

// reference is how a note names a deviation.
var reference = regexp.MustCompile(`\[deviation ([a-z0-9-]+)\]`)

// References are the deviations that a text names, as [deviation ID].
func References(text string) []string {
	var out []string
	for _, m := range reference.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// notes shows the study's notes and the deviations that bear on its paper.
func notes(s *study.Spec) (page.Section, error) {
	all, err := Deviations(docs.Deviations)
	if err != nil {
		return page.Section{}, err
	}
	sec := page.Section{Title: "Deviations and notes"}
	for _, n := range s.Notes {
		sec.Parts = append(sec.Parts, page.Part{Group: &page.Group{Title: n.Title, Parts: []page.Part{page.Para(reference.ReplaceAllString(n.Text, "(deviation $1, below)"))}}})
	}
	t := &page.Table{Head: []string{"deviation", "what differs", "by how much", "why"}, Class: func(_, c int) string {
		if c == 0 {
			return "strong"
		}
		return "wide"
	}}
	named := map[string]bool{}
	for _, n := range s.Notes {
		for _, id := range References(n.Text) {
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
