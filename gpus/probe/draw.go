package probe

import (
	"fmt"
	"html"
	"io"
	"strings"

	"kumiko/gpus/timeline"
)

// Sizes of the drawing in pixels.
const (
	cell   = 14.0 // of a cycle
	height = 18.0 // of an instruction
	left   = 300.0
	margin = 16.0
)

// colours are the colours of the stages (timeline.Stages).
var colours = []string{"#adb5bd", "#74c0fc", "#ffe066", "#8ce99a", "#ffa8a8"}

// Draw draws the life of the instructions as SVG: a row for each, a column for each cycle.
func Draw(w io.Writer, results []*Result) error {
	var b strings.Builder
	y, width := margin, 0.0
	for _, r := range results {
		y, width = r.draw(&b, y), max(width, left+float64(r.last()+2)*cell+margin)
	}
	x := left
	for i, name := range timeline.Stages {
		fmt.Fprintf(&b, `<rect x="%.0f" y="%.0f" width="12" height="12" fill="%s"/>`, x, y, colours[i])
		fmt.Fprintf(&b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", x+16, y+10, name)
		x += 80
	}
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" `+
		`font-family="Helvetica, Arial, sans-serif" font-size="11">`+
		`<rect width="100%%" height="100%%" fill="#fff"/>`+"\n%s</svg>\n",
		max(width, left+400+margin), y+12+margin, b.String())
	return err
}

// last returns the last cycle of the instructions.
func (r *Result) last() int {
	n := 0
	for _, x := range r.Instructions {
		n = max(n, x.End)
	}
	return n
}

// draw draws a result at height y, and returns the height below the drawing.
func (r *Result) draw(b *strings.Builder, y float64) float64 {
	fmt.Fprintf(b, `<text x="%.0f" y="%.0f" font-size="14" font-weight="bold">%s</text>`+"\n", margin, y+14,
		html.EscapeString(fmt.Sprintf("%s, %s: %.1f cycles per repetition, %d warps", r.GPU, r.Design, r.Cycles,
			r.Warps)))
	y += 28
	for at := 0; at <= r.last(); at += 5 {
		x := left + float64(at)*cell
		fmt.Fprintf(b, `<text x="%.0f" y="%.0f" fill="#495057">%d</text>`, x, y+10, at)
		fmt.Fprintf(b, `<path d="M%.0f %.0fv%.0f" stroke="#dee2e6"/>`+"\n", x, y+12,
			float64(len(r.Instructions))*height+4)
	}
	y += 16
	for _, x := range r.Instructions {
		fmt.Fprintf(b, `<text x="%.0f" y="%.0f">%s</text>`+"\n", margin, y+13, html.EscapeString(x.Text))
		for i, at := range x.Stages {
			if at < 0 {
				continue
			}
			until := x.End
			for _, next := range x.Stages[i+1:] {
				if next >= 0 {
					until = next
					break
				}
			}
			fmt.Fprintf(b, `<rect x="%.1f" y="%.0f" width="%.1f" height="%.0f" fill="%s">`, left+float64(at)*cell, y+1,
				float64(max(until-at, 1))*cell-1, height-3, colours[i])
			fmt.Fprintf(b, `<title>%s: %d to %d</title></rect>`+"\n", timeline.Stages[i], at, until)
		}
		y += height
	}
	return y + 16
}
