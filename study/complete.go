package study

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kumiko/benchmarks"
	"kumiko/gpus/sampling"
	"kumiko/internal/nearest"
	"kumiko/internal/tomldoc"
)

// complete fills in defaults, expands the sweeps, and returns the errors of the study. If the tables that define names
// have mistakes, it leaves out the checks that look the names up, because they would report the same mistakes again.
func (s *Spec) complete() []error {
	var c complaints
	c.add(s.checkHead()...)
	grouped := append(s.checkPrograms(), s.checkGroups()...)
	c.add(grouped...)
	swept := s.expand()
	c.add(swept...)
	sets := s.useSets()
	c.add(sets...)
	if len(swept) == 0 {
		c.add(s.checkVariants()...)
	}
	c.add(s.checkStreams()...)
	if len(grouped)+len(swept) == 0 {
		c.add(s.checkExempt()...)
		if len(c) == 0 {
			s.addViews()
		}
		c.add(s.checkViews()...)
	}
	if len(sets) == 0 {
		c.add(s.configure()...)
	}
	return c
}

type complaints []error

func (c *complaints) add(errs ...error) {
	for _, e := range errs {
		if e != nil {
			*c = append(*c, e)
		}
	}
}

// names matches the names allowed for studies, variants and groups: they become parts
// of file names and of expressions.
var names = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+=-]*$`)

const nameRule = "letters, digits and . _ + = -, a letter or digit first"

func (s *Spec) checkHead() []error {
	var c complaints
	if !names.MatchString(s.Name) {
		c.add(s.errorf("name", "name: found %q, expected %s", s.Name, nameRule))
	}
	if s.Title == "" {
		s.Title = s.Name
	}
	if s.Size == "" {
		s.Size = benchmarks.Study.String()
	}
	if s.Registers == "" {
		s.Registers = OwnRegisters
	}
	c.add(s.checkSize("size", s.Size), s.checkRegisters("registers", s.Registers))
	if !(s.Waves >= 0 && s.Waves <= MostWaves) {
		c.add(s.errorf("waves", "waves: found %v, expected 0 to %d", s.Waves, MostWaves))
	}
	switch {
	case s.Perturb < 0 || s.Perturb > MostPerturbations:
		c.add(s.errorf("perturb", "perturb: found %d, expected 0 to %d", s.Perturb, MostPerturbations))
	case s.Perturb > 0 && len(s.Variants) == 0:
		c.add(s.errorf("perturb", "perturb: found %d in a study without variants: streams have no timing", s.Perturb))
	}
	c.add(s.findPaper(), s.checkSample(), s.checkSplit(), s.checkProfile())
	return append(c, s.checkSettings("set", "", s.Set)...)
}

// checkSample parses the wanted error of sampled runs.
func (s *Spec) checkSample() error {
	switch {
	case s.Sample == nil:
		return nil
	case len(s.Variants) == 0:
		return s.errorf("sample", "sample: found in a study without variants: streams have no timing")
	case s.Sample.Error == "":
		return nil
	}
	half, err := sampling.ParseError(s.Sample.Error)
	if err != nil {
		return s.errorf("sample.error", "sample.error: %v", err)
	}
	s.Sample.half = half
	return nil
}

// checkProfile refuses a profile of runs that are not simulated whole.
func (s *Spec) checkProfile() error {
	switch {
	case !s.Profile:
		return nil
	case len(s.Variants) == 0:
		return s.errorf("profile", "profile: found in a study without variants: streams have no timing")
	case s.Sample != nil || s.Split != "":
		return s.errorf("profile", "profile: found together with sample or split, expected without them: a profile "+
			"has the waits of one whole run")
	}
	return nil
}

// findPaper resolves the path of a file of claims, which is relative to the study's file, and returns an error if the
// file is missing. It leaves a paper given by name alone, because only whoever judges claims knows these names
// (report.Evidence).
func (s *Spec) findPaper() error {
	if !strings.HasSuffix(s.Paper, ".toml") {
		return nil
	}
	if !filepath.IsAbs(s.Paper) {
		s.Paper = filepath.Join(filepath.Dir(s.doc.File), s.Paper)
	}
	if _, err := os.Stat(s.Paper); err != nil {
		return s.errorf("paper", "paper: %s: %v", s.Paper, errors.Unwrap(err))
	}
	return nil
}

// The footprints by name.
const (
	OwnRegisters   = "own"
	PaperRegisters = "paper"
)

// MostPerturbations bounds the perturbed runs of a point, MostWaves the waves
// required by a study.
const (
	MostPerturbations = 1000
	MostWaves         = 1000
)

func (s *Spec) checkSize(path, size string) error {
	if size == "" {
		return nil
	}
	if _, err := benchmarks.ParseSize(size); err != nil {
		return s.errorf(path, "%v", err)
	}
	return nil
}

func (s *Spec) checkRegisters(path, r string) error {
	if r == "" || r == OwnRegisters || r == PaperRegisters {
		return nil
	}
	return s.errorf(path, "registers: found %q, expected %s or %s", r, OwnRegisters, PaperRegisters)
}

// AllGroup is the group of every benchmark of a study. Unless the file lists
// it, it is the union of all other groups.
const AllGroup = "all"

func (s *Spec) checkGroups() []error {
	var c complaints
	for _, g := range s.groupOrder() {
		path := "groups." + g
		if !names.MatchString(g) {
			c.add(s.errorf(path, "group %q: expected a name of %s", g, nameRule))
		}
		if len(s.Groups[g]) == 0 {
			c.add(s.errorf(path, "group %s: found no benchmark, expected at least one", g))
		}
		for i, b := range s.Groups[g] {
			c.add(s.checkMember(path, i, b))
			if slices.Contains(s.Groups[g][:i], b) {
				c.add(tomldoc.Errorf(s.doc.Elem(path, i), "group %s: %s is in it twice", g, b))
			}
		}
	}
	if len(c) == 0 {
		c.add(s.nestGroups())
	}
	if s.Groups[AllGroup] == nil {
		s.fillAll()
	}
	return c
}

// checkMember returns an error for an unknown benchmark, and for a name other
// than the registry's.
func (s *Spec) checkMember(path string, i int, name string) error {
	app, err := s.Benchmark(name)
	switch base, _, _ := strings.Cut(name, ":"); {
	case err != nil:
		return tomldoc.Errorf(s.doc.Elem(path, i), "%v", err)
	case s.isGroup(name):
		return nil
	case app == nil:
		return tomldoc.Errorf(s.doc.Elem(path, i), "no benchmark named %q (kumiko list benchmarks)%s", name,
			nearest.Hint(name, s.benchmarkNames()))
	case app.Name != name && !strings.HasPrefix(app.Name, base):
		return tomldoc.Errorf(s.doc.Elem(path, i), "benchmark %q: expected its name, %s", name, app.Name)
	}
	return nil
}

// groupOrder lists the groups in the order of the file.
func (s *Spec) groupOrder() []string {
	var out []string
	for i := range s.doc.Entries {
		if k := s.doc.Entries[i].Key; len(k) == 2 && k[0] == "groups" && s.Groups[k[1]] != nil {
			out = append(out, k[1])
		}
	}
	return out
}

// GroupNames lists the groups in the order of the file, without AllGroup.
func (s *Spec) GroupNames() []string {
	return slices.DeleteFunc(s.groupOrder(), func(g string) bool { return g == AllGroup })
}

func (s *Spec) fillAll() {
	var all []string
	for _, g := range s.groupOrder() {
		for _, b := range s.Groups[g] {
			if !slices.Contains(all, b) {
				all = append(all, b)
			}
		}
	}
	if all != nil {
		s.Groups[AllGroup] = all
	}
}

// Benchmarks lists the benchmarks of some groups, each once; without groups, all.
func (s *Spec) Benchmarks(groups []string) []string {
	if len(groups) == 0 {
		groups = []string{AllGroup}
	}
	var out []string
	for _, g := range groups {
		for _, b := range s.Groups[g] {
			if !slices.Contains(out, b) {
				out = append(out, b)
			}
		}
	}
	return out
}

func (s *Spec) checkNamed(path string, groups []string) error {
	if len(groups) == 0 && len(s.Groups[AllGroup]) == 0 {
		return s.errorf(path, "found no benchmark for it, expected a group in [groups]")
	}
	for i, g := range groups {
		if slices.Contains(groups[:i], g) {
			return tomldoc.Errorf(s.doc.Elem(path+".groups", i), "groups: found %s twice", g)
		}
		if len(s.Groups[g]) == 0 {
			return tomldoc.Errorf(s.doc.Elem(path+".groups", i), "no group named %q; expected one of %s%s", g,
				strings.Join(append(s.GroupNames(), AllGroup), ", "), nearest.Hint(g, s.GroupNames()))
		}
	}
	return nil
}

func (s *Spec) checkExempt() []error {
	var c complaints
	for i := range s.WavesExempt {
		e, path := &s.WavesExempt[i], fmt.Sprintf("waves_exempt.%d", i)
		if slices.ContainsFunc(s.WavesExempt[:i], e.covers) || slices.ContainsFunc(s.WavesExempt[:i], e.coveredBy) {
			c.add(s.errorf(path, "waves_exempt of %s: found a table before it that exempts the same", e.points()))
		}
		if e.Benchmark == "" && len(e.Variants) == 0 {
			c.add(s.errorf(path, "waves_exempt: found no benchmark, expected one, or variants"))
		}
		if e.Benchmark != "" && !slices.Contains(s.Groups[AllGroup], e.Benchmark) {
			c.add(s.errorf(path+".benchmark", "waves_exempt: found the benchmark %q, expected one of the study's%s",
				e.Benchmark, nearest.Hint(e.Benchmark, s.Groups[AllGroup])))
		}
		for k, v := range e.Variants {
			if s.Variant(v) == nil {
				c.add(tomldoc.Errorf(s.doc.Elem(path+".variants", k), "waves_exempt: no variant named %q%s", v,
					nearest.Hint(v, s.VariantNames())))
			}
		}
		if strings.TrimSpace(e.Reason) == "" {
			c.add(s.errorf(path, "waves_exempt of %s: reason is missing: say why its launches are small", e.points()))
		}
		if app, _ := s.Benchmark(e.Benchmark); e.Kernel != "" && (app == nil ||
			!slices.ContainsFunc(app.Kernels, func(k benchmarks.KernelInfo) bool { return k.Name == e.Kernel })) {
			c.add(s.errorf(path+".kernel", "waves_exempt: %s has no kernel %q", cmp.Or(e.Benchmark, "a study"),
				e.Kernel))
		}
	}
	return c
}

// covers reports whether e exempts every point exempted by o.
func (e *Exempt) covers(o Exempt) bool {
	return (e.Benchmark == "" || e.Benchmark == o.Benchmark) && (e.Kernel == "" || e.Kernel == o.Kernel) &&
		(len(e.Variants) == 0 || len(o.Variants) > 0 &&
			!slices.ContainsFunc(o.Variants, func(v string) bool { return !slices.Contains(e.Variants, v) }))
}

// coveredBy reports whether o exempts every point exempted by e.
func (e *Exempt) coveredBy(o Exempt) bool { return o.covers(*e) }

// points describes the exempted points.
func (e *Exempt) points() string {
	names := slices.DeleteFunc(append([]string{e.Benchmark, e.Kernel}, e.Variants...),
		func(n string) bool { return n == "" })
	return strings.Join(names, " ")
}
