package suite

import "math"

// Series is a list of rows that a figure draws in a colour of its own.
type Series struct {
	Name string // "" for the only one
	Rows []Outcome
	// Link returns the address to which the point of a row leads; nil draws points without.
	Link func(row int) string
}

// point is a row of a figure.
type point struct {
	Name      string  `json:"name"`
	Series    string  `json:"series,omitempty"`
	Measured  float64 `json:"measured"`
	Simulated float64 `json:"simulated"`
	Error     float64 `json:"error"`
	Link      string  `json:"link,omitempty"`
}

// points returns the simulated rows.
func (s *Series) points() []point {
	var out []point
	for i, o := range s.Rows {
		if o.Refused != nil {
			continue
		}
		p := point{Name: o.Name, Series: s.Name, Measured: o.Measured, Simulated: o.Simulated, Error: o.Error()}
		if s.Link != nil {
			p.Link = s.Link(i)
		}
		out = append(out, p)
	}
	return out
}

// Scatter returns the Vega-Lite specification of a figure of rows: simulated over measured values, on logarithmic axes
// with the given titles. On the dashed line both are equal. Scatter returns nil for series without a simulated row.
func Scatter(series []Series, measured, simulated string) map[string]any {
	var points []point
	for i := range series {
		points = append(points, series[i].points()...)
	}
	if points == nil {
		return nil
	}
	low, high := math.Inf(1), 0.0
	for _, p := range points {
		low, high = min(low, p.Measured, p.Simulated), max(high, p.Measured, p.Simulated)
	}
	axis := func(field, title string) map[string]any {
		return map[string]any{"field": field, "type": "quantitative", "title": title,
			"scale": map[string]any{"type": "log", "domain": []float64{low * 0.9, high * 1.1}}}
	}
	x, y := axis("measured", measured), axis("simulated", simulated)
	encoding := map[string]any{"x": x, "y": y,
		"tooltip": []map[string]any{{"field": "name", "title": "row"}, {"field": "measured", "format": ".5~g"},
			{"field": "simulated", "format": ".5~g"}, {"field": "error", "format": "+.1%"}}}
	if series[0].Link != nil {
		encoding["href"] = map[string]any{"field": "link"}
	}
	if len(series) > 1 {
		names := make([]string, len(series))
		for i := range series {
			names[i] = series[i].Name
		}
		encoding["color"] = map[string]any{"field": "series", "type": "nominal", "title": nil,
			"scale":  map[string]any{"domain": names, "range": []string{"#d08a2e", "#3c6fb5"}},
			"legend": map[string]any{"orient": "top-left"}}
		encoding["shape"] = map[string]any{"field": "series", "type": "nominal",
			"scale": map[string]any{"domain": names}}
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
