package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kumiko/internal/page"
	"kumiko/study"
)

// provenance shows the origin of everything on the page.
func provenance(in *Input) page.Section {
	d := in.Data
	s := d.Spec
	programs, configs := map[string]string{},
		&page.Table{Head: []string{"variant", "configuration (SHA-256)", "plain runs"},
			Numeric: []bool{false, false, true}}
	for i := range s.Variants {
		v := s.Variants[i].Name
		hash, n := "-", 0
		for _, b := range s.Groups[study.AllGroup] {
			if r := d.Run(v, b, 0); r != nil {
				n++
				hash = r.ConfigHash
				programs[b] = r.ProgramHash
			}
		}
		configs.Rows = append(configs.Rows, []string{v, hash, fmt.Sprint(n)})
	}
	facts := &page.Table{Head: []string{"", ""}}
	add := func(k, v string) { facts.Rows = append(facts.Rows, []string{k, v}) }
	add("this page", "Kumiko "+in.Version)
	of := counted(d)
	for _, v := range slices.Sorted(maps.Keys(of)) {
		add("records", fmt.Sprintf("%s, of Kumiko %s", of[v], v))
	}
	if !in.First.IsZero() {
		add("recorded", in.First.UTC().Format("2006-01-02 15:04")+" to "+in.Last.UTC().Format("2006-01-02 15:04")+
			" UTC")
	}
	add("size", s.Size)
	add("register footprints", s.Registers)
	if n := d.Perturbations(); n > 0 {
		add("perturbations", fmt.Sprintf("%d perturbed runs of each point beside its plain one", n))
		if moved := d.Underfilled(); len(moved) > 0 {
			add("of these with CTAs on other SMs", "the launches of less than one full wave of CTAs: "+
				strings.Join(moved, ", "))
		}
	}
	if text := sampling(d); text != "" {
		add("sampling", text)
	}
	if text := splitting(d); text != "" {
		add("parts", text)
	}
	sec := page.Section{Title: "Provenance",
		Text: "Every number on this page is worked out from records, each of which is a function of the simulator's " +
			"version, the configuration and the program alone.",
		Parts: []page.Part{page.Tab(facts)}}
	sec.Parts = append(sec.Parts, census(in.Census)...)
	t := &page.Table{Head: []string{"program", "SHA-256"}}
	for _, b := range slices.Sorted(maps.Keys(programs)) {
		t.Rows = append(t.Rows, []string{b, programs[b]})
	}
	sec.Parts = append(sec.Parts, folded("Configurations", page.Tab(configs)), folded("Programs", page.Tab(t)))
	return sec
}

// sampling describes the sampling of a study's runs and its accuracy; empty: they were not sampled.
func sampling(d *study.Data) string {
	if d.Spec.Sample == nil {
		return ""
	}
	var simulated, all uint64
	sampled, runs, widest, of := 0, 0, 0.0, ""
	for _, b := range d.Spec.Groups[study.AllGroup] {
		for i := range d.Spec.Variants {
			v := d.Spec.Variants[i].Name
			for k := range d.Perturbations() + 1 {
				r := d.Run(v, b, k)
				if r == nil {
					continue
				}
				runs++
				all += r.Total.WarpInstructions
				s := r.Sampling()
				if s == nil {
					simulated += r.Total.WarpInstructions
					continue
				}
				sampled++
				simulated += s.WarpInstructions
				if w := s.CyclesHalf / float64(r.Total.Cycles); w > widest {
					widest, of = w, ", of "+v+" "+b
				}
			}
		}
	}
	return fmt.Sprintf("%d of %d runs have sampled launches; %.3g of all warp instructions were simulated; the widest "+
		"interval of a run's cycles is ± %.2g %%%s", sampled, runs, float64(simulated)/float64(max(all, 1)),
		100*widest, of)
}

// splitting describes the parts of a study's runs; empty: they were not split.
func splitting(d *study.Data) string {
	if d.Spec.Split == "" {
		return ""
	}
	runs, cut, launches, parts := 0, 0, 0, 0
	for _, b := range d.Spec.Groups[study.AllGroup] {
		for i := range d.Spec.Variants {
			for k := range d.Perturbations() + 1 {
				r := d.Record(d.Spec.Variants[i].Name, b, k)
				if r == nil || r.Split == nil {
					continue
				}
				runs++
				if n := len(r.Split.Parts); n > 1 {
					cut++
					launches += r.Split.Launches
					parts += n
				}
			}
		}
	}
	return fmt.Sprintf("%d of %d runs were simulated in parts of launches, %d launches in %d parts; each part begins "+
		"on a machine of its own, whose caches the launches before it have passed without being simulated", cut, runs,
		launches, parts)
}

// census shows the present and missing points of the study.
func census(c *study.Census) (parts []page.Part) {
	if c == nil {
		return nil
	}
	parts = append(parts, page.Para(fmt.Sprintf("%d points, each a plain run, a perturbed run or an access stream: "+
		"%d done, %d missing, %d failed.", c.Points, c.Done, len(c.Missing), len(c.Failed))))
	if len(c.Failed) > 0 {
		t := &page.Table{Head: []string{"failed", "why"}}
		for _, f := range c.Failed {
			t.Rows = append(t.Rows, []string{f.Point, f.Why})
		}
		parts = append(parts, page.Tab(t))
	}
	if len(c.Missing) > 0 {
		parts = append(parts, folded(fmt.Sprintf("The %d missing points", len(c.Missing)),
			page.Para(strings.Join(c.Missing, "\n"))))
	}
	return parts
}

// counts are numbers of records by kind.
type counts struct{ plain, perturbed, streams int }

func (c *counts) String() string {
	out := fmt.Sprintf("%d plain runs", c.plain)
	if c.perturbed > 0 {
		out += fmt.Sprintf(", %d perturbed runs", c.perturbed)
	}
	if c.streams > 0 {
		out += fmt.Sprintf(", %d access streams", c.streams)
	}
	return out
}

// counted counts the records of each version of the simulator.
func counted(d *study.Data) map[string]*counts {
	out := map[string]*counts{}
	at := func(version string) *counts {
		if out[version] == nil {
			out[version] = &counts{}
		}
		return out[version]
	}
	for _, b := range d.Spec.Groups[study.AllGroup] {
		for i := range d.Spec.Variants {
			for k := range d.Perturbations() + 1 {
				if r := d.Run(d.Spec.Variants[i].Name, b, k); r == nil {
					continue
				} else if k == 0 {
					at(r.Version).plain++
				} else {
					at(r.Version).perturbed++
				}
			}
		}
		for i := range d.Spec.Streams {
			if r := d.Stream(d.Spec.Streams[i].Name, b); r != nil {
				at(r.Version).streams++
			}
		}
	}
	return out
}
