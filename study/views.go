package study

import (
	"fmt"
	"slices"
	"strings"
)

// checkViews refuses figures and tables that cannot be drawn. Their expressions
// are package query's to check.
func (s *Spec) checkViews() []error {
	var c complaints
	seen := map[string]bool{}
	id := func(path, id string) {
		if !names.MatchString(id) {
			c.add(s.errorf(path+".id", "id: found %q, expected %s", id, nameRule))
		} else if seen[id] {
			c.add(s.errorf(path+".id", "two figures or tables have the id %s", id))
		}
		seen[id] = true
	}
	kinds := []string{"bar", "line", "stack", "scatter"}
	for i := range s.Figures {
		f, path := &s.Figures[i], fmt.Sprintf("figure.%d", i)
		id(path, f.ID)
		if !slices.Contains(kinds, f.Kind) {
			c.add(s.errorf(path+".kind", "figure %s: kind: found %q, expected one of %s", f.ID, f.Kind, strings.Join(kinds, ", ")))
		}
		c.add(s.checkOver(path, f.Over, f.Values, f.Labels))
		if len(f.Series) == 0 {
			c.add(s.errorf(path, "figure %s: found no series, expected at least one", f.ID))
		}
	}
	for i := range s.Tables {
		t, path := &s.Tables[i], fmt.Sprintf("table.%d", i)
		id(path, t.ID)
		c.add(s.checkOver(path, t.Over, t.Values, t.Labels))
		if len(t.Columns) == 0 {
			c.add(s.errorf(path, "table %s: found no column, expected at least one", t.ID))
		}
	}
	return c
}

// checkOver refuses what an axis or the rows of a table cannot run over.
func (s *Spec) checkOver(path, over string, values []any, labels []string) error {
	group, isGroup := strings.CutPrefix(over, "group:")
	switch {
	case over == "" && len(values) == 0:
		return s.errorf(path, "found neither over nor values, expected one of them")
	case over != "" && len(values) > 0:
		return s.errorf(path+".over", "found over together with values, expected one of them")
	case isGroup && len(s.Groups[group]) == 0:
		return s.errorf(path+".over", "over: no group named %q", group)
	case !isGroup && over != "" && over != "groups" && over != "variants":
		return s.errorf(path+".over", "over: found %q, expected group:NAME, groups or variants", over)
	case labels != nil && len(labels) != len(values):
		return s.errorf(path+".labels", "%d labels, expected one for each of %d values", len(labels), len(values))
	}
	return nil
}
