package study

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kumiko/internal/tomldoc"
)

// Kinds of figures.
const (
	Bar     = "bar"
	Line    = "line"
	Stack   = "stack"
	Scatter = "scatter"
	Map     = "map"
)

var kinds = []string{Bar, Line, Stack, Scatter, Map}

// StacksID is the ID of the figure of the issue slots, part of every report.
const StacksID = "cpi"

// Kinds of means at the end of a table.
const (
	Arithmetic = "arithmetic"
	Geometric  = "geometric"
	BothMeans  = "both"
)

// list selects the listed values for x.
const list = "list"

// Percent is the format of a column of ratios in percent.
const Percent = "percent"

// checkViews returns errors for impossible figures and tables, and for settings
// without effect in them. Package query checks their expressions.
func (s *Spec) checkViews() []error {
	var c complaints
	seen := map[string]bool{}
	id := func(path, id string) {
		if id == StacksID {
			c.add(s.errorf(path+".id", "id: found %s, which every report has", id))
		} else if !names.MatchString(id) {
			c.add(s.errorf(path+".id", "id: found %q, expected %s", id, nameRule))
		} else if seen[id] {
			c.add(s.errorf(path+".id", "two figures or tables have the id %s", id))
		}
		seen[id] = true
	}
	for i := range s.Figures {
		path := fmt.Sprintf("figure.%d", i)
		id(path, s.Figures[i].ID)
		c.add(s.checkFigure(path, &s.Figures[i])...)
	}
	for i := range s.Tables {
		path := fmt.Sprintf("table.%d", i)
		id(path, s.Tables[i].ID)
		c.add(s.checkTable(path, &s.Tables[i])...)
	}
	for i := range s.Notes {
		if strings.TrimSpace(s.Notes[i].Text) == "" {
			c.add(s.errorf(fmt.Sprintf("note.%d", i), "note: text is missing"))
		}
	}
	return c
}

func (s *Spec) checkFigure(path string, f *Figure) []error {
	var c complaints
	if !slices.Contains(kinds, f.Kind) {
		c.add(s.errorf(path+".kind", "figure %s: kind: found %q, expected one of %s", f.ID, f.Kind,
			strings.Join(kinds, ", ")))
	}
	xs, errs := s.checkOver(path, f.Over, f.Values, f.Labels)
	c.add(errs...)
	c.add(s.checkSeries(path, f)...)
	numbers := f.Kind == Scatter || f.Kind == Line && len(xs) > 0 &&
		!slices.ContainsFunc(xs, func(x X) bool { _, ok := x.Value.(float64); return !ok })
	if numbers && f.Kind == Line && f.Labels != nil {
		c.add(s.errorf(path+".labels", "figure %s: labels: found for the numbers of a line, which its axis shows",
			f.ID))
	}
	c.add(s.checkAxis(path+".x", &f.X, numbers)...)
	c.add(s.checkAxis(path+".y", &f.Y, true)...)
	c.add(s.checkBars(path, f)...)
	if f.Kind == Stack && f.Y.Log {
		c.add(s.errorf(path+".y.log", "figure %s: parts of a stack do not add up on a logarithmic axis", f.ID))
	}
	if f.Kind == Map && (f.Y.Log || f.Y.Zero != nil || f.Y.Min != nil || f.Y.Max != nil) {
		c.add(s.errorf(path+".y", "figure %s: y: found log, zero, min or max, expected title, percent or share: the "+
			"values of a map are colours", f.ID))
	}
	for k := range f.Marks {
		if m := &f.Marks[k]; f.Kind == Map && (m.X != nil || m.Y2 != nil) {
			c.add(s.errorf(fmt.Sprintf("%s.mark.%d", path, k), "mark: found x or y2, expected y and text: the mark of "+
				"a map parts the cells that reach it from the others"))
			continue
		}
		c.add(s.checkMark(fmt.Sprintf("%s.mark.%d", path, k), &f.Marks[k], xs, numbers)...)
	}
	return c
}

