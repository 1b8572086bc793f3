package machinesvg

import (
	"math"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/chip"
	"kumiko/gpus/config"
)

func structureOf(t *testing.T, gpu string) chip.Structure {
	t.Helper()
	c, err := config.Load(config.Request{GPU: gpu})
	if err != nil {
		t.Fatal(err)
	}
	m, err := gpus.New(c, gpus.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.Structure(0)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestADrawingHasEveryBlockAndEveryLinkOnce(t *testing.T) {
	for _, gpu := range config.Names() {
		s := structureOf(t, gpu)
		for _, f := range []form{slide, onPage} {
			d := arranged(&s, f)
			if f.heading > 0 && math.Abs(d.width/d.height-slideWidth/slideHeight) > 0.01 {
				t.Errorf("%s: %.0f x %.0f are no proportions of a slide", gpu, d.width, d.height)
			}
			blocks, links := 0, 0
			for i, n := range d.nodes {
				blocks += n.n
				if n.x < 0 || n.y < f.heading || n.x+n.w > d.width || n.y+n.h > d.height {
					t.Errorf("%s: %s lies outside", gpu, n.title())
				}
				for _, o := range d.nodes[:i] {
					if n.x < o.x+o.w && o.x < n.x+n.w && n.y < o.y+o.h && o.y < n.y+n.h {
						t.Errorf("%s: %s covers %s", gpu, n.title(), o.title())
					}
				}
			}
			for _, e := range d.edges {
				links += e.n
				if e.to.layer > e.from.layer+1 {
					t.Errorf("%s: from %s to %s are %d columns", gpu, e.from.name, e.to.name, e.to.layer-e.from.layer)
				}
			}
			if blocks != len(s.Blocks) || links != len(s.Links) || blocks == 0 {
				t.Errorf("%s: %d blocks and %d links are drawn, there are %d and %d", gpu, blocks, links, len(s.Blocks),
					len(s.Links))
			}
		}
	}
}

// The room is that of a window of 1400 pixels, where text has its size.
func TestAFigureOfAnyGPUFitsAPageAndHasEveryBlockInABox(t *testing.T) {
	for _, gpu := range config.Names() {
		s := structureOf(t, gpu)
		d := Figure(&s)
		blocks := 0
		for _, b := range d.Boxes {
			blocks += len(b.Blocks)
		}
		if n := strings.Count(d.SVG, `<g class="box">`); blocks != len(s.Blocks) || n != len(d.Boxes) {
			t.Errorf("%s: %d of %d blocks in %d boxes, %d are drawn", gpu, blocks, len(s.Blocks), len(d.Boxes), n)
		}
		if a := arranged(&s, onPage); a.width > onPage.room || a.height > 900 {
			t.Errorf("%s: %.0f x %.0f pixels, want at most %.0f x 900", gpu, a.width, a.height, onPage.room)
		}
	}
}

// A link that passed a box would look like one of the box. Links back, and within a column, are drawn from below and
// around the sides, and not meant.
func TestALinkOnwardsOrToAnotherRowOfColumnsPassesNoBox(t *testing.T) {
	for _, gpu := range config.Names() {
		s := structureOf(t, gpu)
		for _, f := range []form{slide, onPage} {
			d := arranged(&s, f)
			for _, e := range d.edges {
				if e.from.band == e.to.band && e.to.layer <= e.from.layer {
					continue
				}
				r, _ := d.route(e)
				ways := []route{r}
				if w, ok := r.(through); ok {
					ways = append(ways, bends{w.from, w.curve[0]}, bends{w.curve[3], w.to})
				}
				for _, w := range ways {
					d.passes(t, gpu, e, w)
				}
			}
		}
	}
}

// passes reports the boxes that a link passes, and whether it leaves the drawing.
func (d *drawing) passes(t *testing.T, gpu string, e *edge, w route) {
	t.Helper()
	for k := range 1001 {
		p := w.pointAt(float64(k) / 1000)
		if p.x < 0 || p.y < 0 || p.x > d.width || p.y > d.height {
			t.Fatalf("%s: the link from %s to %s leaves the drawing", gpu, e.from.title(), e.to.title())
		}
		for _, n := range d.nodes {
			if n != e.from && n != e.to && p.x > n.x && p.x < n.x+n.w && p.y > n.y && p.y < n.y+n.h {
				t.Fatalf("%s: the link from %s to %s passes %s", gpu, e.from.title(), e.to.title(), n.title())
			}
		}
	}
}
