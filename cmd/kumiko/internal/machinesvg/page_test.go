package machinesvg

import (
	"os"
	"path/filepath"
	"testing"

	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
)

func TestTheWholeMachineIsInSightInAWindowOf1400Pixels(t *testing.T) {
	for _, gpu := range []string{"fermi", "gtx980", "h100"} {
		s := structureOf(t, gpu)
		d := Figure(&s)
		in := &page.Diagram{SVG: d.SVG, Rest: page.Box{Title: "None"}}
		for _, b := range d.Boxes {
			in.Boxes = append(in.Boxes, page.Box{Title: b.Title, Note: b.Kind})
		}
		name := filepath.Join(t.TempDir(), "page.html")
		file, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		p := &page.Page{Sections: []page.Section{{Title: "S", Parts: []page.Part{page.InBoxes(in)}}}}
		if err := p.Write(file); err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
		got := pagetest.Choose(t, name, 1400)
		if got.Scrolls || got.Wide || !got.Beside || got.Least < 11 || got.Clicked == got.Before {
			t.Errorf("%s: %+v", gpu, got)
		}
	}
}
