package page

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpansThatOverlapAreInDifferentRowsOfTheirLaneBelowItsWaits(t *testing.T) {
	l := Lane{Name: "a", Waits: []Span{{"wait", []uint64{3, 3}, 5}}}
	l.Spans = []Span{{"third", []uint64{6, 0}, 9}, {"first", []uint64{2, 4}, 7},
		{"second", []uint64{4, 5}, 6}, {"fourth", []uint64{7, 8}, 8}}
	got := l.packed()
	want := drawLane{Name: "a", Rows: 3, Spans: []drawSpan{{"first", 1, []uint64{2, 4}, 7},
		{"wait", 0, []uint64{3, 3}, 5}, {"second", 2, []uint64{4, 5}, 6}, {"third", 2, []uint64{6, 0}, 9},
		{"fourth", 1, []uint64{7, 8}, 8}}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAPageWithLanesContainsTheirDataAndDrawsThem(t *testing.T) {
	doc := written(t, &Page{Title: "T", Sections: []Section{{Title: "S", Parts: []Part{InLanes(&Lanes{Caption: "c",
		Unit: "cycle", From: 3, To: 9, Stages: []string{"one", "two"},
		Lanes: []Lane{{Name: "</script>", Spans: []Span{{"x", []uint64{4, 5}, 6}}}}})}}}})
	m := regexp.MustCompile(`(?s)<figure class="lanes".*?<script type="application/json">(.*?)</script>`).FindStringSubmatch(doc)
	if m == nil {
		t.Fatal("the page has no lanes")
	}
	var got drawable
	if err := json.Unmarshal([]byte(m[1]), &got); err != nil {
		t.Fatal(err)
	}
	if got.From != 3 || got.To != 9 || len(got.Lanes) != 1 || got.Lanes[0].Name != "</script>" {
		t.Errorf("data %+v", got)
	}
	for _, part := range []string{"box.querySelector('canvas')", `aria-label="c"`, `<span class="stage1"></span>two`} {
		if !strings.Contains(doc, part) {
			t.Errorf("%q is not in the page", part)
		}
	}
}
