package runpage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kumiko/gpus/result"
	"kumiko/internal/page"
)

type row = map[string]any

// legendColumns is the number of columns in a legend of reasons or states.
const legendColumns = 7

// leastWidth is the least width of a figure of horizontal bars, in pixels.
const leastWidth = 180

// bars returns a figure of horizontal bars, stacked by name in the given order.
func bars(rows []row, names, labels []string, label, value, legend string, tooltip []row, normalize bool) row {
	x := row{"field": "value", "type": "quantitative", "title": value, "axis": row{"tickCount": 8}}
	if normalize {
		x["stack"] = "normalize"
		x["axis"] = row{"format": ".0%", "tickCount": 10, "labelSeparation": 6}
	}
	var texts page.Texts
	for _, r := range rows {
		r["place"] = slices.Index(labels, r["label"].(string))
	}
	axis := row{"title": label, "labelExpr": texts.Labels(labels), "ticks": false, "domain": false, "labelPadding": 6}
	return row{
		"width": 800, "height": row{"step": 24}, "params": texts.Params(), "usermeta": page.Least(leastWidth),
		"data": row{"values": rows},
		"mark": row{"type": "bar", "height": row{"band": 0.72}},
		"encoding": row{
			"y": row{"field": "place", "type": "nominal", "axis": axis},
			"x": x,
			"color": row{"field": "name", "type": "nominal", "scale": page.Colours(names),
				"legend": row{"title": legend, "symbolType": "square", "columns": legendColumns}},
			"order":   row{"field": "order", "type": "quantitative"},
			"tooltip": tooltip,
		},
	}
}

func tip(pairs ...string) []row {
	var out []row
	for i := 0; i < len(pairs); i += 3 {
		t := row{"field": pairs[i], "title": pairs[i+1]}
		if pairs[i+2] != "" {
			t["type"], t["format"] = "quantitative", pairs[i+2]
		}
		out = append(out, t)
	}
	return out
}

// slots shows the use of the issue slots, by kernel and by SM.
func slots(groups []group, r *result.Result, d *Doc) page.Section {
	order := reasonsOf(d, r.Total.IssueSlots)
	var rows []row
	var labels []string
	add := func(label string, slots map[string]uint64, n uint64) []row {
		var out []row
		total := sum(slots)
		for i, name := range order {
			if v := slots[name]; v > 0 && n > 0 {
				out = append(out, row{"label": label, "name": name, "order": i, "value": float64(v) / float64(n),
					"share": float64(v) / float64(total), "slots": v})
			}
		}
		return out
	}
	for _, g := range longest(groups) {
		labels = append(labels, g.name)
		rows = append(rows, add(g.name, g.counts.IssueSlots, g.counts.WarpInstructions)...)
	}
	if len(groups) > 1 {
		labels = append(labels, "all launches")
		rows = append(rows, add("all launches", r.Total.IssueSlots, r.Total.WarpInstructions)...)
	}
	tips := tip("label", "kernel", "", "name", "reason", "", "share", "share", ".1%", "value", "slots per instruction",
		".3f", "slots", "slots", ",")
	parts := []page.Part{
		page.Fig("Share of all issue slots. Each slot has one reason: that of the warp nearest to issuing.",
			bars(rows, order, labels, "", "share of issue slots", "reason", tips, true)),
		page.Fig("CPI stack: issue slots for each warp instruction. With an instruction in every slot it would be 1.",
			bars(rows, order, labels, "", "issue slots per warp instruction", "reason", tips, false)),
	}
	if rows, labels := bySM(r, add); len(labels) > 1 {
		parts = append(parts, page.Fig("Share of each SM's issue slots, over all launches.",
			bars(rows, order, labels, "", "share of issue slots", "reason",
				tip("label", "SM", "", "name", "reason", "", "share", "share", ".1%", "slots", "slots", ","), true)))
	}
	parts = append(parts, page.Part{Table: reasonTable(d, r)})
	return page.Section{Title: "Where the issue slots went", Parts: parts}
}

func bySM(r *result.Result, add func(string, map[string]uint64, uint64) []row) (rows []row, labels []string) {
	slots, instructions := map[int]map[string]uint64{}, map[int]uint64{}
	for i := range r.Kernels {
		for _, s := range r.Kernels[i].SMs {
			if slots[s.SM] == nil {
				slots[s.SM] = map[string]uint64{}
			}
			for k, v := range s.IssueSlots {
				slots[s.SM][k] += v
			}
			instructions[s.SM] += s.WarpInstructions
		}
	}
	for _, i := range slices.Sorted(maps.Keys(slots)) {
		label := fmt.Sprintf("SM %d", i)
		labels = append(labels, label)
		rows = append(rows, add(label, slots[i], max(instructions[i], 1))...)
	}
	return rows, labels
}

// reasonsOf lists the occurring reasons in their fixed order.
func reasonsOf(d *Doc, slots map[string]uint64) []string {
	var out []string
	known := map[string]bool{}
	for _, r := range d.Reasons {
		known[r.Name] = true
		if slots[r.Name] > 0 {
			out = append(out, r.Name)
		}
	}
	for _, name := range sortedKeys(slots) {
		if !known[name] && slots[name] > 0 {
			out = append(out, name)
		}
	}
	return out
}

func reasonTable(d *Doc, r *result.Result) *page.Table {
	t := &page.Table{Head: []string{"reason", "slots", "share", "meaning"}, Numeric: []bool{false, true, true}}
	total := sum(r.Total.IssueSlots)
	for _, x := range d.Reasons {
		if n := r.Total.IssueSlots[x.Name]; n > 0 {
			t.Rows = append(t.Rows, []string{x.Name, grouped3(n), Share(n, total), x.Doc})
		}
	}
	return t
}

// states shows the states of the resident warps.
func states(groups []group, d *Doc) page.Section {
	var rows []row
	var labels []string
	seen := map[string]uint64{}
	for _, g := range longest(groups) {
		total := sum(g.counts.WarpStates)
		if total == 0 {
			continue
		}
		labels = append(labels, g.name)
		for name, v := range g.counts.WarpStates {
			seen[name] += v
			if v > 0 {
				rows = append(rows, row{"label": g.name, "name": name, "value": v, "share": float64(v) / float64(total),
					"warps": float64(v) / float64(g.counts.Cycles)})
			}
		}
	}
	names := []string{}
	if seen["ready"] > 0 {
		names = append(names, "ready")
	}
	for _, n := range reasonsOf(d, seen) {
		if n != "ready" {
			names = append(names, n)
		}
	}
	for _, r := range rows {
		r["order"] = slices.Index(names, r["name"].(string))
	}
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(slices.Index(labels, a["label"].(string)), slices.Index(labels, b["label"].(string))),
			cmp.Compare(a["order"].(int), b["order"].(int)))
	})
	fig := bars(rows, names, labels, "", "share of warp-cycles", "state",
		tip("label", "kernel", "", "name", "state", "", "share", "share", ".1%", "warps", "warps on the GPU", ".1f"),
		true)
	return page.Section{Title: "What the warps did",
		Text: "Every resident warp is in one state in each cycle. A ready warp could issue, whether it was chosen " +
			"or not.",
		Parts: []page.Part{page.Fig("", fig)}}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
