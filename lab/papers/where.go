package main

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"kumiko/internal/page"
	"kumiko/lab/claims"
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

// cells returns the machines of a map; nil for other figures and for one that has not been run.
func cells(d *study.Figure, f *report.Figure) []cell {
	if d.Kind != study.Map || f.Spec == nil {
		return nil
	}
	var out []cell
	for _, r := range f.Spec["data"].(map[string]any)["values"].([]map[string]any) {
		out = append(out, cell{r["series"].(string), r["x"].(string), r["y"].(float64)})
	}
	return out
}

// having counts the machines with at least the paper's gain, and returns the one nearest to it.
func having(list []cell, paper float64) (n int, nearest cell) {
	nearest = list[0]
	for _, c := range list {
		if c.gain >= paper {
			n++
		}
		if math.Abs(c.gain-paper) < math.Abs(nearest.gain-paper) {
			nearest = c
		}
	}
	return n, nearest
}

// summary says in two sentences what a map shows: the gain on the machine of the paper's table, the least and the most
// of all machines, and on how many the gain is the paper's. It is empty for other figures.
func summary(d *study.Figure, f *report.Figure) string {
	list := cells(d, f)
	if list == nil {
		return ""
	}
	least, most, table := list[0], list[0], ""
	for _, c := range list {
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
	out := table + fmt.Sprintf("Over the %d machines of the map (row; column) %s ranges from %s to %s.", len(list),
		what, least, most)
	for _, m := range d.Marks {
		n, _ := having(list, *m.Y)
		switch n {
		case 0:
			out += fmt.Sprintf(" None of them has the paper's %+.1f %%.", 100**m.Y)
		case 1:
			out += fmt.Sprintf(" One of them has the paper's %+.1f %% or more.", 100**m.Y)
		default:
			out += fmt.Sprintf(" %d of them have the paper's %+.1f %% or more.", n, 100**m.Y)
		}
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
		fmt.Fprintf(b, "## %s\n\n%s\n\n![%s](%s)\n\n%s\n\n", at.spec.Title, escape(at.spec.Doc), escape(f.Title),
			at.figure(f.ID+".svg"), escape(text))
		at.reached(b)
		at.eachTable(b, nil, nil)
		fmt.Fprintf(b, "[%s](%s.md) has the other maps, and [The papers' own programs](%s.md) what the designs gain "+
			"on published programs.\n\n", at.spec.Title, at.name, claims.PublishedStudy)
	}
}

// reached writes a table of the numbers of the paper: on how many machines of a map each is reached, and which machine
// is nearest.
func (p *paper) reached(b *bytes.Buffer) {
	t := &page.Table{Head: []string{"geometric mean", "the paper", "machines that have it", "the nearest"},
		Numeric: []bool{false, true, true, false}}
	for i, f := range p.report.Figures {
		if i >= len(p.spec.Figures) || f.Values == nil {
			continue
		}
		d := &p.spec.Figures[i]
		list := cells(d, f)
		for _, m := range d.Marks {
			if list == nil {
				break
			}
			n, nearest := having(list, *m.Y)
			t.Rows = append(t.Rows, []string{escape(f.Title), fmt.Sprintf("%+.1f %%", 100**m.Y),
				fmt.Sprintf("%d of %d", n, len(list)), escape(nearest.String())})
		}
	}
	if len(t.Rows) > 0 {
		table(b, t)
	}
}
