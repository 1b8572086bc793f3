package report

import (
	"strings"

	"kumiko/internal/page"
	"kumiko/study"
)

// Sizes of a map in pixels: the height of a row, and the widest cell.
const (
	rowHeight  = 34
	widestCell = 92
)

// Colours of a map: below its middle, at it, and above it. They differ for those who do not tell red from green.
var diverging = []string{"#b35806", "#f7f7f7", "#2166ac"}

// heatMap draws a cell for each x and series, with its value and its colour: grey-white is no gain, blue one, and
// orange a loss. A line parts the cells that reach a number of the paper from those that do not.
func (d *drawing) heatMap() []any {
	most := d.farthest()
	y := row{"field": "order", "type": "nominal", "scale": row{"domain": d.numbers()},
		"axis": row{"title": d.texts.Wrapped(d.f.Y.Title, axisLength), "labelExpr": d.texts.Labels(d.names),
			"ticks": false, "labelPadding": 6, "labelLimit": 320}}
	at := row{"x": d.x(), "y": y}
	for _, r := range d.rows {
		v := r["y"].(float64)
		r["value"], r["strong"] = d.value(r), v > most*0.7 || v < -most*0.7
	}
	text := func(filter, colour string) any {
		return row{"transform": []any{row{"filter": filter}},
			"mark":     row{"type": "text", "fontSize": labelSize + 1, "color": colour},
			"encoding": merge(at, row{"text": row{"field": "value"}})}
	}
	layers := []any{
		row{"mark": row{"type": "rect", "stroke": "#fff"}, "encoding": merge(at, row{"tooltip": d.tooltip(),
			"description": row{"field": "about", "type": "nominal"},
			"color": row{"field": "y", "type": "quantitative", "legend": nil,
				"scale": row{"domain": []float64{-most, 0, most}, "range": diverging, "clamp": true}}})},
		text("!datum.strong", ink), text("datum.strong", "#fff"),
	}
	return append(layers, d.contours(at)...)
}

// narrowable adds to the figure how a narrow window draws the map: with cells only as wide as the widest value.
func (d *drawing) narrowable(spec row) row {
	cell := 0.0
	for _, r := range d.rows {
		cell = max(cell, textWidth(d.value(r))+4)
	}
	title, _ := spec["title"].(row)["text"].(map[string]any)
	name, _ := title["expr"].(string)
	rows := strings.TrimSuffix(d.texts.Labels(d.names), "[datum.value]")
	spec["usermeta"] = page.Map(int(cell)*len(d.places()), rowHeight, name, rows, d.angleAt(cell))
	return spec
}

// farthest returns the largest distance of a value from 0, so that both ends of the colours mean the same distance.
func (d *drawing) farthest() float64 {
	most := 0.0
	for _, r := range d.rows {
		v := r["y"].(float64)
		most = max(most, v, -v)
	}
	if most == 0 {
		return 1
	}
	return most
}

// contours draws, for each number of the paper, the edges between cells that reach it and cells that do not.
func (d *drawing) contours(at row) (out []any) {
	values := map[[2]int]float64{}
	for _, r := range d.rows {
		values[[2]int{r["place"].(int), r["order"].(int)}] = r["y"].(float64)
	}
	for _, m := range d.f.Marks {
		var left, top []row // edges of cells, towards the neighbour before
		for _, r := range d.rows {
			c := [2]int{r["place"].(int), r["order"].(int)}
			reaches := values[c] >= *m.Y
			edge := row{"place": c[0], "order": c[1]}
			if v, ok := values[[2]int{c[0] - 1, c[1]}]; ok && v >= *m.Y != reaches {
				left = append(left, edge)
			}
			if v, ok := values[[2]int{c[0], c[1] - 1}]; ok && v >= *m.Y != reaches {
				top = append(top, edge)
			}
		}
		x, y := at["x"].(row), at["y"].(row)
		start, end := row{"bandPosition": 0}, row{"bandPosition": 1}
		mark := row{"type": "rule", "color": printed, "strokeWidth": 3}
		x, y = merge(x, start), merge(y, start)
		out = append(out, edges(left, mark, row{"x": x, "y": y, "y2": merge(row{"field": "order"}, end)}),
			edges(top, mark, row{"y": y, "x": x, "x2": merge(row{"field": "place"}, end)}))
	}
	return out
}

func edges(list []row, mark, encoding row) any {
	return row{"data": row{"values": list}, "mark": mark, "encoding": encoding}
}

// cells reports whether a figure is a map.
func (d *drawing) cells() bool { return d.f.Kind == study.Map }
