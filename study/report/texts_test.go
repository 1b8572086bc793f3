package report

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"kumiko/internal/page"
	"kumiko/internal/page/svg"
	"kumiko/study"
	"kumiko/study/query"
)

// hard are texts with a special meaning in JavaScript, Vega, XML or HTML.
var hard = []string{"a\nb", `a\b`, `\n`, "a\u2028b", "a\u2029b", "constructor", "__proto__", "toString",
	"hasOwnProperty", "a'b", `a"b`, "{x}", "${x}", "datum.x", "a.b", "a[0]",
	"\x01x", "\ufffex", "<b>x", "&amp;", "😀", `");//`, "</script>", "null", "undefined", "NaN", "true", "1", "a\tb",
	"a\r\nb", "x\x7f", "%s", "]]>", "valueOf", "order"}

// anyText is a short text, often a hard one.
func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.SampledFrom(hard), rapid.StringOfN(rapid.Rune(), 1, 9, -1))
}

// seen returns a text as a reader sees it: runs of blanks become one, and characters not allowed in XML
// become a sign.
func seen(s string) string {
	sign := func(r rune) rune {
		if r == '\ufeff' { // a blank to JavaScript
			return ' '
		}
		if r < ' ' && !unicode.IsSpace(r) || r >= '\u2400' && r < '\u2420' || r == '\ufffd' || r == '\ufffe' ||
			r == '\uffff' {
			return '?'
		}
		return r
	}
	return strings.Join(strings.Fields(strings.Map(sign, s)), " ")
}

// drawnTexts returns the texts of a drawing, as a reader sees them.
func drawnTexts(data []byte) (map[string]bool, error) {
	out := map[string]bool{}
	for d := xml.NewDecoder(strings.NewReader(string(data))); ; {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if c, ok := tok.(xml.CharData); ok {
			out[seen(string(c))] = true
		}
	}
}

// withTexts is a figure of two series over two values, with the texts given by
// their kinds; other texts are plain.
func withTexts(kind string, texts map[string]string) *study.Figure {
	of := func(what string) string {
		if s, ok := texts[what]; ok {
			return s
		}
		return what
	}
	y, range2 := 1.5, 1.8
	f := &study.Figure{ID: "f", Title: of("title"), Where: of("where"), Doc: of("doc"), Kind: kind,
		Values: []any{"p", "q"}, Labels: []string{of("label 1"), of("label 2")},
		Series: []study.Series{{Name: of("series 1"), Y: "x == 'p' ? 1 : 2"}, {Name: of("series 2"), Y: "3"}}}
	f.X.Title, f.Y.Title = of("x title"), of("y title")
	if kind == study.Scatter {
		f.Series[0].X, f.Series[1].X = "x == 'p' ? 10 : 20", "30"
	} else {
		f.Marks = append(f.Marks, study.Mark{X: f.Labels[1], Y: &y, Text: of("mark")},
			study.Mark{X: f.Labels[0], Y: &y, Y2: &range2, Text: of("mark")})
	}
	f.Marks = append(f.Marks, study.Mark{Y: &y, Text: of("line")})
	return f
}

// shown lists the texts of withTexts required in a drawing. Texts of marks at
// points are in tooltips alone, and points are named where there is room.
func shown(kind string) []string {
	out := []string{"x title", "y title", "series 1", "series 2", "line"}
	if kind != study.Scatter {
		out = append(out, "label 1", "label 2")
	}
	return out
}

