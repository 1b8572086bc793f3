package page

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
)

func written(t *testing.T, p *Page) string {
	t.Helper()
	var b strings.Builder
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAPageContainsWhatItNeedsAndNamesNothingOutside(t *testing.T) {
	doc := written(t, &Page{Title: "T",
		Sections: []Section{{Title: "S", Parts: []Part{Fig("c", map[string]any{"mark": "bar"})}}}})
	for _, lib := range []string{"vegaEmbed(", `"mark":"bar"`, "<figcaption>c</figcaption>"} {
		if !strings.Contains(doc, lib) {
			t.Errorf("%q is not in the page", lib)
		}
	}
	// the libraries create tags of their own, for references in figures
	tags := regexp.MustCompile(`(?s)(<script[^>]*>).*?</script>`).ReplaceAllString(doc, "$1")
	if m := regexp.MustCompile(`<(link|img|iframe|script)[^>]*(src|href)=`).FindString(tags); m != "" {
		t.Errorf("the page loads something: %s", m)
	}
}

// What prints is all that is left.
func TestAPageWithoutFiguresHasNoLibraries(t *testing.T) {
	doc := written(t, &Page{Title: "T",
		Sections: []Section{{Title: "S", Folded: true, Parts: []Part{{Table: &Table{Head: []string{"a", "n"},
			Numeric: []bool{false, true}, Rows: [][]string{{"x", "1"}}}}}}}})
	if strings.Count(doc, "<script") != 1 || len(doc) > 20000 || !strings.Contains(doc, `<td class="num">1</td>`) ||
		!strings.Contains(doc, "<details>") {
		t.Error(doc)
	}
}

// A rule for dark pages has no effect if it precedes the rule for all pages.
func TestDarkPagesDifferInVariablesAlone(t *testing.T) {
	doc := written(t, &Page{Title: "T"})
	dark := regexp.MustCompile(`(?s)prefers-color-scheme: dark\) \{\n(.*?)\n\}\n`).FindStringSubmatch(doc)
	if dark == nil {
		t.Fatal("dark pages have no colours of their own")
	}
	for line := range strings.Lines(dark[1]) {
		if !strings.HasPrefix(strings.TrimSpace(line), ":root {") {
			t.Errorf("a rule for dark pages: %s", line)
		}
	}
}

func TestTextCannotBecomeMarkup(t *testing.T) {
	evil := `</script><script>alert("x")</script>`
	doc := written(t, &Page{Title: evil, Sections: []Section{{Title: evil, Text: evil, Parts: []Part{
		Fig(evil, map[string]any{"title": evil}),
		{Table: &Table{Caption: evil, Head: []string{evil}, Rows: [][]string{{evil}}}}}}}})
	if strings.Contains(doc, `<script>alert`) {
		t.Error("text of the page is executed")
	}
	m := regexp.MustCompile(`(?s)<script type="application/json" data-figure="figure-1">(.*?)</script>`).FindStringSubmatch(doc)
	var spec map[string]any
	if m == nil || json.Unmarshal([]byte(m[1]), &spec) != nil || spec["title"] != evil {
		t.Errorf("the specification is damaged: %v", m)
	}
}

func TestLayersThatHaveOneTitleNameItAlike(t *testing.T) {
	var texts Texts
	a, b := texts.Text("a"), texts.Text("b")
	if c := texts.Text("a"); len(texts.Params()) != 2 || c.(map[string]any)["expr"] != a.(map[string]any)["expr"] ||
		c.(map[string]any)["expr"] == b.(map[string]any)["expr"] {
		t.Errorf("%v, %v, %v", a, b, c)
	}
	if texts.Text("") != nil {
		t.Error("an empty title takes room")
	}
}
