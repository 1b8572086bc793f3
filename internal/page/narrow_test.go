package page_test

import (
	"testing"

	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
)

// On a phone a figure scrolls within its card.
func TestTheTextOfAFigureIsReadableInAnyWindow(t *testing.T) {
	p := &page.Page{Title: "T", Sections: []page.Section{{Title: "S", Parts: []page.Part{page.Fig("c", map[string]any{
		"width": 800, "data": map[string]any{"values": []map[string]any{{"x": 1, "y": "one"}, {"x": 2, "y": "two"}}},
		"mark": "bar", "encoding": map[string]any{"x": map[string]any{"field": "x", "type": "quantitative"},
			"y": map[string]any{"field": "y", "type": "nominal"}}})}}}}
	file, widths := pagetest.Saved(t, p), []int{390, 800, 1400}
	if testing.Short() {
		widths = widths[:1]
	}
	for _, width := range widths {
		if got := pagetest.SmallestText(t, file, width); got < 10.9 || got > 14 {
			t.Errorf("at %d px the smallest text has %.1f px, want at least 11", width, got)
		}
	}
	for _, wide := range pagetest.Fit(t, []string{file}, 10000, 390) {
		t.Error(wide)
	}
}

// Bars along x are the same picture on less paper; bars side by side need their width.
func TestAFigureThatMayBeNarrowerDoesNotScrollOnAPhone(t *testing.T) {
	p := &page.Page{Title: "T", Sections: []page.Section{{Title: "S", Parts: []page.Part{page.Fig("c", map[string]any{
		"width": 800, "usermeta": page.Least(150),
		"data": map[string]any{"values": []map[string]any{{"x": 1, "y": "one", "c": "a longer name"},
			{"x": 2, "y": "two", "c": "another longer name"}, {"x": 2, "y": "two", "c": "the longest name of all"}}},
		"mark": "bar", "encoding": map[string]any{"x": map[string]any{"field": "x", "type": "quantitative"},
			"y":     map[string]any{"field": "y", "type": "nominal"},
			"color": map[string]any{"field": "c", "legend": map[string]any{"columns": 7}}}})}}}}
	file := pagetest.Saved(t, p)
	for _, wide := range pagetest.Examine(t, []string{file}, ".scroll").Wrong {
		t.Error(wide)
	}
}