// checkSeries returns errors for series without expressions, with a key without effect,
// or with the name of another.
func (s *Spec) checkSeries(path string, f *Figure) []error {
	if len(f.Series) == 0 {
		return []error{s.errorf(path, "figure %s: found no series, expected at least one", f.ID)}
	}
	var c complaints
	for i := range f.Series {
		x, at := &f.Series[i], fmt.Sprintf("%s.series.%d", path, i)
		switch {
		case strings.TrimSpace(x.Y) == "":
			c.add(s.errorf(at, "series %s: y is missing", x.Name))
		case f.Kind == Scatter && strings.TrimSpace(x.X) == "":
			c.add(s.errorf(at, "series %s: x is missing: both are expressions in a scatter figure", x.Name))
		case f.Kind != Scatter && x.X != "":
			c.add(s.errorf(at+".x", "series %s: found x, which is for scatter figures", x.Name))
		}
		switch {
		case x.Each == "" && x.Values != nil:
			c.add(s.errorf(at+".values", "series %s: found values without each = \"list\"", x.Name))
		case x.Each == "" && strings.Contains(x.Name, "{}"):
			c.add(s.errorf(at+".name", "series %s: found {} without each", x.Name))
		case x.Each == "list":
			c.add(s.checkValues(at, x.Values)...)
			if len(x.Values) == 0 {
				c.add(s.errorf(at, "series %s: values is missing: each is \"list\"", x.Name))
			}
		case x.Each != "" && x.Values != nil:
			c.add(s.errorf(at+".values", "series %s: found values together with each = %q, expected each = \"list\"",
				x.Name, x.Each))
		case x.Each != "":
			if _, err := s.Over(x.Each, nil, nil); err != nil {
				c.add(s.errorf(at+".each", "each: %v, or list", err))
			}
		}
	}
	if len(c) > 0 {
		return c
	}
	curves, err := s.Curves(f.Series)
	if err != nil {
		return []error{s.errorf(path+".series", "%v", err)}
	}
	seen := map[string]bool{}
	for _, x := range curves {
		if seen[x.Name] {
			c.add(s.errorf(fmt.Sprintf("%s.series.%d", path, x.Series), "figure %s: two series are named %q", f.ID,
				x.Name))
		}
		seen[x.Name] = true
	}
	return c
}

