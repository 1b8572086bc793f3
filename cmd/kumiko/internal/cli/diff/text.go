package diff

import (
	"fmt"
	"math"

	"kumiko/cmd/kumiko/internal/cli/app"
)

// A table is a part of the comparison, on the terminal and on the page.
type table struct {
	title, subject, unit string
	list                 []change
	relative             bool // changes are in percent; otherwise they are differences
	more                 int  // rows left out
}

// tables returns the tables with rows.
func (d *difference) tables() (out []table) {
	list := []table{
		{"Totals", "", "", d.main, true, 0},
		{"Cycles of kernels, all launches together", "kernel", "cycles", d.kernels, true, 0},
		{"Issue slots per warp instruction", "reason", "slots", d.slots, false, 0},
		{"Register banks, per thousand warp instructions", "", "", d.banks, true, 0},
		{"Conflicts of single banks, per thousand warp instructions", "bank", "request-cycles", d.busiest, false, 0},
	}
	list = append(list, d.waits...)
	list = append(list, table{"Energy of blocks, in nJ", "block", "nJ", d.energy, true, 0},
		table{"Statistics, the largest relative changes", "statistic", "", d.stats, true, d.more})
	for _, t := range list {
		if len(t.list) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// print writes the comparison to the terminal.
func (d *difference) print(a *app.App) error {
	t := app.NewTable(a.Stdout)
	t.Row("A", d.a.name, d.a.about())
	t.Row("B", d.b.name, d.b.about())
	if err := t.Flush(); err != nil {
		return err
	}
	for _, n := range d.notes {
		fmt.Fprintln(a.Stderr, "note:", n)
	}
	t = app.NewTable(a.Stdout)
	t.Printf("\nSettings that differ: %d\n", len(d.settings))
	own := [2]int{} // parameters of one machine alone: those of its register file
	rows := 0
	for _, s := range d.settings {
		switch missing {
		case s.b:
			own[0]++
		case s.a:
			own[1]++
		default:
			if rows++; rows <= d.top {
				t.Row("  "+s.key, s.a, s.b)
			}
		}
	}
	if rows > d.top {
		t.Printf("  %d more of both: --top\n", rows-d.top)
	}
	for i, n := range own {
		if n > 0 {
			t.Printf("  %d that only %c has\n", n, 'A'+i)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	return printTables(a, d.tables())
}

// printTables writes tables to the terminal.
func printTables(a *app.App, list []table) error {
	for _, part := range list {
		t := app.NewTable(a.Stdout)
		t.Printf("\n%s\n", part.title)
		t.Row("  "+part.subject, "A", "B", "change")
		for i := range part.list {
			c := &part.list[i]
			t.Row("  "+c.name, number(c.a), number(c.b), part.change(c))
		}
		if part.more > 0 {
			t.Printf("  %d more: --top\n", part.more)
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func (r *run) about() string { return fmt.Sprintf("%s on %s, design %s", r.Program, r.GPU, r.Design) }

// change returns the text of a change.
func (t *table) change(c *change) string {
	if !t.relative {
		switch by := c.b - c.a; {
		case by == 0:
			return "="
		case math.Abs(by) < 0.0005:
			return fmt.Sprintf("%+.1g", by) // and not -0.000
		}
		return fmt.Sprintf("%+.3f", c.b-c.a)
	}
	switch r := c.ratio(); {
	case r == 0:
		return "="
	case math.IsInf(r, 0):
		return "A has none"
	case r == -1:
		return "B has none"
	default:
		return fmt.Sprintf("%+.1f %%", 100*r)
	}
}

// number returns a count as it is, and other numbers with four digits.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return fmt.Sprintf("%.0f", v)
	}
	if math.Abs(v) >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}
