package main

import (
	"fmt"
	"io"
	"math"

	"kumiko/internal/page"
	"kumiko/lab/device/suite"
	"kumiko/lab/silicon/published"
)

// outcome is a case with its simulated value.
type outcome struct {
	Case
	Got float64
}

// agrees reports whether the simulated cycles are within the tolerance. Whole cycles of a source are exact.
func (o *outcome) agrees() bool {
	tolerance := o.Within
	if tolerance == 0 {
		tolerance = 0.03
	}
	return math.Abs(o.Got-o.Want) <= tolerance*o.Want
}

// plot describes the drawing of some measurements.
type plot struct {
	title, text string
	unit        string // of both axes
	name        string // meaning of a row's name
	caption     string
	low, high   float64 // ends of the diagonal, where both are equal
}

var (
	banks = plot{title: "Every row of the bank measurements",
		text: "A GPU of compute capability 5.0, by CuAssembler's microbenchmarks, against one warp of gtx980-sm52. " +
			"Cycles that are whole numbers are measured 1 to 2 % shorter where there are conflicts.",
		unit: "cycles of six instructions", name: "registers", low: 5, high: 18.5,
		caption: "Cycles of six multiply-adds. On the dashed line both are equal."}
	ampere = plot{title: "Every row of Ampere's bank measurements",
		text: "An RTX 3060 (AmpereArchViaMicroBenchMark), against 16 warps of rtx-a6000, whose register file was " +
			"built without them.",
		unit: "cycles of four instructions", name: "registers", low: 4, high: 11,
		caption: "Cycles of four multiply-adds. On the dashed line both are equal."}
	strided = plot{title: "Every row of the strided loads",
		text: "A40, A100 and H200, by gpu-benches (te42kyfo), against 16 warps of rtx-a6000 and h100. The A40's " +
			"loads of doubles up to 8.5 cycles are left out: additions of doubles bind them, which are not simulated.",
		unit: "cycles of a load", name: "stride", low: 1, high: 32,
		caption: "Cycles of a load by a warp that hits the L1. On the dashed line both are equal."}
)

var throughput = plot{title: "Every rate of instructions",
	text: "NVIDIA's table of throughputs, by compute capability, against 32 warps of four independent instructions.",
	unit: "lanes per cycle and SM", name: "instruction", low: 2, high: 128,
	caption: "Lanes per cycle of an SM. On the dashed line both are equal."}

// measurements are rows, or the reason for their absence.
type measurements struct {
	plot
	rows   []Row
	absent error
}

// write writes the page.
func write(w io.Writer, all []outcome, sets []measurements, chips []*deviceRows, rates []published.Outcome) error {
	good := 0
	for i := range all {
		if all[i].agrees() {
			good++
		}
	}
	p := page.Page{Title: "Silicon", Subtitle: "What was measured on chips, and what Kumiko simulates",
		Badges: []page.Badge{{Text: fmt.Sprintf("%d of %d short sequences within their tolerance", good, len(all)),
			Good: good == len(all)}}}
	if len(chips) > 0 {
		p.Sections = append(p.Sections, summarized(chips))
	}
	for _, d := range chips {
		for _, code := range d.classes[0].series {
			s := suite.Summarize("kernels", code.Rows)
			p.Badges = append(p.Badges, page.Badge{Text: fmt.Sprintf("%s: %d launches by the code of %s, mean error %s",
				d.chip.Name, s.Rows, code.Name, percent(s.Mean)), Good: s.Mean <= 0.2})
		}
		p.Sections = append(p.Sections, d.sections()...)
	}
	for i := 0; i < len(all); {
		n := i
		for n < len(all) && all[n].Group == all[i].Group {
			n++
		}
		p.Sections = append(p.Sections, page.Section{Title: all[i].Group, Text: all[i].GPU,
			Parts: []page.Part{page.Tab(table(all[i:n]))}})
		i = n
	}
	p.Sections = append(p.Sections, publishedSection(rates))
	for i := range sets {
		p.Sections = append(p.Sections, sets[i].section())
	}
	return p.Write(w)
}

