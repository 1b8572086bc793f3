package report

import (
	"maps"

	"kumiko/internal/page"
	"kumiko/study"
)

// drawing makes a specification of a figure's values. The scales are computed here instead of by
// Vega, because the places of labels depend on them.
type drawing struct {
	f *study.Figure
	*points
	bands bool // x has labels, not numbers
	texts page.Texts
	wide  float64 // width of the data area, in pixels
	// decimals is the number of decimals of values written at bars.
	decimals int
	xs       scale // of x, where it has numbers
	ys       scale
}

// newDrawing lays a figure out.
func newDrawing(f *study.Figure, p *points) *drawing {
	d := &drawing{f: f, points: p, bands: !(f.Kind == study.Line && hasAt(p.rows)) && f.Kind != study.Scatter}
	d.wide, d.decimals = d.width(), valueDecimals(p.rows)
	if !d.bands {
		d.xs = d.horizontal()
	}
	if !d.cells() {
		d.ys = d.vertical()
	}
	return d
}

func (d *drawing) spec(title string) row {
	if d.cells() {
		return d.narrowable(d.framed(title, d.heatMap(), float64(rowHeight*len(d.names))))
	}
	layers := d.lines()
	switch d.f.Kind {
	case study.Line:
		layers = append(layers, d.curves()...)
	case study.Scatter:
		layers = append(layers, d.scatter()...)
	case study.Stack:
		layers = append(layers, row{"mark": row{"type": "bar", "width": row{"band": 0.72}},
			"encoding": d.encoding(row{"order": row{"field": "order", "type": "quantitative"}})})
	default:
		layers = append(layers, row{"mark": row{"type": "bar", "clip": true}, "encoding": d.encoding(d.standing())})
		layers = append(layers, d.baseline()...)
	}
	layers = append(layers, d.errors()...)
	if d.bars() {
		layers = append(layers, d.valueLabels()...)
	}
	return d.framed(title, append(layers, d.marks()...), height)
}

// framed returns a figure of layers, with a data area as high as said.
func (d *drawing) framed(title string, layers []any, high float64) row {
	return row{
		"title": row{"text": d.texts.Wrapped(title, titleLength), "offset": 12}, "height": high, "width": d.wide,
		"data": row{"values": d.rows}, "layer": layers, "params": d.texts.Params(),
	}
}

// bars reports whether the series are bars beside each other.
func (d *drawing) bars() bool { return d.f.Kind == study.Bar || d.f.Kind == "" }

// curves draws lines with points. The dashes and the shapes distinguish series if
// colours do not, as in print.
func (d *drawing) curves() []any {
	line := d.encoding(row{"strokeDash": row{"field": "order", "type": "nominal", "legend": nil,
		"scale": row{"domain": d.numbers(), "range": dashesOf(len(d.names))}}})
	return []any{
		row{"mark": row{"type": "line", "strokeWidth": 2, "clip": true}, "encoding": line},
		row{"mark": row{"type": "point", "size": 42, "filled": true, "opacity": 1}, "encoding": d.encoding(d.shape())},
	}
}

// scatter draws points, with as many names as there is room for.
func (d *drawing) scatter() []any {
	d.place()
	return []any{
		row{"mark": row{"type": "point", "size": 64, "filled": true, "opacity": 0.85},
			"encoding": d.encoding(d.shape())},
		row{"transform": []any{row{"filter": "isValid(datum.dy)"}},
			"mark": row{"type": "text", "fontSize": labelSize, "color": soft, "dx": row{"expr": "datum.dx"},
				"dy": row{"expr": "datum.dy"}},
			"encoding": row{"x": d.x(), "y": d.y(), "text": row{"field": d.pointName()}}},
	}
}

// standing returns the start of bars, and the offsets of the bars of one group beside each
// other.
func (d *drawing) standing() row {
	out := d.offset()
	if from := d.ys.barStart(d.f); from != 0 {
		out = merge(out, row{"y2": row{"datum": from}})
	}
	return out
}

// baseline draws a line at the start of bars, if this is neither 0 nor the end of the
// axis.
func (d *drawing) baseline() []any {
	from := d.ys.barStart(d.f)
	if from == 0 || from == d.ys.low {
		return nil
	}
	return []any{row{"data": row{"values": []row{{"y": from}}}, "mark": row{"type": "rule", "color": ink},
		"encoding": row{"y": row{"field": "y", "type": "quantitative"}}}}
}

// errors draws bars of error.
func (d *drawing) errors() []any {
	if !d.intervals || d.f.Kind == study.Stack {
		return nil
	}
	e := row{"x": d.x(), "y": merge(d.y(), row{"field": "low"}), "y2": row{"field": "high"}}
	mark := row{"type": "rule", "color": ink, "clip": true}
	switch {
	case d.bars():
		e = merge(e, d.offset())
	case d.f.Kind == study.Line:
		e["color"] = d.encoding(nil)["color"]
		mark["opacity"] = 0.6
	}
	return []any{row{"transform": []any{row{"filter": "isValid(datum.low)"}}, "mark": mark, "encoding": e}}
}

// lines draws a line between the values and their means.
func (d *drawing) lines() []any {
	if d.means == 0 {
		return nil
	}
	return []any{row{"data": row{"values": []row{{"place": d.gap()}}},
		"mark": row{"type": "rule", "color": soft, "strokeDash": []int{3, 3}}, "encoding": row{"x": d.x()}}}
}

func (d *drawing) offset() row {
	if len(d.names) < 2 {
		return nil
	}
	return row{"xOffset": row{"field": "order", "type": "nominal"}}
}

func (d *drawing) encoding(more row) row {
	e := row{"x": d.x(), "y": d.y(), "tooltip": d.tooltip(), "description": row{"field": "about", "type": "nominal"},
		"color": row{"field": "order", "type": "nominal",
			"scale": row{"domain": d.numbers(), "range": colours(len(d.names))}, "legend": d.legend()}}
	return merge(e, more)
}

func (d *drawing) tooltip() []row {
	format := ".4~g"
	if d.f.Y.Ratio() {
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

// pointName returns the name shown at points of a scatter figure: x, or the
// series if only this differs.
func (d *drawing) pointName() string {
	if len(d.labels) < 2 && len(d.names) > 1 {
		return "series"
	}
	return "x"
}

func merge(a, b row) row {
	out := row{}
	maps.Copy(out, a)
	maps.Copy(out, b)
	return out
}

func cut(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