// checkAxis returns errors for contradictory settings, and for settings without effect on
// an axis with labels instead of numbers.
func (s *Spec) checkAxis(path string, a *Axis, numbers bool) []error {
	var c complaints
	refuse := func(key, format string, args ...any) { c.add(s.errorf(path+"."+key, key+": "+format, args...)) }
	if !numbers {
		for key, given := range map[string]bool{"percent": a.Percent, "share": a.Share, "zero": a.Zero != nil,
			"log": a.Log, "min": a.Min != nil, "max": a.Max != nil} {
			if given {
				refuse(key, "found for an axis of labels, expected for one of numbers")
			}
		}
		slices.SortFunc(c, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
		return c
	}
	switch {
	case a.Share && a.Percent:
		refuse("percent", "found together with share, which is shown in percent")
	case a.Zero != nil && a.Log:
		refuse("zero", "found together with log, which has no zero")
	case a.Zero != nil && *a.Zero && a.Min != nil:
		refuse("zero", "found together with min, expected one of them")
	case a.Log && a.Min != nil && *a.Min <= 0:
		refuse("min", "found %v together with log, expected above 0", *a.Min)
	case a.Log && a.Max != nil && *a.Max <= 0:
		refuse("max", "found %v together with log, expected above 0", *a.Max)
	case a.Min != nil && a.Max != nil && *a.Min >= *a.Max:
		refuse("max", "found %v, expected above min, which is %v", *a.Max, *a.Min)
	}
	return c
}

// checkMark returns an error for a number of the paper without a place in its figure.
func (s *Spec) checkMark(path string, m *Mark, xs []X, numbers bool) []error {
	_, isNumber := Number(m.X).(float64)
	switch {
	case m.X == nil || xs == nil && !numbers:
	case numbers && !isNumber:
		return []error{s.errorf(path+".x", "mark: x: found %v, expected a number as on the axis", m.X)}
	case !numbers && !slices.ContainsFunc(xs, func(x X) bool { return x.Label == fmt.Sprint(m.X) }):
		return []error{s.errorf(path+".x", "mark: x: found %v, expected a label of the axis", m.X)}
	}
	if m.Y == nil {
		return []error{s.errorf(path, "mark: y is missing")}
	}
	if m.Y2 != nil && *m.Y2 == *m.Y {
		return []error{
			s.errorf(path+".y2", "mark: y2: found %v, which is y; expected the other end of a range", *m.Y2),
		}
	}
	return nil
}

func (s *Spec) checkTable(path string, t *Table) []error {
	var c complaints
	xs, errs := s.checkOver(path, t.Over, t.Values, t.Labels)
	c.add(errs...)
	if len(t.Columns) == 0 {
		c.add(s.errorf(path, "table %s: found no column, expected at least one", t.ID))
	}
	if !slices.Contains([]string{"", Arithmetic, Geometric, BothMeans}, t.Mean) {
		c.add(
			s.errorf(path+".mean", "mean: found %q, expected %s, %s or %s", t.Mean, Arithmetic, Geometric, BothMeans),
		)
	}
	rows := len(xs) + len(Means(t.Mean, len(xs)))
	for i := range t.Columns {
		x, at := &t.Columns[i], fmt.Sprintf("%s.column.%d", path, i)
		if strings.TrimSpace(x.Value) == "" {
			c.add(s.errorf(at, "column %s: value is missing", x.Name))
		}
		if x.Format != "" && x.Format != Percent && !oneVerb.MatchString(x.Format) {
			c.add(
				s.errorf(at+".format", "format: found %q, expected percent or one number's, such as %%.2f", x.Format),
			)
		}
		if xs != nil && len(x.Paper) > rows {
			c.add(s.errorf(at+".paper", "paper: found %d values for %d rows", len(x.Paper), rows))
		}
		c.add(s.checkPrimitive(at+".paper", x.Paper)...)
	}
	return c
}

// oneVerb is a format of package fmt for one floating-point number.
var oneVerb = regexp.MustCompile(`^(?:[^%]|%%)*%[-+ #0]*[0-9]*(?:\.[0-9]+)?[eEfFgG](?:[^%]|%%)*$`)

// Means lists the means over n values by their names. One value is its own mean.
func Means(kind string, n int) []string {
	switch {
	case kind == "" || n == 1:
		return nil
	case kind == BothMeans:
		return []string{Arithmetic, Geometric}
	}
	return []string{kind}
}

// checkOver returns the values of an axis or of a table's rows, or errors for impossible
// ones.
func (s *Spec) checkOver(path, over string, values []any, labels []string) ([]X, []error) {
	switch {
	case over == "" && len(values) == 0:
		return nil, []error{s.errorf(path, "found neither over nor values, expected one of them")}
	case over == list && len(values) == 0:
		return nil, []error{s.errorf(path, "values is missing: over is \"list\"")}
	case over != "" && over != list && len(values) > 0:
		return nil, []error{s.errorf(path+".over", "found over together with values, expected over = \"list\"")}
	case over != "" && over != list && labels != nil:
		return nil, []error{s.errorf(path+".labels", "found labels together with over, expected them with values")}
	case labels != nil && len(labels) != len(values):
		return nil, []error{s.errorf(path+".labels", "%d labels, expected one for each of %d values", len(labels),
			len(values))}
	}
	if errs := s.checkValues(path, values); len(errs) > 0 {
		return nil, errs
	}
	xs, err := s.Over(over, values, labels)
	if err != nil {
		return nil, []error{s.errorf(path+".over", "over: %v, or list with values", err)}
	}
	var c complaints
	seen := map[string]bool{}
	for i, x := range xs {
		if seen[x.Label] && labels != nil {
			c.add(tomldoc.Errorf(s.doc.Elem(path+".labels", i), "two values have the label %q", x.Label))
		}
		seen[x.Label] = true
	}
	if len(c) > 0 {
		return nil, c
	}
	return xs, nil
}

// checkValues returns errors for lists of values unusable in an expression,
// and for repeated values.
func (s *Spec) checkValues(path string, values []any) []error {
	c := complaints(s.checkPrimitive(path+".values", values))
	seen := map[string]bool{}
	for i, v := range values {
		if text := fmt.Sprint(v); seen[text] {
			c.add(tomldoc.Errorf(s.doc.Elem(path+".values", i), "values: found %v twice", v))
		} else {
			seen[text] = true
		}
	}
	return c
}

// checkPrimitive returns errors for elements of a list other than numbers, texts
// and truth values.
func (s *Spec) checkPrimitive(path string, values []any) []error {
	var c complaints
	for i, v := range values {
		switch Number(v).(type) {
		case float64, string, bool:
		default:
			c.add(tomldoc.Errorf(s.doc.Elem(path, i), "found %v, expected a number, a text or a truth value", v))
		}
	}
	return c
}
