package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/internal/page"
	"kumiko/internal/page/pagetest"
	"kumiko/study"
	"kumiko/study/query"
)

// drawnMap draws a map of two rows of three cells: 0, 0.1 and 0.2 above -0.1, 0 and 0.3.
func drawnMap(t *testing.T, marks string) []any {
	t.Helper()
	s := mustParse(t, "map.toml", []byte("name = \"t\"\n[groups]\na = [\"bfs\"]\n[[variant]]\nname = \"v\"\n"+
		"gpu = \"gtx980\"\n[[figure]]\nid = \"m\"\nkind = \"map\"\nvalues = [0, 1, 2]\nseries = [{ name = \"a\", "+
		"y = '0.1 * x' }, { name = \"b\", y = '(x == 2 ? 0.4 : 0.1 * x) - 0.1' }]\n"+marks))
	f := mustFigure(t, query.New(study.NewData(s, nil)), &s.Figures[0])
	return f.Spec["layer"].([]any)
}

func TestTheColoursOfAMapMeanTheSameDistanceFromZeroOnBothSides(t *testing.T) {
	scale := drawnMap(t, "")[0].(row)["encoding"].(row)["color"].(row)["scale"].(row)
	if d := cmp.Diff([]float64{-0.3, 0, 0.3}, scale["domain"],
		cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })); d != "" {
		t.Error(d)
	}
}

// 0.2 and 0.3, one above the other, reach 0.15.
func TestTheLineOfAMapPartsTheCellsThatReachThePapersNumber(t *testing.T) {
	layers := drawnMap(t, "mark = [{ y = 0.15, text = \"paper\" }]")
	edges := func(n int) any { return layers[len(layers)-2+n].(row)["data"].(row)["values"] }
	if d := cmp.Diff([]row{{"place": 2, "order": 0}, {"place": 2, "order": 1}}, edges(0)); d != "" {
		t.Errorf("edges on the left: %s", d)
	}
	if d := cmp.Diff([]row(nil), edges(1)); d != "" {
		t.Errorf("edges above: %s", d)
	}
	layers = drawnMap(t, "mark = [{ y = 0.05, text = \"paper\" }]")
	if d := cmp.Diff([]row{{"place": 1, "order": 1}}, edges(1)); d != "" {
		t.Errorf("edges above, of 0.05: %s", d)
	}
}

func TestAMapHasNeitherAnAxisOfItsValuesNorMarksAtOnePlace(t *testing.T) {
	for text, want := range map[string]string{
		"y = { log = true }":                             "the values of a map are colours",
		"mark = [{ x = 1, y = 0.15, text = \"paper\" }]": "the mark of a map parts the cells",
	} {
		_, err := study.Parse("map.toml", []byte("name = \"t\"\n[groups]\na = [\"bfs\"]\n[[variant]]\nname = \"v\"\n"+
			"gpu = \"gtx980\"\n[[figure]]\nid = \"m\"\nkind = \"map\"\nvalues = [0, 1]\nseries = [{ name = \"a\", "+
			"y = 'x' }]\n"+text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

func TestAMapOfEightColumnsFitsAPhoneWithReadableText(t *testing.T) {
	s := mustParse(t, "map.toml", []byte("name = \"t\"\n[groups]\na = [\"bfs\"]\n[[variant]]\nname = \"v\"\n"+
		"gpu = \"gtx980\"\n[[figure]]\nid = \"m\"\nkind = \"map\"\ntitle = \"How much a design gains by the warps and "+
		"the latency of a machine, of all programs\"\nvalues = [0, 1, 2, 3, 4, 5, 6, 7]\ny = { percent = true }\n"+
		"labels = [\"+0\", \"+100\", \"+200\", \"+300\", \"+400\", \"+500\", \"+600\", \"+0, DRAM x4\"]\n"+
		"series = [{ name = \"64 warps, 32 CTAs (table I)\", y = '0.013 * x' }, "+
		"{ name = \"fair\", y = '0.1 - 0.09 * x' }]\n"))
	f := mustFigure(t, query.New(study.NewData(s, nil)), &s.Figures[0])
	p := &page.Page{Title: "T", Sections: []page.Section{{Title: "S", Parts: []page.Part{page.Fig("map", f.Spec)}}}}
	file := pagetest.Saved(t, p)
	if wide := pagetest.OnAPhone(t, file).Figures; len(wide) > 0 {
		t.Errorf("wider than a phone: %q", wide)
	}
	if least := pagetest.SmallestText(t, file, 390); least < 10.9 {
		t.Errorf("the smallest text has %.1f px, want at least 11", least)
	}
}
