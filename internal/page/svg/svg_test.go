package svg

import (
	"encoding/xml"
	"strings"
	"testing"
)

func TestAFigureIsDrawnWithoutABrowser(t *testing.T) {
	d, err := New()
	if err != nil {
		t.Fatal(err)
	}
	for _, mark := range []string{"bar", "line"} {
		text, err := d.Draw(map[string]any{"width": 200, "height": 100, "mark": mark,
			"data": map[string]any{"values": []any{map[string]any{"x": "sgemm", "y": 3},
				map[string]any{"x": "bfs", "y": 5}}},
			"encoding": map[string]any{"x": map[string]any{"field": "x", "type": "nominal"},
				"y": map[string]any{"field": "y", "type": "quantitative", "title": "cycles"}}})
		if err != nil {
			t.Fatal(err)
		}
		if err := xml.Unmarshal(text, new(struct{ XMLName xml.Name })); err != nil {
			t.Errorf("%s: no XML: %v", mark, err)
		}
		for _, want := range []string{"<svg", "sgemm", "bfs", "cycles"} {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s: %q is not in the figure", mark, want)
			}
		}
	}
}

func TestAFigureThatCannotBeDrawnIsAnError(t *testing.T) {
	d, err := New()
	if err != nil {
		t.Fatal(err)
	}
	if s, err := d.Draw(map[string]any{"mark": "unicorn", "encoding": 3}); err == nil {
		t.Errorf("drawn: %.200s", s)
	}
}
