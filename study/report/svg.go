package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
)

// Drawer draws specifications in Vega-Lite as SVG (internal/page/svg).
type Drawer interface {
	Draw(spec map[string]any) ([]byte, error)
}

// Draw draws every present figure without a browser. If a figure cannot be
// drawn, the reason stands in its place, in the page and among the files.
func (r *Report) Draw(d Drawer) {
	var err error
	for _, f := range r.Figures {
		if f.Spec == nil {
			continue
		}
		if f.svg, err = d.Draw(f.Spec); err != nil {
			f.Spec, f.Failed = nil, r.problem("figure", f.ID, "it cannot be drawn", nil, err)
		}
	}
}

// SVG calls write with the name of a file and its content for each figure drawn by Draw.
func (r *Report) SVG(write func(name string, data []byte) error) error {
	for _, f := range r.Figures {
		data := f.svg
		if f.Failed != "" {
			data = saying(f.Title + ": " + f.Failed)
		}
		if data == nil {
			continue
		}
		if err := write(f.ID+".svg", data); err != nil {
			return err
		}
	}
	return nil
}

// saying returns a drawing of a text.
func saying(text string) []byte {
	var b bytes.Buffer
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" width="900" height="40"><text x="10" y="25" font-family="sans-serif" font-size="13" fill="#c92a2a">`)
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(fmt.Sprintf("report: writing to memory: %v", err))
	}
	b.WriteString("</text></svg>\n")
	return b.Bytes()
}
