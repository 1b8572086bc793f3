package report

import (
	"math"
	"unicode/utf8"
)

// palette is for series; the paper's red is not in it.
var palette = []string{"#1971c2", "#e8590c", "#2f9e44", "#9c36b5", "#e0a800", "#0c8599", "#d6336c", "#5c7cfa",
	"#66a80f", "#868e96",
	"#364fc7", "#8d6e63", "#087f5b", "#cc5de8", "#5f3dc4", "#212529", "#74c0fc", "#ffa94d", "#8ce99a", "#eebefa",
	"#ffe066", "#66d9e8"}

// Colours beside the series: numbers of the paper, lines, and notes.
const (
	printed = "#c92a2a"
	ink     = "#343a40"
	soft    = "#495057"
)

// shapes are the shapes of points; the diamond is reserved for the paper's numbers.
var shapes = []string{"circle", "square", "triangle-up", "cross", "triangle-down", "triangle-left", "triangle-right"}

// dashes are the dashes of lines. Their number and the number of shapes have no common divisor, so
// up to 35 series differ in dash or shape.
var dashes = [][]int{{1, 0}, {6, 3}, {2, 2}, {8, 3, 2, 3}, {12, 4}}

// Widths of texts and of a legend's symbol with the blanks beside it, in pixels.
const (
	letterWidth = 7
	symbolWidth = 30
)

// legendWidth is the largest width of the legend in a card.
const legendWidth = 880

// legend returns the legend, above the figure as in every figure.
func (d *drawing) legend() any {
	if len(d.names) < 2 {
		return nil
	}
	out := row{"title": nil, "labelExpr": d.texts.Labels(d.names), "columns": legendColumns(d.names)}
	if d.bars() || d.f.Kind == "stack" {
		out["symbolType"] = "square"
	} else {
		out["symbolStrokeWidth"] = 0 // the dashes are of lines
	}
	return out
}

// legendColumns returns the number of entries beside each other in a legend.
func legendColumns(names []string) int {
	for n := len(names); n > 1; n-- {
		total := 0
		for c := range n {
			widest := 0
			for i := c; i < len(names); i += n {
				widest = max(widest, utf8.RuneCountInString(names[i]))
			}
			total += widest*letterWidth + symbolWidth
		}
		if total <= legendWidth {
			return n
		}
	}
	return 1
}

// shape returns the encoding of a point's shape. The legend shows it with the
// colour.
func (d *drawing) shape() row {
	if len(d.names) < 2 {
		return nil
	}
	list := make([]string, len(d.names))
	for i := range list {
		list[i] = shapes[i%len(shapes)]
	}
	return row{"shape": row{"field": "order", "type": "nominal", "scale": row{"domain": d.numbers(), "range": list},
		"legend": d.legend()}}
}

// numbers returns the numbers of the series.
func (d *drawing) numbers() []int {
	out := make([]int, len(d.names))
	for i := range out {
		out[i] = i
	}
	return out
}

func dashesOf(n int) [][]int {
	out := make([][]int, n)
	for i := range out {
		out[i] = dashes[i%len(dashes)]
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

// textWidth estimates the width of a text in letters of 11 pixels.
func textWidth(s string) float64 { return math.Ceil(float64(utf8.RuneCountInString(s)) * letterWidth) }
