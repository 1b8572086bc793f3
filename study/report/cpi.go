package report

import (
	"fmt"
	"maps"
	"slices"

	"kumiko/internal/page"
	"kumiko/sm/reason"
	"kumiko/sm/sched"
	"kumiko/study"
)

// IssueSlots shows the distribution of the issue slots of every variant: means over groups
// of benchmarks, and each benchmark on demand. A mean includes the variants with
// results for the whole group. A variant with a baseline is shown relative to the
// baseline's slots per instruction.
func IssueSlots(d *study.Data) *Figure {
	f := &Figure{ID: study.StacksID, Title: "Issue slots per warp instruction, by reason", Missing: lacking(d)}
	c := &cpi{Data: d, roots: d.Spec.Roots(), variants: ran(d)}
	c.order = reasons(d, c.variants)
	c.relative = slices.ContainsFunc(c.variants, func(v string) bool { return c.roots[v] != v })
	for _, g := range append([]string{study.AllGroup}, d.Spec.GroupNames()...) {
		c.mean(g)
	}
	for _, b := range d.Spec.Groups[study.AllGroup] {
		c.benchmark(b)
	}
	if len(c.rows) == 0 {
		return f
	}
	what := "issue slots per warp instruction"
	if c.relative {
		what += ", baseline = 1"
	}
	f.Caption = "Of a mean, each benchmark has the same weight, and only variants that have run all of them are " +
		"shown. A slot has one reason: that of the warp nearest to issuing."
	if c.relative {
		f.Caption += " Each variant is relative to the baseline at the end of its chain, benchmark by benchmark."
	}
	f.Caption += fewWaves(d, allFew(d))
	f.Spec = cpiSpec(c, what, f.Title)
	return f
}

// cpi is the making of the figure.
type cpi struct {
	*study.Data
	roots           map[string]string
	variants, order []string // variants with any result; reasons
	relative        bool
	rows            []row
	texts           page.Texts
	// choices are the selectable views, with their labels; first is the one with
	// most variants.
	choices, labels []string
	first           string
	most            int
}

// stack returns the slots of a variant on a benchmark by reason; nil if unknown.
func (c *cpi) stack(variant, benchmark string) map[string]float64 {
	r, base := c.Run(variant, benchmark, 0), c.Run(c.roots[variant], benchmark, 0)
	if r == nil || c.relative && base == nil {
		return nil
	}
	whole := 1.0
	if c.relative {
		whole = 0
		for _, reason := range slices.Sorted(maps.Keys(base.Total.CPIStack)) {
			whole += base.Total.CPIStack[reason]
		}
	}
	out := map[string]float64{}
	for reason, x := range r.Total.CPIStack {
		out[reason] = x / whole
	}
	return out
}

// add adds a variant's bar to a choice.
func (c *cpi) add(choice, variant string, stack map[string]float64) {
	for i, reason := range c.order {
		if x := stack[reason]; x > 0 {
			c.rows = append(c.rows, row{"variant": variant, "place": slices.Index(c.variants, variant),
				"benchmark": choice, "reason": reason, "order": i, "value": x})
		}
	}
}

// mean adds the means over a group.
func (c *cpi) mean(group string) {
	list, n := c.Spec.Groups[group], 0
	if len(list) == 1 {
		return // the benchmark is a choice itself
	}
	choice := "mean of " + group
	for _, v := range c.variants {
		mean := map[string]float64{}
		whole := true
		for _, b := range list {
			stack := c.stack(v, b)
			whole = whole && stack != nil
			for reason, x := range stack {
				mean[reason] += x / float64(len(list))
			}
		}
		if whole {
			n++
			c.add(choice, v, mean)
		}
	}
	if n > 0 {
		c.choices, c.labels = append(c.choices, choice),
			append(c.labels, fmt.Sprintf("mean of %s (%d benchmarks)", group, len(list)))
	}
	if n > c.most {
		c.first, c.most = choice, n
	}
}

// benchmark adds one benchmark.
func (c *cpi) benchmark(b string) {
	before := len(c.rows)
	for _, v := range c.variants {
		c.add(b, v, c.stack(v, b))
	}
	if len(c.rows) > before {
		c.choices, c.labels = append(c.choices, b), append(c.labels, b)
		if c.first == "" {
			c.first = b
		}
	}
}

// leastWidth is the least width of the stacks, in pixels.
const leastWidth = 180

func cpiSpec(c *cpi, what, title string) row {
	labels := c.texts.Labels(c.variants)
	return row{
		"title": row{"text": title, "offset": 12}, "width": 760, "height": row{"step": 20},
		"usermeta": page.Least(leastWidth),
		"params": append([]any{row{"name": "shown", "value": c.first,
			"bind": row{"input": "select", "name": "Shown: ", "options": c.choices, "labels": c.labels}}},
			c.texts.Params()...),
		"data":      row{"values": c.rows},
		"transform": []any{row{"filter": "datum.benchmark == shown"}},
		"mark":      row{"type": "bar", "height": row{"band": 0.75}},
		"encoding": row{
			"y": row{"field": "place", "type": "nominal", "axis": row{"title": nil, "labelExpr": labels,
				"ticks": false, "domain": false, "labelPadding": 6}},
			"x": row{"field": "value", "type": "quantitative", "title": what},
			"color": row{"field": "reason", "type": "nominal", "sort": c.order, "scale": page.Colours(c.order),
				"legend": row{"title": nil, "symbolType": "square", "columns": legendColumns(c.order)}},
			"order": row{"field": "order", "type": "quantitative"},
			"tooltip": []row{{"field": "variant"}, {"field": "reason"},
				{"field": "value", "title": what, "type": "quantitative", "format": ".3f"}},
		},
	}
}

// ran returns the variants with any result.
func ran(d *study.Data) []string {
	var out []string
	for i := range d.Spec.Variants {
		v := d.Spec.Variants[i].Name
		if slices.ContainsFunc(d.Spec.Groups[study.AllGroup], func(b string) bool { return d.Run(v, b, 0) != nil }) {
			out = append(out, v)
		}
	}
	return out
}

// lacking returns the missing points without perturbation.
func lacking(d *study.Data) (out []string) {
	for i := range d.Spec.Variants {
		v := &d.Spec.Variants[i]
		for _, b := range d.Spec.Benchmarks(v.Groups) {
			if d.Run(v.Name, b, 0) == nil {
				out = append(out, v.Name+" on "+b)
			}
		}
	}
	return out
}

// KnownReasons lists the reasons common to most studies, the nearest to issuing first.
func KnownReasons() []reason.Info {
	return sched.Reasons(&sched.Config{Width: 2, Choice: sched.Spec{Policy: sched.TwoLevel}},
		&sched.Planes{Inserts: "operations"})
}

// reasons lists the occurring reasons, used slots first and the nearest to issuing
// before others; the gates of designs follow the ready warps.
func reasons(d *study.Data, variants []string) []string {
	seen := map[string]bool{}
	for _, v := range variants {
		for _, b := range d.Spec.Groups[study.AllGroup] {
			if r := d.Run(v, b, 0); r != nil {
				for name, n := range r.Total.IssueSlots {
					seen[name] = seen[name] || n > 0
				}
			}
		}
	}
	maps.DeleteFunc(seen, func(_ string, occurs bool) bool { return !occurs })
	var out []string
	for _, r := range KnownReasons() {
		if seen[r.Name] {
			out = append(out, r.Name)
			delete(seen, r.Name)
		}
	}
	return slices.Insert(out, min(1, len(out)), slices.Sorted(maps.Keys(seen))...)
}
