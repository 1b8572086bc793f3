package runpage

import (
	"fmt"

	"kumiko/gpus/result"
	"kumiko/internal/page"
	"kumiko/kernel/launch"
)

// mostBeside is the most launches side by side that are drawn.
const mostBeside = 60

// besideSections shows the launches that ran side by side: when each ran, and what its issue slots went to. There may
// be none.
func besideSections(kernels []result.Kernel, d *Doc) []page.Section {
	var times, slots []row
	var labels []string
	t := &page.Table{Head: []string{"launch", "stream", "grid", "block", "ready", "begin", "end", "overlapped",
		"warp instructions", "IPC"}, Numeric: []bool{false, true, false, false, true, true, true, true, true, true},
		Caption: "Overlapped: the share of a launch's cycles in which another one had CTAs on the chip too."}
	seen := map[string]uint64{}
	for k := range kernels {
		for i := range kernels[k].Beside {
			b := &kernels[k].Beside[i]
			label := fmt.Sprintf("%d: %s", len(labels)+1, launch.Shown(b.Name))
			if len(labels) == mostBeside {
				continue
			}
			labels = append(labels, label)
			place := len(labels) - 1
			stream := fmt.Sprintf("stream %d", b.Stream)
			times = append(times, row{"place": place, "label": label, "stream": stream, "begin": b.Begin, "end": b.End,
				"text": grouped3(b.End - min(b.Begin, b.End))})
			for n, name := range besideReasons(d, b.IssueSlots, seen) {
				slots = append(slots, row{"label": label, "name": name, "order": n, "value": b.CPIStack[name],
					"slots": b.IssueSlots[name]})
			}
			cycles := float64(max(b.End, b.Begin+1) - b.Begin)
			t.Rows = append(t.Rows, []string{label, fmt.Sprint(b.Stream), dims(b.Grid), dims(b.Block),
				grouped3(b.Ready), grouped3(b.Begin), grouped3(b.End),
				fmt.Sprintf("%.0f %%", 100*float64(b.Overlap)/cycles), grouped3(b.WarpInstructions),
				fmt.Sprintf("%.2f", float64(b.ThreadInstructions)/cycles)})
		}
	}
	if len(labels) == 0 {
		return nil
	}
	parts := []page.Part{
		page.Fig("When each launch had CTAs on the chip, with its cycles.", besideTimes(times, labels)),
		page.Fig("Issue slots of each launch's warps, for each of its warp instructions.", bars(slots,
			reasonsOf(d, seen), labels, "", "issue slots per warp instruction", "reason", tip("label", "launch", "",
				"name", "reason", "", "value", "slots per instruction", ".3f", "slots", "slots", ",.0f"), false)),
		page.Tab(t)}
	if b := betweenTable(kernels); len(b.Rows) > 0 {
		parts = append(parts, page.Tab(b))
	}
	return []page.Section{{Title: "Launches side by side",
		Text: "Launches of several streams, in cycles from the beginning of their row. A slot that is lost belongs " +
			"to the launches whose warps are in the state to which it is lost.",
		Parts: parts}}
}

// betweenTable lists which launches lost lines or DRAM rows to which others.
func betweenTable(kernels []result.Kernel) *page.Table {
	t := &page.Table{Head: []string{"launch", "other launch", "lines lost", "row conflicts"},
		Numeric: []bool{false, false, true, true}, Caption: "In memory: lines of the launch that left a first-level " +
			"or texture cache for one of the other, and its reads that had to close a DRAM row opened for the other."}
	first := 1
	for k := range kernels {
		list := kernels[k].Beside
		label := func(i int) string { return fmt.Sprintf("%d: %s", first+i, launch.Shown(list[i].Name)) }
		for i := range list {
			for _, x := range list[i].Between {
				if len(t.Rows) < mostBeside {
					t.Rows = append(t.Rows, []string{label(i), label(x.Launch), grouped3(x.LinesLost),
						grouped3(x.RowConflicts)})
				}
			}
		}
		first += len(list)
	}
	return t
}

// besideReasons lists the reasons of a launch's slots in their order, and adds them to those seen.
func besideReasons(d *Doc, slots map[string]float64, seen map[string]uint64) []string {
	whole := map[string]uint64{}
	for name, n := range slots {
		if n > 0 {
			whole[name]++
			seen[name]++
		}
	}
	return reasonsOf(d, whole)
}

// besideTimes draws a bar from the beginning to the end of each launch.
func besideTimes(rows []row, labels []string) row {
	var texts page.Texts
	names := texts.Labels(labels)
	last := uint64(1)
	for _, r := range rows {
		last = max(last, r["end"].(uint64))
	}
	return row{
		"width": 760, "height": row{"step": 22}, "params": texts.Params(), "usermeta": page.Least(leastWidth),
		"data": row{"values": rows},
		"layer": []row{
			{"mark": row{"type": "bar", "height": row{"band": 0.7}}, "encoding": row{
				"x2": row{"field": "end"},
				"color": row{"field": "stream", "type": "nominal", "legend": row{"title": nil, "symbolType": "square",
					"columns": legendColumns}},
				"tooltip": tip("label", "launch", "", "stream", "stream", "", "begin", "begin", ",", "end",
					"end", ",")}},
			{"mark": row{"type": "text", "align": "left", "dx": 4, "fontSize": 11, "color": "#212529"},
				"encoding": row{"x": row{"field": "end", "type": "quantitative"}, "text": row{"field": "text"}}},
		},
		"encoding": row{
			"y": row{"field": "place", "type": "nominal", "axis": row{"title": nil, "labelExpr": names,
				"ticks": false, "domain": false, "labelPadding": 6}},
			"x": row{"field": "begin", "type": "quantitative", "title": "core cycle",
				"scale": row{"domain": []uint64{0, last * 6 / 5}, "nice": false},
				"axis":  row{"labelSeparation": 8}},
		},
	}
}
