package report

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"kumiko/gpus/config"
	"kumiko/internal/page"
	"kumiko/study"
)

// value formats a parameter's value for the page.
func value(v any) string {
	switch v := v.(type) {
	case string:
		if v == "" {
			return `""`
		}
		return v
	case float64, int, int64, bool:
		return fmt.Sprint(v)
	}
	if list := reflect.ValueOf(v); list.Kind() == reflect.Slice {
		var out []string
		for i := range list.Len() {
			out = append(out, value(list.Index(i).Interface()))
		}
		return strings.Join(out, ", ")
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// setting is one parameter over all variants.
type setting struct {
	config.Param
	values map[string]string // by variant
}

// settings lists the parameters of all variants. A parameter stands in the order of the first variant
// with it.
func settings(s *study.Spec) []*setting {
	var out []*setting
	by := map[string]*setting{}
	for i := range s.Variants {
		cfg := s.Config(s.Variants[i].Name)
		if cfg == nil {
			continue
		}
		for _, p := range cfg.Params() {
			if p.Where == "" {
				continue // of a block missing from this GPU
			}
			if by[p.Key] == nil {
				by[p.Key] = &setting{Param: p, values: map[string]string{}}
				out = append(out, by[p.Key])
			}
			by[p.Key].values[s.Variants[i].Name] = value(p.Value)
		}
	}
	return out
}

// configuration returns the parameters in which variants differ, if there are any, and all parameters, which are not
// printed.
func configuration(s *study.Spec) (differing []page.Section, whole page.Section) {
	differ := &page.Table{Head: []string{"parameter", "values, and of which variants", "what it is"}}
	differ.Class = func(_, c int) string {
		if c >= 1 {
			return "wide"
		}
		return ""
	}
	all := &page.Table{Head: []string{"parameter", "value", "what it is", "source"}, Class: differ.Class}
	for _, p := range settings(s) {
		about := p.Doc
		if p.Unit != "" && p.Unit != "-" {
			about += " (in " + p.Unit + ")"
		}
		text, same := distinct(s, p)
		if !same {
			differ.Rows = append(differ.Rows, []string{p.Key, text, about})
		}
		source := p.Source
		if source == "" {
			source = p.Where
		}
		all.Rows = append(all.Rows, []string{p.Key, text, about, source})
	}
	if n := len(differ.Rows); n > 0 {
		differing = append(differing, page.Section{Title: fmt.Sprintf("Parameters in which variants differ: %d", n),
			Folded: n > mostOpen, Screen: n > mostOpen, Parts: []page.Part{page.Tab(differ)},
			Text: "Those of blocks that only some of them have, and in which these agree, are left out."})
	}
	return differing, page.Section{Title: fmt.Sprintf("All %d parameters, with units and sources", len(all.Rows)),
		Folded: true, Screen: true, Parts: []page.Part{page.Tab(all)}}
}

// mostOpen is the largest number of differing parameters that the page shows unfolded, and prints.
const mostOpen = 25

// none stands for the value of a parameter if a variant lacks its block.
const none = "(not there)"

// distinct formats the values of a parameter with their variants, the
// most common value last. same: the variants with the parameter agree.
func distinct(s *study.Spec, p *setting) (text string, same bool) {
	with := map[string][]string{}
	var order []string
	for i := range s.Variants {
		name := s.Variants[i].Name
		v, ok := p.values[name]
		if !ok {
			v = none
		}
		if with[v] == nil {
			order = append(order, v)
		}
		with[v] = append(with[v], name)
	}
	if len(order) == 1 {
		return order[0], true
	}
	slices.SortStableFunc(order, func(a, b string) int { return len(with[a]) - len(with[b]) })
	var out []string
	for i, v := range order {
		if i == len(order)-1 && len(with[v]) > 3 {
			out = append(out, v+": all others")
			continue
		}
		out = append(out, v+": "+strings.Join(with[v], ", "))
	}
	return strings.Join(out, "\n"), len(order) == 2 && with[none] != nil
}

func folded(title string, parts ...page.Part) page.Part {
	return page.Part{Group: &page.Group{Title: title, Folded: true, Parts: parts}}
}
