package page_test

import (
	"slices"
	"strings"
	"testing"

	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
)

// On paper nothing opens by a click. The parameters would be most of the paper.
func TestAPrintedPageHasWhatIsFoldedButNotTheParameters(t *testing.T) {
	para := []page.Part{page.Para("text")}
	p := &page.Page{Title: "T", Sections: []page.Section{
		{Title: "Folded", Folded: true, Parts: para},
		{Title: "Parameters", Folded: true, Screen: true, Parts: para},
		{Title: "Groups", Parts: []page.Part{
			{Group: &page.Group{Title: "folded group", Folded: true, Parts: para}}}}}}
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), `screen"`); n != 1 || !strings.Contains(b.String(), "  .screen, ") {
		t.Errorf("%d parts are for the screen alone, want 1", n)
	}
	if got, want := pagetest.OpenedToPrint(t, p), []string{"Folded", "folded group"}; !slices.Equal(got, want) {
		t.Errorf("opened to be printed: %q, want %q", got, want)
	}
}

func TestNumbersOfAPrintedTableAreNotBroken(t *testing.T) {
	name := strings.Repeat("averylongnameofakernel", 6)
	table := &page.Table{Head: []string{"kernel", "line", "instruction", "share"}, Numeric: []bool{false, true, false,
		true}, Rows: [][]string{{name, "306", strings.Repeat("fma.f32 R5, R20, R32, R5 ", 9), "0.8 %"}}}
	p := &page.Page{Title: "T", Sections: []page.Section{{Title: "S", Parts: []page.Part{page.Tab(table)}}}}
	if got := pagetest.BrokenNumbers(t, p, 700); len(got) > 0 {
		t.Errorf("broken: %q", got)
	}
}
