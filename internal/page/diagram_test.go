package page_test

import (
	"strings"
	"testing"

	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
)

const twoBoxes = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 100" width="1600" height="100" font-size="11">` +
	`<g id="machine"><g class="box"><rect width="90" height="50"/><text x="8" y="20">Bank</text></g>` +
	`<g class="box"><rect x="1400" width="90" height="50"/><text x="1408" y="20">Fetch</text></g></g></svg>`

func TestAClickOrEnterOnABoxShowsItsNumbersBesideTheDiagram(t *testing.T) {
	about := &page.Table{Head: []string{"statistic", "value", "unit", "what it is"},
		Rows: [][]string{{"bank.reads", "12345", "accesses", "registers read"}},
		ID:   func(int) string { return "stat-bank.reads" }}
	p := &page.Page{Title: "T", Sections: []page.Section{
		{Title: "S", Parts: []page.Part{page.InBoxes(&page.Diagram{Caption: "c", SVG: twoBoxes, Explained: "stat-",
			Boxes: []page.Box{
				{Title: "Bank x 2", Note: "bank.Bank",
					Rows: []page.Sum{{Name: "bank.reads", Parts: 2, Sum: 12345, Least: 45, Most: 12300}}},
				{Title: "Fetch", Note: "fetch.Fetch",
					Rows: []page.Sum{{Name: "fetches", Parts: 1, Sum: 7, Least: 7, Most: 7}}}},
			Rest: page.Box{Title: "No block chosen", Note: "Click."}})}},
		{Title: "Statistics", Folded: true, Parts: []page.Part{page.Tab(about)}}}}
	file := pagetest.Saved(t, p)
	for _, width := range []int{390, 1400} {
		got := pagetest.Choose(t, file, width)
		for _, k := range []struct{ said, want string }{{got.Before, "No block chosen Click."},
			{got.Clicked, "Bank x 2 bank.Bank statistic sum least most bank.reads accesses: registers read " +
				"12\u202f345 45 12\u202f300"},
			{got.Entered, "Fetch fetch.Fetch statistic value fetches 7"}} {
			words := strings.FieldsFunc(k.said, func(r rune) bool { return strings.ContainsRune(" \n\t", r) })
			if said := strings.Join(words, " "); said != k.want {
				t.Errorf("at %d px the panel says\n%q, want\n%q", width, said, k.want)
			}
		}
		if !got.Focused || got.Pressed != "false,true" {
			t.Errorf("at %d px the keyboard reaches the box: %v; pressed: %s", width, got.Focused, got.Pressed)
		}
		if got.Least < 11 || got.Wide || !got.Scrolls || got.Beside != (width > 900) {
			t.Errorf("at %d px: %+v", width, got)
		}
	}
}