func table(list []outcome) *page.Table {
	t := &page.Table{Head: []string{"sequence", "source", "cycles there", "simulated"},
		Numeric: []bool{false, false, true, true},
		Class: func(row, column int) string {
			if column == 3 && !list[row].agrees() {
				return "bad"
			}
			return ""
		}}
	for i := range list {
		o := &list[i]
		t.Rows = append(t.Rows, []string{o.Name, o.Source, fmt.Sprintf("%g", o.Want),
			fmt.Sprintf("%.4g", o.Got)})
	}
	return t
}

// section draws measured against simulated values.
func (m *measurements) section() page.Section {
	if m.absent != nil {
		return page.Section{Title: m.title, Text: "not drawn: " + m.absent.Error()}
	}
	s, rows := summary(m.rows), m.table()
	for i := range m.rows {
		m.rows[i].Link = "#" + rows.ID(i)
	}
	spec := map[string]any{
		"data": map[string]any{"values": m.rows}, "width": 520, "height": 520,
		"layer": []map[string]any{
			{"mark": map[string]any{"type": "point", "opacity": 0.5},
				"encoding": map[string]any{
					"x": map[string]any{"field": "measured", "type": "quantitative",
						"title": "measured " + m.unit},
					"y": map[string]any{"field": "simulated", "type": "quantitative",
						"title": "simulated " + m.unit},
					"shape": map[string]any{"field": "file", "type": "nominal", "title": "file"},
					"color": map[string]any{"field": "file", "type": "nominal", "title": "file"},
					"tooltip": []map[string]any{{"field": "name", "title": m.name}, {"field": "measured"},
						{"field": "simulated", "format": ".2f"}},
					"href": map[string]any{"field": "link"},
				}},
			{"data": map[string]any{"values": []map[string]any{{"measured": m.low, "simulated": m.low},
				{"measured": m.high, "simulated": m.high}}},
				"mark": map[string]any{"type": "line", "color": "grey", "strokeDash": []int{4, 4}},
				"encoding": map[string]any{"x": map[string]any{"field": "measured", "type": "quantitative"},
					"y": map[string]any{"field": "simulated", "type": "quantitative"}}},
		},
	}
	t := &page.Table{Head: []string{"file", "rows", "mean error", "worst", "beyond 3 %"},
		Numeric: []bool{false, true, true, true, true}}
	for _, x := range s {
		t.Rows = append(t.Rows, []string{x.file, fmt.Sprint(x.n), fmt.Sprintf("%.2f %%", 100*x.sum/float64(x.n)),
			fmt.Sprintf("%.1f %%", 100*x.worst), fmt.Sprint(x.beyond)})
	}
	return page.Section{Title: m.title, Text: m.text, Parts: []page.Part{page.Tab(t), page.Fig(m.caption, spec),
		{Group: &page.Group{Title: "All rows", Folded: true, Parts: []page.Part{page.Tab(rows)}}}}}
}

// table returns the table of all rows.
func (m *measurements) table() *page.Table {
	t := &page.Table{Head: []string{"file", m.name, "measured " + m.unit, "simulated", "error"},
		Numeric: []bool{false, false, true, true, true}, ID: anchors(m.title)}
	for _, r := range m.rows {
		t.Rows = append(t.Rows, []string{r.File, r.Name, value(r.Measured), value(r.Simulated),
			fmt.Sprintf("%+.1f %%", 100*(r.Simulated/r.Measured-1))})
	}
	return t
}

// errors summarizes the differences of simulated values from the values measured in a file.
type errors struct {
	file       string
	n, beyond  int
	sum, worst float64
}

func summary(list []Row) (out []errors) {
	for _, r := range list {
		if len(out) == 0 || out[len(out)-1].file != r.File {
			out = append(out, errors{file: r.File})
		}
		e := &out[len(out)-1]
		d := math.Abs(r.Simulated/r.Measured - 1)
		e.n++
		e.sum += d
		e.worst = max(e.worst, d)
		if d > 0.03 {
			e.beyond++
		}
	}
	return out
}
