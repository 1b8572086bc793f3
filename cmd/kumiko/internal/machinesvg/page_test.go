package machinesvg

import (
	"testing"

	"kumiko/gpus/machinetest"
	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
)

func TestTheWholeMachineIsInSightInAWindowOf1400Pixels(t *testing.T) {
	for _, gpu := range machinetest.Part(3, []string{"h100", "fermi", "gtx980"}) {
		s := structureOf(t, gpu)
		d := Figure(&s)
		in := &page.Diagram{SVG: d.SVG, Rest: page.Box{Title: "None"}}
		for _, b := range d.Boxes {
			in.Boxes = append(in.Boxes, page.Box{Title: b.Title, Note: b.Kind})
		}
		p := &page.Page{Sections: []page.Section{{Title: "S", Parts: []page.Part{page.InBoxes(in)}}}}
		got := pagetest.Choose(t, pagetest.Saved(t, p), 1400)
		if got.Scrolls || got.Wide || !got.Beside || got.Least < 11 || got.Clicked == got.Before {
			t.Errorf("%s: %+v", gpu, got)
		}
	}
}
