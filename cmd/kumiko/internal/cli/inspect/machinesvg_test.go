package inspect

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"regexp"
	"strings"
	"testing"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
)

func machineAs(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	a := app.App{Stdout: &out, Stderr: &errs, New: app.Assemble}
	if status := a.Main(append([]string{"inspect"}, args...), program); status != app.Done {
		t.Fatalf("status %d: %s", status, errs.String())
	}
	return out.String()
}

// A drawing scaled to 1280 px had text of 4.4 px.
func TestTheTextOfADrawingIsReadableAtItsSize(t *testing.T) {
	size := regexp.MustCompile(`viewBox="0 0 (\d+) (\d+)" width="(\d+)" height="(\d+)" font-family="[^"]*" font-size="(\d+)"`)
	for _, gpu := range []string{"fermi", "h100"} {
		m := size.FindStringSubmatch(machineAs(t, "--gpu", gpu, "--format", "svg"))
		if m == nil || m[1] != m[3] || m[2] != m[4] || m[5] != "11" {
			t.Errorf("%s: found sizes %v, want the drawing's own, and text of 11 px", gpu, m)
		}
	}
}

func TestADrawingHasEveryBlockAndEveryLinkOnce(t *testing.T) {
	for _, gpu := range config.Names() {
		var s structure
		if err := json.Unmarshal([]byte(machineAs(t, "--gpu", gpu, "--format", "json")), &s); err != nil {
			t.Fatal(err)
		}
		nodes, edges := drawn(&s.Structure)
		layer(nodes, edges)
		width, height := arrange(nodes, edges)
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

func TestADrawingIsWellFormedAndTheSameEachTime(t *testing.T) {
	args := []string{"--set", "slice.sms=2", "--set", "regfile.conventional.network=butterfly", "--format", "svg"}
	text := machineAs(t, args...)
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"RegFile.SubCore.Bank x 16", "RegFile.SubCore.Network.Router x 16", "SM 0 of 2",
		"16 x bank.Access, latency 1"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in it", want)
		}
	}
	if text != machineAs(t, args...) {
		t.Error("drawn again it is another drawing")
	}
}

func TestNoTextOfADrawingIsCutOffOrLiesUponAnother(t *testing.T) {
	files := map[string][]byte{}
	for _, gpu := range config.Names() {
		files[gpu] = []byte(machineAs(t, "--gpu", gpu, "--format", "svg"))
	}
	got := pagetest.Measure(t, &page.Page{Title: "GPUs"}, nil, files)
	if got.Files != len(files) {
		t.Errorf("%d drawings are measured, want %d", got.Files, len(files))
	}
	for _, w := range got.Wrong {
		t.Error(w)
	}
}
