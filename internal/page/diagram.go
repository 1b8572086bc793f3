package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
)

// Diagram is a drawing of boxes beside a panel. A click on a box, or Enter, shows its rows in the panel. On paper there
// is the drawing alone, in strips one below the other, since its text could not be read in one piece.
type Diagram struct {
	Caption string
	SVG     string // the group "machine" is all of it; elements of the class "box" are the boxes, in their order
	Boxes   []Box
	Rest    Box // shown while no box is chosen
	// Explained is the beginning of the anchors of table rows: a row of the panel takes its unit and meaning from the
	// last two columns of the table row whose anchor is this and its name, so that the page has them once.
	Explained string
	// Cuts are the bounds of the strips, and Strip the width of the paper, in units of the drawing, whose Height they
	// have.
	Cuts          []float64
	Height, Strip float64
}

// Box is a box of a Diagram.
type Box struct {
	Title string `json:"title"`
	Note  string `json:"note"`
	Rows  []Sum  `json:"rows"`
}

// Sum is a number of a box, which may stand for several like things: their sum, and the least and the most of one.
type Sum struct {
	Name  string `json:"name"`
	Parts int    `json:"parts"`
	Sum   uint64 `json:"sum"`
	Least uint64 `json:"least"`
	Most  uint64 `json:"most"`
}

// InBoxes returns a part with a diagram.
func InBoxes(d *Diagram) Part { return Part{Diagram: d} }

//go:embed diagram.js
var diagramScript string

// diagram is the form of a Diagram used by the template.
type diagram struct {
	Caption string
	SVG     template.HTML
	Data    template.JS
	Strips  []strip
}

// strip is a part of the drawing: its bounds, and its share of the paper's width in per cent.
type strip struct{ From, Width, Height, Share float64 }

func (d *Diagram) prepared() (*diagram, error) {
	data, err := json.Marshal(map[string]any{"boxes": d.Boxes, "rest": d.Rest, "explained": d.Explained})
	if err != nil {
		return nil, fmt.Errorf("diagram: %w", err)
	}
	out := &diagram{Caption: d.Caption, SVG: template.HTML(d.SVG), Data: template.JS(data)}
	for i := 1; i < len(d.Cuts); i++ {
		w := d.Cuts[i] - d.Cuts[i-1]
		out.Strips = append(out.Strips, strip{d.Cuts[i-1], w, d.Height, min(100*w/d.Strip, 100)})
	}
	return out, nil
}
