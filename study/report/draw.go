package report

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"kumiko/internal/page"
	"kumiko/study"
)

// width of a figure's data area, in pixels.
const width = 820

// palette is for series; the paper's red is not in it.
var palette = []string{"#1971c2", "#e8590c", "#2f9e44", "#9c36b5", "#e0a800", "#0c8599", "#d6336c", "#5c7cfa",
	"#66a80f", "#868e96",
	"#364fc7", "#8d6e63", "#087f5b", "#cc5de8", "#5f3dc4", "#212529", "#74c0fc", "#ffa94d", "#8ce99a", "#eebefa",
	"#ffe066", "#66d9e8"}

// printed is the colour of numbers that the paper states.
const printed = "#c92a2a"

// drawing makes a specification of a figure's values.
type drawing struct {
	f *study.Figure
	*points
	bands bool // x has labels, not numbers
	texts page.Texts
}

func (d *drawing) spec(title string) row {
	layers := []any{}
	switch d.f.Kind {
	case "line":
		layers = append(layers, row{"mark": row{"type": "line", "strokeWidth": 2,
			"point": row{"size": 42, "filled": true}}, "encoding": d.encoding(nil)})
	case "scatter":
		layers = append(layers, row{"mark": row{"type": "point", "size": 64, "filled": true, "opacity": 0.85},
			"encoding": d.encoding(nil)})
		d.place()
		layers = append(layers, row{"transform": []any{row{"filter": "isValid(datum.dy)"}},
			"mark":     row{"type": "text", "fontSize": labelSize, "color": "#495057", "dy": row{"expr": "datum.dy"}},
			"encoding": row{"x": d.x(), "y": d.y(), "text": row{"field": d.pointName()}}})
	case "stack":
		layers = append(layers, row{"mark": row{"type": "bar", "width": row{"band": 0.72}},
			"encoding": d.encoding(row{"order": row{"field": "order", "type": "quantitative"}})})
	default:
		layers = append(layers, row{"mark": "bar", "encoding": d.encoding(d.offset())})
	}
	if d.intervals && d.f.Kind != "stack" {
		e := row{"x": d.x(), "y": merge(d.y(), row{"field": "low"}), "y2": row{"field": "high"}}
		if d.f.Kind == "bar" || d.f.Kind == "" {
			e = merge(e, d.offset())
		}
		mark := row{"type": "rule", "color": "#343a40"}
		if d.f.Kind == "line" {
			e["color"] = d.encoding(nil)["color"]
			mark["opacity"] = 0.6
		}
		layers = append(layers, row{"transform": []any{row{"filter": "isValid(datum.low)"}}, "mark": mark,
			"encoding": e})
	}
	layers = append(layers, d.marks()...)
	return row{
		"title": row{"text": d.texts.Text(title), "offset": 12}, "height": height, "width": d.width(),
		"data": row{"values": d.rows}, "layer": layers, "params": d.texts.Params(),
	}
}

// longest is the length of the longest name of a series.
func (d *drawing) longest() int {
	n := 0
	for _, name := range d.names {
		n = max(n, utf8.RuneCountInString(name))
	}
	return n
}

// wideLegend reports whether the legend has no place beside the figure.
func (d *drawing) wideLegend() bool {
	return len(d.names) > 1 && (d.longest() > 14 || len(d.names) > 13)
}

// width is that of all groups of bars, or of the whole figure.
func (d *drawing) width() any {
	if !d.bands || d.f.Kind == "line" {
		return width
	}
	n := len(d.labels)
	if d.f.Kind == "stack" || len(d.names) == 1 {
		return row{"step": min(max(width/max(n, 1), 14), 70)}
	}
	step := min(max(float64(width)/(float64(n)*(float64(len(d.names))+0.6)), 5), 34)
	return row{"step": step, "for": "offset"}
}

func (d *drawing) offset() row {
	if len(d.names) < 2 {
		return nil
	}
	return row{"xOffset": row{"field": "order", "type": "nominal"}}
}

