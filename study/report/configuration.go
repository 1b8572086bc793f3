package report

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kumiko/gpus/config"
	"kumiko/internal/page"
	"kumiko/study"
)

// value is a parameter's value as the page writes it.
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

// settings lists the parameters of all variants, in the order of the first that
// has them.
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
				continue // of a block that this GPU does not have
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

// configuration shows the parameters in which the variants differ, and all of
// them on demand.
func configuration(s *study.Spec) page.Section {
	differ := &page.Table{Head: []string{"parameter", "unit", "values, and of which variants", "what it is"}}
	differ.Class = func(_, c int) string {
		if c >= 2 {
			return "wide"
		}
		return ""
	}
	all := &page.Table{Head: []string{"parameter", "value", "unit", "what it is", "source"}}
	all.Class = func(_, c int) string {
		if c == 1 || c >= 3 {
			return "wide"
		}
		return ""
	}
	for _, p := range settings(s) {
		unit := p.Unit
		if unit == "-" {
			unit = ""
		}
		text, same := distinct(s, p)
		if !same {
			differ.Rows = append(differ.Rows, []string{p.Key, unit, text, p.Doc})
		}
		source := p.Source
		if source == "" {
			source = p.Where
		}
		all.Rows = append(all.Rows, []string{p.Key, text, unit, p.Doc, source})
	}
	sec := page.Section{Title: "Configuration"}
	if len(differ.Rows) > 0 {
		sec.Text = "Parameters in which the variants differ. Those of blocks that only some of them have, and in " +
			"which these agree, are below."
		sec.Parts = append(sec.Parts, page.Tab(differ))
	}
	sec.Parts = append(sec.Parts, page.Part{Group: &page.Group{Title: fmt.Sprintf("All %d parameters, with units and "+
		"sources", len(all.Rows)), Folded: true, Parts: []page.Part{page.Tab(all)}}})
	return sec
}

// none is the value of a parameter of a block that a variant does not have.
const none = "(not there)"

// distinct writes the values of a parameter with the variants that have them, the
// most common last; same when the variants that have it agree.
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

// provenance says where everything comes from.
func provenance(in *Input) page.Section {
	d := in.Data
	s := d.Spec
	versions, programs, configs := map[string]int{}, map[string]string{},
		&page.Table{Head: []string{"variant", "configuration (SHA-256)", "runs"}, Numeric: []bool{false, false, true}}
	for i := range s.Variants {
		v := s.Variants[i].Name
		hash, n := "-", 0
		for _, b := range s.Groups[study.AllGroup] {
			if r := d.Run(v, b, 0); r != nil {
				n++
				hash = r.ConfigHash
				versions[r.Version]++
				programs[b] = r.ProgramHash
			}
		}
		configs.Rows = append(configs.Rows, []string{v, hash, fmt.Sprint(n)})
	}
	facts := &page.Table{Head: []string{"", ""}}
	add := func(k, v string) { facts.Rows = append(facts.Rows, []string{k, v}) }
	add("this page", "Kumiko "+in.Version)
	for _, v := range slices.Sorted(maps.Keys(versions)) {
		add("records", fmt.Sprintf("%d runs of Kumiko %s", versions[v], v))
	}
	if !in.First.IsZero() {
		add("recorded", in.First.UTC().Format("2006-01-02 15:04")+" to "+in.Last.UTC().Format("2006-01-02 15:04")+
			" UTC")
	}
	add("size", s.Size)
	add("register footprints", s.Registers)
	if n := d.Perturbations(); n > 0 {
		add("perturbations", fmt.Sprintf("%d beside the plain runs", n))
		if moved := d.Underfilled(); len(moved) > 0 {
			add("of these with CTAs on other SMs", "the launches of less than one full wave of CTAs: "+
				strings.Join(moved, ", "))
		}
	}
	sec := page.Section{Title: "Provenance",
		Text: "Every number on this page is worked out from records, each of which is a function of the simulator's " +
			"version, the configuration and the program alone.",
		Parts: []page.Part{page.Tab(facts)}}
	if c := in.Census; c != nil {
		sec.Parts = append(sec.Parts, page.Para(fmt.Sprintf("%d points: %d done, %d missing, %d failed.", c.Points,
			c.Done, len(c.Missing), len(c.Failed))))
		if len(c.Failed) > 0 {
			t := &page.Table{Head: []string{"failed", "why"}}
			for _, f := range c.Failed {
				t.Rows = append(t.Rows, []string{f.Point, f.Why})
			}
			sec.Parts = append(sec.Parts, page.Tab(t))
		}
		if len(c.Missing) > 0 {
			sec.Parts = append(sec.Parts, folded(fmt.Sprintf("The %d missing points", len(c.Missing)),
				page.Para(strings.Join(c.Missing, "\n"))))
		}
	}
	t := &page.Table{Head: []string{"program", "SHA-256"}}
	for _, b := range slices.Sorted(maps.Keys(programs)) {
		t.Rows = append(t.Rows, []string{b, programs[b]})
	}
	sec.Parts = append(sec.Parts, folded("Configurations", page.Tab(configs)), folded("Programs", page.Tab(t)))
	return sec
}

func folded(title string, parts ...page.Part) page.Part {
	return page.Part{Group: &page.Group{Title: title, Folded: true, Parts: parts}}
}
