package report

import (
	"fmt"
	"strings"

	"kumiko/study"
)

// at is one value that a figure or table runs over.
type at struct {
	value any
	label string
}

// over lists what x runs over.
func over(s *study.Spec, what string, values []any, labels []string) ([]at, error) {
	var out []at
	switch group, isGroup := strings.CutPrefix(what, "group:"); {
	case isGroup:
		list, ok := s.Groups[group]
		if !ok {
			return nil, fmt.Errorf("over: the study has no group %q", group)
		}
		out = texts(list)
	case what == "groups":
		out = texts(s.GroupNames())
	case what == "variants":
		for i := range s.Variants {
			out = append(out, at{s.Variants[i].Name, s.Variants[i].Name})
		}
	case what == "" || what == "list" || what == "values":
		for _, v := range values {
			out = append(out, at{number(v), fmt.Sprint(v)})
		}
	default:
		return nil, fmt.Errorf("over: found %q, expected group:NAME, groups, variants or list", what)
	}
	for i := range min(len(labels), len(out)) {
		out[i].label = labels[i]
	}
	return out, nil
}

func texts(list []string) []at {
	var out []at
	for _, x := range list {
		out = append(out, at{x, x})
	}
	return out
}

// number makes whole numbers of a file numbers as expressions know them.
func number(v any) any {
	switch v := v.(type) {
	case int64:
		return float64(v)
	case int:
		return float64(v)
	}
	return v
}

// curve is one series after Each has been expanded.
type curve struct {
	name string
	s    any
	x, y string
}

func curves(s *study.Spec, list []study.Series) ([]curve, error) {
	var out []curve
	for _, x := range list {
		if x.Each == "" {
			out = append(out, curve{name: x.Name, x: x.X, y: x.Y})
			continue
		}
		values, err := over(s, x.Each, x.Values, nil)
		if err != nil {
			return nil, fmt.Errorf("each of series %s: %w", x.Name, err)
		}
		for _, v := range values {
			name := strings.ReplaceAll(x.Name, "{}", v.label)
			if x.Name == "" {
				name = v.label
			}
			out = append(out, curve{name: name, s: v.value, x: x.X, y: x.Y})
		}
	}
	return out, nil
}