func (d *drawing) x() row {
	if d.bands {
		angle := 0
		longest := 0
		for _, l := range d.labels {
			longest = max(longest, len(l))
		}
		if longest*len(d.labels)*7 > width {
			angle = -40
		}
		return row{"field": "place", "type": "nominal",
			"axis": row{"title": d.texts.Text(d.f.X.Title), "labelExpr": d.texts.Labels(d.labels), "labelAngle": angle,
				"ticks": false, "labelPadding": 6}}
	}
	out := row{"field": "at", "type": "quantitative", "scale": scale(&d.f.X, false), "axis": d.axis(&d.f.X)}
	if d.f.Kind == "line" {
		a := out["axis"].(row)
		a["values"] = d.ticks()
		a["grid"] = false
	}
	if !d.f.X.Percent {
		out["axis"].(row)["format"] = "~g"
	}
	out["scale"].(row)["padding"] = 16
	return out
}

// ticks are the values of a line figure's x, when they are few.
func (d *drawing) ticks() any {
	var out []float64
	for _, r := range d.rows {
		if v := r["at"].(float64); !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	if len(out) > 24 {
		return nil
	}
	slices.Sort(out)
	return out
}

func (d *drawing) y() row {
	return row{"field": "y", "type": "quantitative", "scale": scale(&d.f.Y, d.f.Kind != "line" &&
		d.f.Kind != "scatter"), "axis": d.axis(&d.f.Y)}
}

func (d *drawing) encoding(more row) row {
	columns, place := 1, "right"
	if d.wideLegend() {
		columns, place = max(1, width/(d.longest()*7+36)), "bottom"
	}
	legend := any(row{"title": nil, "labelExpr": d.texts.Labels(d.names), "symbolType": "square", "labelLimit": 400,
		"columns": columns, "orient": place})
	if len(d.names) < 2 {
		legend = nil
	}
	domain := make([]int, len(d.names))
	for i := range domain {
		domain[i] = i
	}
	e := row{"x": d.x(), "y": d.y(), "tooltip": d.tooltip(), "description": row{"field": "about", "type": "nominal"},
		"color": row{"field": "order", "type": "nominal",
			"scale": row{"domain": domain, "range": colours(len(d.names))}, "legend": legend}}
	return merge(e, more)
}

func (d *drawing) tooltip() []row {
	format := ".4~g"
	if d.f.Y.Percent {
		format = ".2%"
	}
	out := []row{{"field": "x", "title": "at"}}
	if len(d.names) > 1 {
		out = append(out, row{"field": "series", "title": "of"})
	}
	out = append(out, row{"field": "y", "title": "value", "type": "quantitative", "format": format})
	if d.intervals {
		out = append(out, row{"field": "low", "title": "from", "type": "quantitative", "format": format},
			row{"field": "high", "title": "to", "type": "quantitative", "format": format})
	}
	return out
}

// pointName is what the points of a scatter figure are called: by x, or by the
// series when that tells more.
func (d *drawing) pointName() string {
	if len(d.labels) < 2 && len(d.names) > 1 {
		return "series"
	}
	return "x"
}

// marks draw what the paper states.
func (d *drawing) marks() []any {
	var at, all []row
	for _, m := range d.f.Marks {
		y := *m.Y
		r := row{"y": y, "text": m.Text, "low": y, "high": y}
		if m.Y2 != nil {
			r["low"], r["high"] = min(y, *m.Y2), max(y, *m.Y2)
			r["y"] = (y + *m.Y2) / 2
		}
		switch v := study.Number(m.X).(type) {
		case nil:
			all = append(all, r)
			continue
		case float64:
			r["at"] = v
		}
		r["place"] = slices.Index(d.labels, fmt.Sprint(m.X))
		at = append(at, r)
	}
	return append(d.markedPoints(at), markedLines(all)...)
}

// Filters for marks that are one number, and for those that are a range.
var (
	oneNumber = []any{row{"filter": "datum.low == datum.high"}}
	aRange    = []any{row{"filter": "datum.low < datum.high"}}
)

// markedPoints are numbers of the paper at one x: a diamond, or a range with its
// ends.
func (d *drawing) markedPoints(at []row) (out []any) {
	if len(at) == 0 {
		return nil
	}
	x, place := d.x(), "right"
	if !d.bands {
		x = row{"field": "at", "type": "quantitative"}
	}
	if d.wideLegend() {
		place = "bottom"
	}
	tips := []row{{"field": "text", "title": "the paper"}}
	y := func(field string) row { return row{"field": field, "type": "quantitative"} }
	layer := func(which []any, mark, more row) {
		out = append(out, row{"data": row{"values": at}, "transform": which, "mark": mark,
			"encoding": merge(row{"x": x, "tooltip": tips}, more)})
	}
	legend := row{"shape": row{"datum": "stated in the paper", "scale": row{"range": []string{"diamond"}},
		"legend": row{"title": nil, "symbolFillColor": printed, "symbolStrokeColor": printed, "orient": place,
			"labelLimit": 400}}}
	layer(aRange, row{"type": "rule", "strokeWidth": 2, "color": printed},
		row{"y": y("low"), "y2": row{"field": "high"}})
	for _, end := range []string{"low", "high"} {
		layer(aRange, row{"type": "point", "filled": true, "size": 45, "color": printed, "stroke": "#fff",
			"strokeWidth": 1, "opacity": 1}, merge(row{"y": y(end)}, legend))
	}
	layer(oneNumber, row{"type": "point", "filled": true, "size": 75, "color": printed, "stroke": "#fff",
		"strokeWidth": 1, "opacity": 1}, merge(row{"y": y("y")}, legend))
	return out
}

// markedLines are numbers of the paper that hold for the whole figure: a line, or
// a band, with the text in it.
func markedLines(all []row) []any {
	if len(all) == 0 {
		return nil
	}
	data := row{"values": all}
	y := row{"field": "y", "type": "quantitative"}
	text := func(mark row) row {
		return row{"data": data, "mark": merge(row{"type": "text", "align": "right", "baseline": "bottom", "dy": -4,
			"dx": -2, "fontSize": 11}, mark),
			"encoding": row{"y": row{"field": "high", "type": "quantitative"}, "x": row{"value": "width"},
				"text": row{"field": "text"}}}
	}
	edge := func(field string) row {
		return row{"data": data, "transform": aRange, "mark": row{"type": "rule", "color": printed,
			"strokeDash": []int{2, 3}}, "encoding": row{"y": row{"field": field, "type": "quantitative"}}}
	}
	return []any{
		row{"data": data, "transform": aRange, "mark": row{"type": "rect", "color": printed, "opacity": 0.1},
			"encoding": row{"y": row{"field": "low", "type": "quantitative"}, "y2": row{"field": "high"}}},
		edge("low"), edge("high"),
		row{"data": data, "transform": oneNumber,
			"mark": row{"type": "rule", "color": printed, "strokeDash": []int{5, 4}}, "encoding": row{"y": y}},
		// The text stands on white, so that it can be read upon bars.
		text(row{"stroke": "#fff", "strokeWidth": 4, "strokeJoin": "round", "color": "#fff"}),
		text(row{"color": printed}),
	}
}

func scale(a *study.Axis, zero bool) row {
	out := row{"zero": zero}
	if a.Zero != nil {
		out["zero"] = *a.Zero
	}
	if a.Log {
		out = row{"type": "log"}
	}
	if a.Min != nil {
		out["domainMin"] = *a.Min
	}
	if a.Max != nil {
		out["domainMax"] = *a.Max
	}
	return out
}

func (d *drawing) axis(a *study.Axis) row {
	out := row{"title": d.texts.Text(a.Title)}
	if a.Percent {
		out["format"] = ".1~%"
	}
	return out
}

func colours(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = palette[i%len(palette)]
	}
	return out
}

func merge(a, b row) row {
	out := row{}
	for k, v := range a {
		out[k] = v
	}
	for k, v := range b {
		out[k] = v
	}
	return out
}

func cut(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
