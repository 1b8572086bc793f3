package report

import (
	"fmt"
	"maps"
	"slices"

	"kumiko/gpus/result"
	"kumiko/internal/runpage"
	"kumiko/sm"
	"kumiko/study"
	"kumiko/study/claims"
)

// average is the entry of the figure's choice that stands for all benchmarks.
const average = "mean"

// cpiStacks shows where the issue slots of every variant went: the mean over
// the benchmarks that all of them have run, and each benchmark on demand. A
// variant with a baseline is shown relative to the baseline's slots per
// instruction.
func cpiStacks(d *study.Data) *Figure {
	f := &Figure{ID: "cpi", Title: "Issue slots per warp instruction, by reason"}
	variants := ran(d)
	common, missing := together(d, variants)
	f.Missing = missing
	if len(common) == 0 {
		return f
	}
	roots := claims.Roots(d.Spec)
	relative := slices.ContainsFunc(variants, func(v string) bool { return roots[v] != v })
	order := reasons(d, variants)
	var rows []row
	for _, v := range variants {
		mean := map[string]float64{}
		for _, b := range common {
			base := 1.0
			if relative {
				base = perInstruction(d.Run(roots[v], b, 0))
			}
			for reason, x := range d.Run(v, b, 0).Total.CPIStack {
				mean[reason] += x / base / float64(len(common))
				rows = append(rows, row{"variant": v, "benchmark": b, "reason": reason, "order": slices.Index(order, reason), "value": x / base})
			}
		}
		for reason, x := range mean {
			rows = append(rows, row{"variant": v, "benchmark": average, "reason": reason, "order": slices.Index(order, reason), "value": x})
		}
	}
	rows = slices.DeleteFunc(rows, func(r row) bool { return r["value"].(float64) == 0 })
	sortRows(rows, variants)
	what := "issue slots per warp instruction"
	if relative {
		what += ", baseline = 1"
	}
	f.Caption = fmt.Sprintf("Of the mean, each of %d benchmarks has the same weight. A slot has one reason: that of the warp nearest to issuing.", len(common))
	if relative {
		f.Caption += " Each variant is relative to the baseline at the end of its chain, benchmark by benchmark."
	}
	f.Spec = cpiSpec(rows, variants, common, order, what, f.Title)
	return f
}

func cpiSpec(rows []row, variants, benchmarks, order []string, what, title string) row {
	labels := append([]string{fmt.Sprintf("mean over %d benchmarks", len(benchmarks))}, benchmarks...)
	return row{
		"title": row{"text": title, "offset": 12}, "width": 760, "height": row{"step": 20},
		"params":    []any{row{"name": "benchmark", "value": average, "bind": row{"input": "select", "name": "Benchmark ", "options": append([]string{average}, benchmarks...), "labels": labels}}},
		"data":      row{"values": rows},
		"transform": []any{row{"filter": "datum.benchmark == benchmark"}},
		"mark":      row{"type": "bar", "height": row{"band": 0.75}},
		"encoding": row{
			"y":     row{"field": "variant", "type": "nominal", "sort": variants, "title": nil, "axis": row{"ticks": false, "domain": false, "labelPadding": 6}},
			"x":     row{"field": "value", "type": "quantitative", "title": what},
			"color": row{"field": "reason", "type": "nominal", "sort": order, "scale": runpage.Colours(order), "legend": row{"title": nil, "symbolType": "square"}},
			"order": row{"field": "order", "type": "quantitative"},
			"tooltip": []row{{"field": "variant"}, {"field": "reason"},
				{"field": "value", "title": what, "type": "quantitative", "format": ".3f"}},
		},
	}
}

// ran are the variants that have any result.
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

// together are the benchmarks that all the variants have run, and what is
// missing for those that some have.
func together(d *study.Data, variants []string) (common, missing []string) {
	for _, b := range d.Spec.Groups[study.AllGroup] {
		var lacks []string
		for _, v := range variants {
			if d.Run(v, b, 0) == nil {
				lacks = append(lacks, v+" on "+b)
			}
		}
		if len(lacks) == 0 {
			common = append(common, b)
		} else if len(lacks) < len(variants) {
			missing = append(missing, lacks...)
		}
	}
	return common, missing
}

func perInstruction(r *result.Result) float64 {
	if r == nil {
		return 1
	}
	sum := 0.0
	for _, x := range r.Total.CPIStack {
		sum += x
	}
	return sum
}

// reasons lists those that occur, used slots first and the nearest to issuing
// before others; the gates of designs stand behind the ready warps.
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
	for _, r := range sm.Reasons(nil, true) {
		if seen[r.Name] {
			out = append(out, r.Name)
			delete(seen, r.Name)
		}
	}
	return slices.Insert(out, min(1, len(out)), slices.Sorted(maps.Keys(seen))...)
}

func sortRows(rows []row, variants []string) {
	slices.SortStableFunc(rows, func(a, b row) int {
		if x := slices.Index(variants, a["variant"].(string)) - slices.Index(variants, b["variant"].(string)); x != 0 {
			return x
		}
		if a["benchmark"] != b["benchmark"] {
			if a["benchmark"].(string) < b["benchmark"].(string) {
				return -1
			}
			return 1
		}
		return a["order"].(int) - b["order"].(int)
	})
}
