package study

import (
	"fmt"
	"strings"

	"kumiko/internal/nearest"
)

// X is one value of the x of a figure, a table or a series.
type X struct {
	Value any // a text, a truth value, or a number (float64)
	Label string
}

// Over lists the values of the x of a figure or table: group:NAME, groups, variants, or, for "list" or nothing,
// the given values. Labels, if any, belong to the values.
func (s *Spec) Over(what string, values []any, labels []string) ([]X, error) {
	var out []X
	switch group, isGroup := strings.CutPrefix(what, "group:"); {
	case isGroup && s.Groups[group] == nil:
		return nil, fmt.Errorf("no group named %q; expected one of %s%s", group,
			strings.Join(append(s.GroupNames(), AllGroup), ", "), nearest.Hint(group, s.GroupNames()))
	case isGroup:
		out = named(s.Groups[group])
	case what == "groups":
		out = named(s.GroupNames())
	case what == "variants":
		for i := range s.Variants {
			out = append(out, X{s.Variants[i].Name, s.Variants[i].Name})
		}
	case what == "" || what == "list":
		for _, v := range values {
			out = append(out, X{Number(v), fmt.Sprint(v)})
		}
	default:
		return nil, fmt.Errorf("found %q, expected group:NAME, groups or variants", what)
	}
	for i := range min(len(labels), len(out)) {
		out[i].Label = labels[i]
	}
	return out, nil
}

func named(list []string) []X {
	var out []X
	for _, x := range list {
		out = append(out, X{x, x})
	}
	return out
}

// Number converts whole numbers of a file to the numbers of expressions.
func Number(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case int:
		return float64(v)
	}
	return v
}

// Curve is one series after Each has been expanded.
type Curve struct {
	Name   string
	S      any // the value of Each; nil without Each
	X, Y   string
	Series int // of the file, counted from 0
}

// Curves expands the series of a figure.
func (s *Spec) Curves(list []Series) ([]Curve, error) {
	var out []Curve
	for i, x := range list {
		if x.Each == "" {
			out = append(out, Curve{Name: x.Name, X: x.X, Y: x.Y, Series: i})
			continue
		}
		values, err := s.Over(x.Each, x.Values, nil)
		if err != nil {
			return nil, fmt.Errorf("each of series %s: %w", x.Name, err)
		}
		for _, v := range values {
			name := strings.ReplaceAll(x.Name, "{}", v.Label)
			if x.Name == "" {
				name = v.Label
			}
			out = append(out, Curve{Name: name, S: v.Value, X: x.X, Y: x.Y, Series: i})
		}
	}
	return out, nil
}
