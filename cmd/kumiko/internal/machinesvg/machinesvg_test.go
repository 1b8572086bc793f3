package machinesvg

import (
	"math"
	"slices"
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
		nodes, edges := drawn(&s)
		layer(nodes, edges)
		width, height := arrange(nodes, edges, headHeight)
		if math.Abs(width/height-slideWidth/slideHeight) > 0.01 {
			t.Errorf("%s: %.0f x %.0f are no proportions of a slide", gpu, width, height)
		}
		blocks, links := 0, 0
		for i, n := range nodes {
			blocks += n.n
			if n.x < 0 || n.y < headHeight || n.x+n.w > width || n.y+nodeHeight > height {
				t.Errorf("%s: %s lies outside", gpu, n.title())
			}
			for _, o := range nodes[:i] {
				if n.x < o.x+o.w && o.x < n.x+n.w && n.y < o.y+nodeHeight && o.y < n.y+nodeHeight {
					t.Errorf("%s: %s covers %s", gpu, n.title(), o.title())
				}
			}
		}
		for _, e := range edges {
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

// A strip ends between columns: nothing but links is cut.
func TestAFigureHasEveryBlockInABoxAndNoBoxIsCutOnPaper(t *testing.T) {
	for _, gpu := range []string{"fermi", "h100", "gtx980"} {
		s := structureOf(t, gpu)
		d := Figure(&s)
		blocks := 0
		for _, b := range d.Boxes {
			blocks += len(b.Blocks)
		}
		if n := strings.Count(d.SVG, `<g class="box">`); blocks != len(s.Blocks) || n != len(d.Boxes) {
			t.Errorf("%s: %d of %d blocks in %d boxes, %d are drawn", gpu, blocks, len(s.Blocks), len(d.Boxes), n)
		}
		nodes, edges := drawn(&s)
		layer(nodes, edges)
		width, height := arrange(nodes, edges, 0)
		if !slices.IsSorted(d.Cuts) || d.Cuts[0] != 0 || d.Cuts[len(d.Cuts)-1] != width || d.Height != height {
			t.Errorf("%s: cuts %v and height %g of a drawing of %g x %g", gpu, d.Cuts, d.Height, width, height)
		}
		for i, x := range d.Cuts[1:] {
			if x-d.Cuts[i] > StripWidth {
				t.Errorf("%s: strip %d is %g wide", gpu, i, x-d.Cuts[i])
			}
			for _, n := range nodes {
				if n.x < x && x < n.x+n.w {
					t.Errorf("%s: %s is cut at %g", gpu, n.title(), x)
				}
			}
		}
	}
}
