package page_test

import (
	"strings"
	"testing"

	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
)

func TestAnyTwoPointsAreComparedWithTheLargestChangeFirst(t *testing.T) {
	p := &page.Page{Title: "T", Sections: []page.Section{{Title: "S", Parts: []page.Part{page.InPairs(&page.Pairs{
		Points: []string{"k, base", "k, mine", "l, mine"}, Groups: []int{0, 1, 1}, First: [2]int{0, 0},
		Tables: []page.PairTable{
			{Title: "Settings", Texts: []page.PairTexts{
				{Name: "kind", Texts: []string{"one", "other"}, Of: []int{0, 1}}}},
			{Title: "Totals", Relative: true, Numbers: []page.PairNumbers{
				{Name: "cycles", Values: []float64{200, 150, 9}}, {Name: "same", Values: []float64{7, 7, 8}}}},
			{Title: "Slots", Numbers: []page.PairNumbers{{Name: "small", Values: []float64{1, 1.25, 0}},
				{Name: "large", Values: []float64{2, 1, 0}}, {Name: "least", Values: []float64{1, 1.0004, 0}}}},
			{Title: "Some", Numbers: []page.PairNumbers{{Name: "one", Values: []float64{4}, Of: []int{1}},
				{Name: "all", Values: []float64{1, 1, 1}}, {Name: "other", Values: []float64{9}, Of: []int{2}}}}}})}}}}
	file := pagetest.Saved(t, p)
	got := pagetest.Pick(t, file, 0, 1)
	words := strings.Join(strings.Fields(got.After), " ")
	const want = "Settings setting A B kind one other Totals A B change cycles 200 150 -25.0 % " +
		"Slots A B change large 2 1 -1.000 small 1 1.25 +0.250 least 1 1 +0.0004 Some A B change one 0 4 +4.000"
	if got.Before != "The two points are equal in all of this." || words != want || got.Wide {
		t.Errorf("before %q, after\n%q, want\n%q; wider than the window: %v", got.Before, words, want, got.Wide)
	}
	if got.Bars != "bar less 120px, bar more 30px, bar more 1px, bar more 120px" {
		t.Errorf("bars: %s", got.Bars)
	}
}
