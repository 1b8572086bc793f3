package query

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kumiko/gpus/result"
	"kumiko/internal/nearest"
	"kumiko/study"
	"kumiko/study/record"
)

// At has the conditions of an evaluation. The zero value
// means none.
type At struct {
	// Perturb is the number of the perturbation of every run.
	Perturb int
	// Swap maps variants to their replacements, by name. A statistic
	// or a piece of storage missing from the replacement is 0.
	Swap map[string]string
	X, S any // the variables x and s
}

// Context is one evaluation. Functions registered by other packages access the
// records through it. So missing records are noted, and perturbations and
// replacements hold for these functions too.
type Context struct {
	data    *study.Data
	made    *made // made-up records; nil: the records of data
	cache   *cache
	at      At
	missing map[string]bool
	present []Present
	few     map[string]bool // points with few waves, "VARIANT on BENCHMARK"
	// Whether a run, a variant, or a replaced variant was used.
	runs, variants, swapped bool
	asked                   bool // some record was asked for
}

// Present is how much of a list present() has found.
type Present struct{ Have, Of int }

// cache keeps decoded values for all evaluations over the same data.
type cache struct {
	streams    map[*record.Record]any
	variants   map[string]*study.Variant
	benchmarks map[string]bool
	order      []string
	parts      map[part]*result.Result
	seenReason map[string]bool
}

func newCache(d *study.Data) *cache {
	c := &cache{streams: map[*record.Record]any{}, variants: map[string]*study.Variant{}, benchmarks: map[string]bool{},
		parts: map[part]*result.Result{}, seenReason: map[string]bool{}}
	for i := range d.Spec.Variants {
		c.variants[d.Spec.Variants[i].Name] = &d.Spec.Variants[i]
	}
	for _, g := range slices.Sorted(maps.Keys(d.Spec.Groups)) {
		for _, b := range d.Spec.Groups[g] {
			if !c.benchmarks[b] {
				c.benchmarks[b] = true
				c.order = append(c.order, b)
			}
		}
	}
	for v := range c.variants {
		for _, b := range c.order {
			if r := d.Run(v, b, 0); r != nil {
				for name := range r.Total.IssueSlots {
					c.seenReason[name] = true
				}
			}
		}
	}
	return c
}

// Swapped reports whether a variant has another one in its place.
func (c *Context) Swapped(variant string) bool {
	to, ok := c.at.Swap[variant]
	return ok && to != variant
}

// variant returns the variant to use for a name.
func (c *Context) variant(name string) (string, error) {
	if c.cache.variants[name] == nil {
		return "", unknown("the study has no variant %q%s", name, nearest.Hint(name, c.data.Spec.VariantNames()))
	}
	c.variants = true
	if to, ok := c.at.Swap[name]; ok {
		c.swapped = c.swapped || to != name
		return to, nil
	}
	return name, nil
}

// benchmark splits a name such as "backprop/layerforward" into benchmark and
// kernel. The kernel may be empty.
func (c *Context) benchmark(name string) (benchmark, kernel string, err error) {
	if !c.cache.benchmarks[name] {
		benchmark, kernel, _ = strings.Cut(name, "/")
		if !c.cache.benchmarks[benchmark] || kernel == "" {
			return "", "", unknown("no group of the study has a benchmark %q%s", name,
				nearest.Hint(benchmark, c.cache.order))
		}
		return benchmark, kernel, nil
	}
	return name, "", nil
}

// launches returns the part of a result belonging to one kernel.
func (c *cache) launches(r *result.Result, kernel string) (*result.Result, error) {
	if kernel == "" {
		return r, nil
	}
	at := part{r, kernel}
	if p := c.parts[at]; p != nil {
		return p, nil
	}
	p := *r
	p.Kernels = nil
	for i := range r.Kernels {
		if r.Kernels[i].Name == kernel {
			p.Kernels = append(p.Kernels, r.Kernels[i])
		}
	}
	if len(p.Kernels) == 0 {
		return nil, fmt.Errorf("the record of %s has no launch of a kernel %q", r.Program, kernel)
	}
	p.Finish(0)
	c.parts[at] = &p
	return &p, nil
}

