package main

import (
	"bytes"
	"fmt"

	"kumiko/internal/page"
	"kumiko/lab/claims"
	"kumiko/study/report"
)

// own are the studies beside the papers, which have a page each: no paper has these comparisons.
var own = []string{"designs", "combine", "bank-index", "streams", "inputs", claims.PublishedStudy,
	wherePrefix + "finereg", wherePrefix + "ltrf", wherePrefix + "sharing", wherePrefix + "gebhart",
	wherePrefix + "cerf"}

// comparison writes the page of a study of our own: what it says, its figures, its tables, and its machines.
func (p *paper) comparison() []byte {
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "# %s\n\n%s\n`make papers` writes this page from [records](records/%s.jsonl.zst).\n\n", p.spec.Title,
		escape(p.spec.Doc), p.name)
	for _, n := range p.spec.Notes {
		fmt.Fprintf(b, "## %s\n\n%s\n\n", n.Title, escape(n.Text))
	}
	fmt.Fprint(b, "## Figures\n\n")
	p.figures(b, map[string]bool{}, func(*report.Figure) bool { return true })
	p.tables(b, nil, nil)
	p.machine(b)
	return append(bytes.TrimRight(b.Bytes(), "\n"), '\n')
}

// beside lists the studies of our own in the index.
func beside(b *bytes.Buffer, list []*paper) {
	t := &page.Table{Head: []string{"study", "points", "processor time"}, Numeric: []bool{false, true, true}}
	for _, p := range list {
		if p.report != nil {
			t.Rows = append(t.Rows, []string{fmt.Sprintf("[%s](%s.md)", p.spec.Title, p.name),
				fmt.Sprint(p.census.Done), fmt.Sprintf("%.1f hours", p.Seconds/3600)})
		}
	}
	if len(t.Rows) > 0 {
		fmt.Fprint(b, "## Beside the papers\n\nComparisons that no paper has.\n\n")
		table(b, t)
	}
}
