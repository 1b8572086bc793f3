package report

import (
	"cmp"
	"fmt"
	"slices"

	"kumiko/study"
)

// marks draws the paper's numbers.
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
		if d.bands && !slices.Contains(d.places(), r["place"].(int)) {
			continue
		}
		at = append(at, r)
	}
	return append(d.markedPoints(at), d.markedLines(all)...)
}

// Filters for marks of one number, and for marks of a range.
var (
	oneNumber = []any{row{"filter": "datum.low == datum.high"}}
	aRange    = []any{row{"filter": "datum.low < datum.high"}}
)

// markedPoints draws numbers of the paper at one x: a diamond, or a range with its
// ends.
func (d *drawing) markedPoints(at []row) (out []any) {
	if len(at) == 0 {
		return nil
	}
	x := d.x()
	if !d.bands {
		x = row{"field": "at", "type": "quantitative"}
	}
	tips := []row{{"field": "text", "title": "the paper"}}
	y := func(field string) row { return row{"field": field, "type": "quantitative"} }
	layer := func(which []any, mark, more row) {
		out = append(out, row{"data": row{"values": at}, "transform": which, "mark": mark,
			"encoding": merge(row{"x": x, "tooltip": tips}, more)})
	}
	// The shape already has the scale of the series. The opacity is free, and
	// gives the diamond a legend of its own.
	legend := row{"opacity": row{"datum": "stated in the paper", "scale": row{"range": []float64{1}},
		"legend": row{"title": nil, "symbolType": "diamond", "symbolFillColor": printed, "symbolStrokeColor": printed,
			"symbolOpacity": 1}}}
	point := func(size int) row {
		return row{"type": "point", "shape": "diamond", "filled": true, "size": size, "color": printed,
			"stroke": "#fff", "strokeWidth": 1, "opacity": 1}
	}
	layer(aRange, row{"type": "rule", "strokeWidth": 2, "color": printed},
		row{"y": y("low"), "y2": row{"field": "high"}})
	for _, end := range []string{"low", "high"} {
		layer(aRange, point(45), merge(row{"y": y(end)}, legend))
	}
	layer(oneNumber, point(75), merge(row{"y": y("y")}, legend))
	return out
}

// markedLines draws numbers of the paper for the whole figure: a line, or
// a band, with the text on its right.
func (d *drawing) markedLines(all []row) []any {
	if len(all) == 0 {
		return nil
	}
	d.spread(all)
	data := row{"values": all}
	y := row{"field": "y", "type": "quantitative"}
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
		row{"data": data, "mark": row{"type": "text", "align": "left", "baseline": "middle", "dx": 5, "fontSize": 11,
			"color": printed, "dy": row{"expr": "datum.dy"}},
			"encoding": row{"y": y, "x": row{"value": "width"}, "text": row{"field": "text"}}},
	}
}

// spread moves the texts of close lines apart.
func (d *drawing) spread(all []row) {
	const apart = 15.0
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b row) int { return cmp.Compare(a["y"].(float64), b["y"].(float64)) })
	last := -apart
	for _, r := range order {
		at := d.ys.pixels(r["y"].(float64))
		to := max(at, last+apart)
		r["dy"] = at - to // pixels count downwards
		last = to
	}
}
