package report

import (
	"fmt"
	"slices"
	"strings"

	"kumiko/internal/page"
	"kumiko/study"
	"kumiko/study/query"
)

// tableOf returns the values of a figure: a row for each x and a column for each series, and the paper's numbers
// beside them. In a scatter figure a row is a point.
func tableOf(f *study.Figure, p *points) *page.Table {
	if f.Kind == study.Scatter {
		return pointTable(f, p)
	}
	t := &page.Table{Head: append([]string{f.X.Title}, p.names...), Numeric: []bool{false}}
	for range p.names {
		t.Numeric = append(t.Numeric, true)
	}
	printed := marksAt(f, p.labels)
	if len(printed) > 0 {
		t.Head, t.Numeric = append(t.Head, inPaper), append(t.Numeric, false)
	}
	for _, label := range p.labels {
		if label == "" {
			continue // sets the means off
		}
		line := []string{label}
		some := printed[label] != ""
		for i := range p.names {
			text := ""
			for _, r := range p.rows {
				if r["x"] == label && r["order"] == i {
					text, some = valueText(&f.Y, r), true
				}
			}
			line = append(line, text)
		}
		if len(printed) > 0 {
			line = append(line, printed[label])
		}
		if some {
			t.Rows = append(t.Rows, line)
		}
	}
	return t
}

// pointTable returns the points of a scatter figure.
func pointTable(f *study.Figure, p *points) *page.Table {
	t := &page.Table{Head: []string{"", "", f.X.Title, f.Y.Title}, Numeric: []bool{false, false, true, true}}
	for _, r := range p.rows {
		t.Rows = append(t.Rows, []string{fmt.Sprint(r["series"]), fmt.Sprint(r["x"]), number(&f.X, r["at"].(float64)),
			valueText(&f.Y, r)})
	}
	return t
}

// valueText writes the value of a row with half of its interval.
func valueText(a *study.Axis, r row) string {
	y := r["y"].(float64)
	low, ok := r["low"].(float64)
	high, also := r["high"].(float64)
	if !ok || !also {
		return number(a, y)
	}
	half := (high - low) / 2
	if a.Ratio() {
		return spread(y, half, study.Percent)
	}
	return query.PlusMinus(y, half)
}

// number writes a value by its axis.
func number(a *study.Axis, v float64) string {
	if a.Ratio() {
		return fmt.Sprintf("%.1f %%", 100*v)
	}
	return fmt.Sprintf("%.4g", v)
}

// marksAt returns the paper's numbers at each of the labels.
func marksAt(f *study.Figure, labels []string) map[string]string {
	out := map[string]string{}
	for _, m := range f.Marks {
		at := fmt.Sprint(m.X)
		if m.X == nil || !slices.Contains(labels, at) {
			continue
		}
		out[at] = strings.TrimPrefix(out[at]+"; "+strings.TrimPrefix(m.Text, "paper: "), "; ")
	}
	return out
}

// stated returns the labels of a figure's lines without the word paper, for a list of the paper's numbers. In the
// figure a label stands beside its line; in the list it gets the line's value, if it has no number of its own.
func stated(f *study.Figure) (out []string) {
	for _, m := range f.Marks {
		if m.X != nil {
			continue
		}
		text := strings.TrimLeft(strings.TrimPrefix(m.Text, "paper"), ":, ")
		switch numbered := strings.ContainsAny(text, "0123456789"); {
		case numbered || m.Y == nil:
		case m.Y2 != nil:
			text = fmt.Sprintf("%s: %g to %g", text, *m.Y, *m.Y2)
		default:
			text = fmt.Sprintf("%s: %g", text, *m.Y)
		}
		out = append(out, text)
	}
	return out
}