// draws checks that a figure is drawn, with all of its texts.
func draws(t interface{ Fatalf(string, ...any) }, d *svg.Drawer, q *query.Query, kind string, texts map[string]string) {
	fig, err := NewFigure(q, withTexts(kind, texts))
	if err != nil {
		t.Fatalf("%s, %q: %v", kind, texts, err)
	}
	data, err := d.Draw(fig.Spec)
	if err != nil {
		t.Fatalf("%s, %q: %v", kind, texts, err)
	}
	got, err := drawnTexts(data)
	if err != nil {
		t.Fatalf("%s, %q: %v", kind, texts, err)
	}
	for _, what := range shown(kind) {
		want := what
		if s, ok := texts[what]; ok {
			want = s
		}
		if want = seen(want); want != "" && !got[want] {
			t.Fatalf("%s: the %s %q is not in the drawing, which has %q", kind, what, want,
				slices.Sorted(maps.Keys(got)))
		}
	}
	if title := seen(fig.Title); !got[title] {
		t.Fatalf("%s: the title %q is not in the drawing, which has %q", kind, title, slices.Sorted(maps.Keys(got)))
	}
}

func emptyStudy(t *testing.T) *query.Query {
	t.Helper()
	s := mustParse(t, "t.toml",
		[]byte("name = \"t\"\n[groups]\na = [\"bfs\"]\n[[variant]]\nname = \"constructor\"\ngpu = \"gtx980\"\n"))
	return query.New(study.NewData(s, nil))
}

var kinds = []string{study.Bar, study.Line, study.Stack, study.Scatter}

// whats are the places of texts in withTexts.
var whats = []string{"title", "where", "doc", "label 1", "label 2", "series 1", "series 2", "x title", "y title",
	"mark", "line"}

func TestEveryTextOfAFigureComesOutAsText(t *testing.T) {
	q := emptyStudy(t)
	d, err := svg.New()
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for range 3 { // so that each text is in some places
		for _, kind := range kinds {
			texts := map[string]string{}
			for _, what := range whats {
				texts[what] = hard[at%len(hard)]
				at++
			}
			draws(t, d, q, kind, texts)
		}
	}
	if at < 3*len(hard) {
		t.Errorf("%d places for %d texts", at, len(hard))
	}
}

// randomTexts returns texts for some places, all looking different.
func randomTexts(t *rapid.T) map[string]string {
	out := map[string]string{}
	used := map[string]bool{}
	for _, what := range whats {
		if s := anyText().Draw(t, what); !used[seen(s)] {
			used[seen(s)] = true
			out[what] = s
		}
	}
	return out
}

// A figure is slow to draw, so only a few are drawn.
func TestAnyTextsOfAFigureComeOutAsText(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	q := emptyStudy(t)
	d, err := svg.New()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		if n++; n > 15 {
			return
		}
		draws(t, d, q, rapid.SampledFrom(kinds).Draw(t, "kind"), randomTexts(t))
	})
}

// The page has each text where it belongs, and none as markup or as a script.
func TestEveryTextOfAStudyComesOutAsTextOnThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("make check runs this test")
	}
	element := regexp.MustCompile(`(?s)<script.*?</script>`)
	for _, h := range hard {
		p := &page.Page{Title: h, Subtitle: h, Footer: h, Badges: []page.Badge{{Text: h}},
			Tiles: []page.Tile{{Label: h, Value: h, Note: h}},
			Sections: []page.Section{{Title: h, Text: h,
				Parts: []page.Part{page.Para(h),
					page.Tab(&page.Table{Caption: h, Head: []string{h}, Rows: [][]string{{h}}})}}}}
		fig := mustFigure(t, emptyStudy(t),
			withTexts(study.Bar, map[string]string{"title": h, "series 1": h, "label 1": h, "doc": h}))
		p.Sections[0].Parts = append(p.Sections[0].Parts, fig.Part())
		var b strings.Builder
		if err := p.Write(&b); err != nil {
			t.Fatalf("%q: %v", h, err)
		}
		rest := element.ReplaceAllString(b.String(), "")
		if n := strings.Count(rest, "<script"); n > 0 || strings.Contains(rest, "<b>") {
			t.Errorf("%q has become markup", h)
		}
		if want := fmt.Sprintf("<h2>%s</h2>", escaped(h)); !strings.Contains(rest, want) {
			t.Errorf("%q: %s is not on the page", h, want)
		}
	}
}

// escaped is a text as html/template writes it.
func escaped(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "+", "&#43;", "\x00",
		"\ufffd").Replace(s)
}