type part struct {
	of     *result.Result
	kernel string
}

// Counted is Run for expressions over statistics, which the perturbed runs of a pack do not have. Such a run is
// missing.
func (c *Context) Counted(variant, benchmark string) (*result.Result, error) {
	r, err := c.Run(variant, benchmark)
	if r == nil || c.at.Perturb == 0 || len(r.Total.Stats) > 0 {
		return r, err
	}
	v, err := c.variant(variant)
	c.lack(v, benchmark)
	return nil, err
}

// Run returns the result of a variant on a benchmark, or, for benchmark/kernel, the result of that kernel's
// launches alone. Without a result it returns nil and notes the run as missing. It returns an error for a name
// unknown to the study.
func (c *Context) Run(variant, benchmark string) (*result.Result, error) {
	c.runs = true
	v, err := c.variant(variant)
	if err != nil {
		return nil, err
	}
	benchmark, kernel, err := c.benchmark(benchmark)
	if err != nil {
		return nil, err
	}
	r := c.find(v, benchmark, c.at.Perturb)
	if r == nil {
		c.lack(v, benchmark)
		return nil, nil
	}
	if _, few := c.data.FewWaves(v, benchmark); few && c.made == nil {
		c.few[v+" on "+benchmark] = true
	}
	return c.cache.launches(r, kernel)
}

// find returns the result of a run, or nil.
func (c *Context) find(variant, benchmark string, perturb int) *result.Result {
	c.asked = true
	if c.made != nil {
		return c.made.run(variant, benchmark)
	}
	return c.data.Run(variant, benchmark, perturb)
}

// Any returns some result of a variant, for values equal on all benchmarks.
func (c *Context) Any(variant string) (*result.Result, error) {
	v, err := c.variant(variant)
	if err != nil {
		return nil, err
	}
	for _, b := range c.cache.order {
		if r := c.find(v, b, 0); r != nil {
			return r, nil
		}
	}
	c.Lacks(v + " on any benchmark")
	return nil, nil
}

// Stream returns the measure of a benchmark's access stream, decoded from JSON.
// Without a record it returns nil and notes the stream as missing.
func (c *Context) Stream(name, benchmark string) (any, error) {
	if !slices.ContainsFunc(c.data.Spec.Streams, func(s study.Stream) bool { return s.Name == name }) {
		return nil, unknown("the study has no stream %q%s", name, nearest.Hint(name, c.data.Spec.StreamNames()))
	}
	if !c.cache.benchmarks[benchmark] {
		return nil, unknown("no group of the study has a benchmark %q%s", benchmark,
			nearest.Hint(benchmark, c.cache.order))
	}
	c.asked = true
	if c.made != nil {
		return c.made.stream()
	}
	r := c.data.Stream(name, benchmark)
	if r == nil {
		c.Lacks("stream " + name + " of " + benchmark)
		return nil, nil
	}
	if v, ok := c.cache.streams[r]; ok {
		return v, nil
	}
	var v any
	if err := json.Unmarshal(r.Streams, &v); err != nil {
		return nil, fmt.Errorf("stream %s of %s: %w", name, benchmark, err)
	}
	c.cache.streams[r] = v
	return v, nil
}

// Lacks notes something as missing.
func (c *Context) Lacks(what string) { c.missing[what] = true }

func (c *Context) lack(variant, benchmark string) {
	what := variant + " on " + benchmark
	if r := c.data.Record(variant, benchmark, c.at.Perturb); r != nil && r.Failed != "" {
		what += " (failed)"
	}
	if c.at.Perturb != 0 {
		what += fmt.Sprintf(" under perturbation %d", c.at.Perturb)
	}
	c.Lacks(what)
}
