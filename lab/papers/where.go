package main

import (
	"bytes"
	"fmt"
	"strings"

	"kumiko/study"
	"kumiko/study/report"
)

// wherePrefix begins the name of a study that asks on which machines a paper's designs pay.
const wherePrefix = "where-"

// tableOne marks the row of a map that has the limits of the machine in the paper's table; its first column has the
// paper's memory.
const tableOne = "(table I)"

// cell is a machine of a map: its row and column, and what the design gains there.
type cell struct {
	row, column string
	gain        float64
}

func (c cell) String() string { return fmt.Sprintf("%+.1f %% (%s; %s)", 100*c.gain, c.row, c.column) }

// summary says in two sentences what a map shows: the gain on the machine of the paper's table, the least and the most
// of all machines, and on how many the gain is the paper's. It is empty for other figures.
func summary(d *study.Figure, f *report.Figure) string {
	if d.Kind != study.Map || f.Spec == nil {
		return ""
	}
	var cells []cell
	for _, r := range f.Spec["data"].(map[string]any)["values"].([]map[string]any) {
		cells = append(cells, cell{r["series"].(string), r["x"].(string), r["y"].(float64)})
	}
	least, most, table := cells[0], cells[0], ""
	for _, c := range cells {
		if c.gain < least.gain {
			least = c
		}
		if c.gain > most.gain {
			most = c
		}
		if table == "" && strings.Contains(c.row, tableOne) {
			table = fmt.Sprintf("On the machine of table I the gain is %+.1f %%. ", 100*c.gain)
		}
	}
	what := "it"
	if table == "" {
		what = "the gain"
	}
	out := table + fmt.Sprintf("Of %d machines %s is the least, %s, and the most, %s.", len(cells), what, least, most)
	for _, m := range d.Marks {
		n := 0
		for _, c := range cells {
			if c.gain >= *m.Y {
				n++
			}
		}
		if n == 0 {
			out += fmt.Sprintf(" None of them has the paper's %+.1f %%.", 100**m.Y)
			continue
		}
		out += fmt.Sprintf(" %d of them have the paper's %+.1f %% or more.", n, 100**m.Y)
	}
	return out
}

// first returns the first figure of a study that has been run, with its summary; nil if there is none.
func (p *paper) first() (*report.Figure, string) {
	if p == nil || p.report == nil {
		return nil, ""
	}
	for i, f := range p.report.Figures {
		if f.Values != nil && i < len(p.spec.Figures) {
			return f, summary(&p.spec.Figures[i], f)
		}
	}
	return nil, ""
}

// where begins a paper's page with a map of the machines on which its main design pays, if that study has been run.
func (p *paper) where(b *bytes.Buffer) {
	at := p.machines
	if f, text := at.first(); f != nil {
		fmt.Fprintf(b, "## %s\n\n%s\n\n![%s](%s)\n\n%s\n\n[%s](%s.md) has the other maps.\n\n", at.spec.Title,
			escape(at.spec.Doc), escape(f.Title), at.figure(f.ID+".svg"), escape(text), at.spec.Title, at.name)
	}
}
