package report

import (
	"errors"
	"fmt"

	"kumiko/internal/tomldoc"
	"kumiko/study"
	"kumiko/study/query"
)

// Check lists, as *tomldoc.Error, the errors in the expressions of a study's figures and tables, and in what it names
// for the evidence, which may be nil. Nothing need have been run.
func Check(s *study.Spec, e Evidence) []error {
	c := &checker{Query: query.Trial(s), spec: s}
	for i := range s.Figures {
		c.figure(fmt.Sprintf("figure.%d", i), &s.Figures[i])
	}
	for i := range s.Tables {
		c.table(fmt.Sprintf("table.%d", i), &s.Tables[i])
	}
	if e != nil {
		c.errs = append(c.errs, e.Check(s)...)
	}
	return c.errs
}

type checker struct {
	*query.Query
	spec *study.Spec
	errs []error
}

func (c *checker) add(at tomldoc.Pos, format string, args ...any) {
	c.errs = append(c.errs, tomldoc.Errorf(at, format, args...))
}

// figure tries the expressions of a figure at every value of its x.
func (c *checker) figure(path string, f *study.Figure) {
	xs, err := c.spec.Over(f.Over, f.Values, f.Labels)
	if err != nil {
		c.add(c.spec.Pos(path), "figure %s: %v", f.ID, err)
		return
	}
	curves, err := c.spec.Curves(f.Series)
	if err != nil {
		c.add(c.spec.Pos(path), "figure %s: %v", f.ID, err)
		return
	}
	wrong := map[string]bool{} // places already reported
	for _, x := range curves {
		for _, axis := range []struct{ key, code string }{{"y", x.Y}, {"x", x.X}} {
			at := fmt.Sprintf("%s.series.%d.%s", path, x.Series, axis.key)
			if axis.code != "" && !wrong[at] {
				wrong[at] = !c.try(at, fmt.Sprintf("figure %s: series %s", f.ID, x.Name), axis.code, x.S, xs, true)
			}
		}
	}
}

func (c *checker) table(path string, t *study.Table) {
	xs, err := c.spec.Over(t.Over, t.Values, t.Labels)
	if err != nil {
		c.add(c.spec.Pos(path), "table %s: %v", t.ID, err)
		return
	}
	for i := range t.Columns {
		c.try(fmt.Sprintf("%s.column.%d.value", path, i), fmt.Sprintf("table %s: column %s", t.ID, t.Columns[i].Name),
			t.Columns[i].Value, nil, xs, false)
	}
}

// try evaluates an expression for each x until one shows a mistake.
func (c *checker) try(path, what, code string, s any, xs []study.X, number bool) bool {
	at := c.spec.Pos(path)
	for _, x := range xs {
		v, err := c.Try(code, query.At{X: x.Value, S: s})
		var e *query.Error
		switch {
		case errors.As(err, &e):
			c.add(c.spec.File().Rune(at, e.At), "%s at %s: %s", what, x.Label, e.Message)
			return false
		case err != nil:
			c.add(at, "%s at %s: %v", what, x.Label, err)
			return false
		case v.NotRun():
			continue
		}
		if _, ok := v.Number(); number && !ok {
			c.add(at, "%s at %s: gives %v, expected a number", what, x.Label, v.V)
			return false
		}
	}
	return true
}
