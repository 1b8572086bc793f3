package report

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"kumiko/internal/page"
	"kumiko/study"
	"kumiko/study/query"
)

// notRun stands in the cell of a value not yet run.
const notRun = "not run"

// inPaper heads the columns with the paper's values.
const inPaper = "in the paper"

// undefined stands in the cell of an undefined number, such as a division by zero.
const undefined = "not defined"

// NewTable evaluates a table of a study. It returns an error for a mistake in the study.
func NewTable(q *query.Query, t *study.Table) (*page.Table, error) {
	xs, err := q.Data().Spec.Over(t.Over, t.Values, t.Labels)
	if err != nil {
		return nil, err
	}
	out := &page.Table{Caption: t.Doc}
	for _, x := range xs {
		out.Rows = append(out.Rows, []string{x.Label})
	}
	for _, kind := range study.Means(t.Mean, len(xs)) {
		out.Rows = append(out.Rows, []string{kind + " mean"})
	}
	add := func(head string, numeric bool, cell func(i int) string) {
		out.Head, out.Numeric = append(out.Head, head), append(out.Numeric, numeric)
		if head == "" {
			return
		}
		for i := range out.Rows {
			out.Rows[i] = append(out.Rows[i], cell(i))
		}
	}
	add("", false, nil)
	var missing, few []string
	noisy := false
	for i := range t.Columns {
		c := &t.Columns[i]
		values, seen, err := column(q, c, xs)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		missing, few, noisy = append(missing, seen.missing...), append(few, seen.few...), noisy || seen.noisy
		for _, kind := range study.Means(t.Mean, len(xs)) {
			values = append(values, cell{text: meanText(kind, values[:len(xs)], c)})
		}
		add(c.Name, true, func(i int) string { return values[i].text })
		if len(c.Paper) > 0 {
			add(inPaper, true, func(i int) string { return paper(c, i) })
		}
	}
	out.Class = func(r, c int) string {
		switch {
		case out.Rows[r][c] == notRun, out.Rows[r][c] == undefined:
			return "plain"
		case r >= len(xs):
			return "strong"
		case out.Head[c] == inPaper:
			return "plain"
		}
		return ""
	}
	if noisy {
		out.Caption = strings.TrimSpace(out.Caption + " " + plusMinus)
	}
	out.Caption = strings.TrimSpace(out.Caption + fewWaves(q.Data(), few))
	if slices.Sort(missing); len(missing) > 0 {
		out.Caption = strings.TrimSpace(out.Caption + " Not run: " + query.Brief(slices.Compact(missing), 8) + ".")
	}
	return out, nil
}

// mostAcross is the most columns of numbers that fit a page beside each other with their intervals.
const mostAcross = 8

// turned returns a table with rows for columns, if it has too many of these and fewer rows.
func turned(t *page.Table) *page.Table {
	if len(t.Head)-1 <= mostAcross || len(t.Rows) > mostAcross {
		return t
	}
	out := &page.Table{Caption: t.Caption, Head: []string{""}, Numeric: []bool{false}}
	for _, row := range t.Rows {
		out.Head, out.Numeric = append(out.Head, row[0]), append(out.Numeric, true)
	}
	for c := 1; c < len(t.Head); c++ {
		line := []string{t.Head[c]}
		for _, row := range t.Rows {
			line = append(line, row[c])
		}
		out.Rows = append(out.Rows, line)
	}
	out.Class = func(r, c int) string {
		if c == 0 {
			return ""
		}
		return t.Class(c-1, r+1)
	}
	return out
}

// cell is a value with its text.
type cell struct {
	value  any
	text   string
	sample []float64 // of the plain run and the perturbed ones; nil: none
}

// remarks are what is to be said below a table.
type remarks struct {
	missing []string // the points that have not been run
	few     []string // the points with fewer full waves than the study requires
	noisy   bool     // some cell shows an interval, which the remark explains
}

func column(q *query.Query, c *study.Column, xs []study.X) (out []cell, r remarks, err error) {
	for _, x := range xs {
		a := query.At{X: x.Value}
		v, err := q.Eval(c.Value, a)
		if errors.Is(err, query.ErrUndefined) {
			out = append(out, cell{text: undefined})
			continue
		}
		if err != nil {
			return nil, r, fmt.Errorf("at %s: %w", x.Label, err)
		}
		if v.NotRun() {
			r.missing = append(r.missing, v.Missing...)
			out = append(out, cell{text: notRun})
			continue
		}
		r.few = append(r.few, v.Few...)
		text := show(v.V, c.Format)
		if i, err := q.Interval(c.Value, a); err == nil && i != nil && i.Half() > 0 && !c.Compact {
			text = spread(v.V, i.Half(), c.Format)
			r.noisy = true
		}
		for _, p := range v.Present {
			if p.Have < p.Of {
				text += fmt.Sprintf(" (%d of %d)", p.Have, p.Of)
			}
		}
		sample, _ := q.Numbers(c.Value, a) // without one, the mean has no interval
		out = append(out, cell{v.V, text, sample})
	}
	return out, r, nil
}

// spread writes a value and half of its interval with equal digits, as the terminal does.
func spread(v any, half float64, format string) string {
	if y, ok := v.(float64); ok && format != study.Percent {
		return query.PlusMinus(y, half)
	}
	return strings.TrimSuffix(show(v, format), " %") + " ± " + show(half, format)
}

func paper(c *study.Column, k int) string {
	if k >= len(c.Paper) {
		return ""
	}
	return show(study.Number(c.Paper[k]), c.Format)
}

// show writes a value by the format of a column.
func show(v any, format string) string {
	switch v := v.(type) {
	case float64:
		switch {
		case format == study.Percent:
			return fmt.Sprintf("%.1f %%", 100*v)
		case strings.HasPrefix(format, "%"):
			return fmt.Sprintf(format, v)
		case v == math.Trunc(v) && math.Abs(v) < 1e15:
			return fmt.Sprintf("%.0f", v)
		}
		return fmt.Sprintf("%.4g", v)
	case []any:
		var out []string
		for _, x := range v {
			out = append(out, show(x, format))
		}
		return strings.Join(out, ", ")
	case bool:
		return map[bool]string{true: "yes", false: "no"}[v]
	}
	return fmt.Sprint(v)
}

// meanText returns a mean of a column, or the reason for its absence. Where the cells have samples, half of the
// interval of the mean stands beside it.
func meanText(kind string, values []cell, c *study.Column) string {
	var list []float64
	samples := make([][]float64, 0, len(values))
	for _, v := range values {
		x, ok := v.value.(float64)
		switch {
		case !ok && v.text == notRun:
			return notRun
		case !ok:
			return "-"
		}
		list, samples = append(list, x), append(samples, v.sample)
	}
	if len(list) == 0 {
		return ""
	}
	m := mean(kind, list)
	if math.IsNaN(m) {
		return "-"
	}
	if i := query.StudentT(meansOf(kind, samples)); i != nil && i.Half() > 0 && !c.Compact {
		return spread(m, i.Half(), c.Format)
	}
	return show(m, c.Format)
}
