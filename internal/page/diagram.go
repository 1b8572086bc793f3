package page

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"html/template"
)

// Diagram is a drawing of boxes beside a panel. A click on a box, or Enter, shows its rows in the panel. In a window of
// less than 1300 pixels the panel is below. On paper there is the drawing alone, as wide as the paper.
type Diagram struct {
	Caption string
	SVG     string // elements of the class "box" are the boxes, in their order
	Boxes   []Box
	Rest    Box // shown while no box is chosen
	// Explained and the name of a row in the panel make the anchor of a row in a table of the page. Unit and meaning
	// are taken from the last two columns of that row, so that the page has them only once.
	Explained string
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
}

func (d *Diagram) prepared() (*diagram, error) {
	data, err := json.Marshal(map[string]any{"boxes": d.Boxes, "rest": d.Rest, "explained": d.Explained})
	if err != nil {
		return nil, fmt.Errorf("diagram: %w", err)
	}
	return &diagram{Caption: d.Caption, SVG: template.HTML(d.SVG), Data: template.JS(data)}, nil
}
