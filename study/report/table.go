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

// notRun stands in the cell of what has not been run.
const notRun = "not run"

// NewTable works a table of a study out. Its error is a mistake in the study.
func NewTable(q *query.Query, t *study.Table) (*page.Table, error) {
	xs, err := over(q.Data().Spec, t.Over, t.Values, t.Labels)
	if err != nil {
		return nil, err
	}
	out := &page.Table{Head: []string{""}, Numeric: []bool{false}, Caption: t.Doc}
	rows := make([][]string, len(xs))
	for i, x := range xs {
		rows[i] = []string{x.label}
	}
	var missing []string
	means := map[string][]string{}
	for i := range t.Columns {
		c := &t.Columns[i]
		values, lacks, err := column(q, c, xs)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", c.Name, err)
		}
		missing = append(missing, lacks...)
		out.Head, out.Numeric = append(out.Head, c.Name), append(out.Numeric, true)
		numbers, whole := []float64{}, true
		for k, v := range values {
			rows[k] = append(rows[k], v.text)
			if f, ok := v.value.(float64); ok {
				numbers = append(numbers, f)
			} else {
				whole = false
			}
		}
		for _, kind := range meansOf(t.Mean) {
			means[kind] = append(means[kind], meanText(kind, numbers, whole, c.Format))
		}
		if len(c.Paper) > 0 {
			out.Head, out.Numeric = append(out.Head, "in the paper"), append(out.Numeric, true)
			for k := range rows {
				rows[k] = append(rows[k], paper(c, k))
			}
			for _, kind := range meansOf(t.Mean) {
				means[kind] = append(means[kind], "")
			}
		}
	}
	for _, kind := range meansOf(t.Mean) {
		rows = append(rows, append([]string{kind + " mean"}, means[kind]...))
	}
	out.Rows = rows
	first := len(xs)
	out.Class = func(r, c int) string {
		switch {
		case rows[r][c] == notRun, rows[r][c] == "not defined":
			return "plain"
		case r >= first:
			return "strong"
		case out.Head[c] == "in the paper":
			return "plain"
		}
		return ""
	}
	if slices.Sort(missing); len(missing) > 0 {
		out.Caption = strings.TrimSpace(out.Caption + " Not run: " + query.Brief(slices.Compact(missing), 8) + ".")
	}
	return out, nil
}

// cell is a value with how it is shown.
type cell struct {
	value any
	text  string
}

func column(q *query.Query, c *study.Column, xs []at) (out []cell, missing []string, err error) {
	for _, x := range xs {
		a := query.At{X: x.value}
		v, err := q.Eval(c.Value, a)
		if errors.Is(err, query.ErrUndefined) {
			out = append(out, cell{nil, "not defined"})
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("at %s: %w", x.label, err)
		}
		if v.NotRun() {
			missing = append(missing, v.Missing...)
			out = append(out, cell{nil, notRun})
			continue
		}
		text := show(v.V, c.Format)
		if i, err := q.Interval(c.Value, a); err == nil && i != nil && i.Half() > 0 && !c.Compact {
			text += " ± " + spread(i.Half(), c.Format)
		}
		for _, p := range v.Present {
			if p.Have < p.Of {
				text += fmt.Sprintf(" (%d of %d)", p.Have, p.Of)
			}
		}
		out = append(out, cell{v.V, text})
	}
	return out, missing, nil
}

// spread writes half an interval: where the column has no format, with two digits
// that count.
func spread(half float64, format string) string {
	if format == "" {
		return fmt.Sprintf("%.2g", half)
	}
	return show(half, format)
}

func paper(c *study.Column, k int) string {
	if k >= len(c.Paper) {
		return ""
	}
	return show(number(c.Paper[k]), c.Format)
}

// show writes a value by the format of a column.
func show(v any, format string) string {
	switch v := v.(type) {
	case float64:
		switch {
		case format == "percent":
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

func meansOf(kind string) []string {
	switch kind {
	case "both":
		return []string{"arithmetic", "geometric"}
	case "":
		return nil
	}
	return []string{kind}
}

// meanText is a mean of a column, or why there is none.
func meanText(kind string, numbers []float64, whole bool, format string) string {
	switch {
	case !whole:
		return notRun
	case len(numbers) == 0:
		return ""
	case kind == "geometric":
		if slices.Min(numbers) <= 0 {
			return "-"
		}
		sum := 0.0
		for _, x := range numbers {
			sum += math.Log(x)
		}
		return show(math.Exp(sum/float64(len(numbers))), format)
	}
	sum := 0.0
	for _, x := range numbers {
		sum += x
	}
	return show(sum/float64(len(numbers)), format)
}
