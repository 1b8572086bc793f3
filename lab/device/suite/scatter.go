package suite

import "math"

// Scatter returns the Vega-Lite specification of a figure of rows: simulated over measured values, on logarithmic axes
// with the given titles. On the dashed line both are equal. link, if not nil, returns the address to which the point of
// a row leads. Scatter returns nil for a list without a simulated row.
func Scatter(rows []Outcome, measured, simulated string, link func(row int) string) map[string]any {
	type point struct {
		Name      string  `json:"name"`
		Measured  float64 `json:"measured"`
		Simulated float64 `json:"simulated"`
		Error     float64 `json:"error"`
		Link      string  `json:"link,omitempty"`
	}
	var points []point
	low, high := math.Inf(1), 0.0
	for i, o := range rows {
		if o.Refused != nil {
			continue
		}
		p := point{Name: o.Name, Measured: o.Measured, Simulated: o.Simulated, Error: o.Error()}
		if link != nil {
			p.Link = link(i)
		}
		points = append(points, p)
		low, high = min(low, o.Measured, o.Simulated), max(high, o.Measured, o.Simulated)
	}
	if points == nil {
		return nil
	}
	axis := func(field, title string) map[string]any {
		return map[string]any{"field": field, "type": "quantitative", "title": title,
			"scale": map[string]any{"type": "log", "domain": []float64{low * 0.9, high * 1.1}}}
	}
	x, y := axis("measured", measured), axis("simulated", simulated)
	encoding := map[string]any{"x": x, "y": y,
		"tooltip": []map[string]any{{"field": "name", "title": "row"}, {"field": "measured", "format": ".5~g"},
			{"field": "simulated", "format": ".5~g"}, {"field": "error", "format": "+.1%"}}}
	if link != nil {
		encoding["href"] = map[string]any{"field": "link"}
	}
	line := []map[string]any{{"measured": low, "simulated": low}, {"measured": high, "simulated": high}}
	return map[string]any{"data": map[string]any{"values": points}, "width": 520, "height": 520,
		"layer": []map[string]any{
			{"mark": map[string]any{"type": "point", "opacity": 0.6}, "encoding": encoding},
			{"data": map[string]any{"values": line},
				"mark":     map[string]any{"type": "line", "color": "grey", "strokeDash": []int{4, 4}},
				"encoding": map[string]any{"x": x, "y": y}},
		}}
}
