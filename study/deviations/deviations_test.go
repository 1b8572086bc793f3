package deviations

import (
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"kumiko/docs"
)

const entry = "# D\n\n## a: b, c\n\n**Paper:** p\nq\n\nKumiko: `k` of [f](f.md)\n\nWhy: w\n\n"

func TestAnEntryIsOfThePaperWithTheNameOfItsFile(t *testing.T) {
	list, err := Parse("docs/deviations/ltrf.md", entry+"Effect: e\n")
	if err != nil {
		t.Fatal(err)
	}
	d := list[0]
	if len(list) != 1 || d.ID != "a" || d.Title != "b, c" || d.Paper != "p q" || d.Kumiko != "k of f" ||
		d.Place != "docs/deviations/ltrf.md#a-b-c" ||
		!d.Concerns(&Use{Paper: "ltrf"}) || d.Concerns(&Use{Paper: "cerf"}) || d.Concerns(&Use{}) {
		t.Errorf("%+v", list)
	}
}

func TestAnEntryMayConcernSeveralPapers(t *testing.T) {
	for of, want := range map[string][2]bool{"ltrf, cerf": {true, false}, "all": {true, true}} {
		list, err := Parse("common.md", entry+"Effect: e\n\nOf: "+of+"\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]bool{list[0].Concerns(&Use{Paper: "cerf"}), list[0].Concerns(&Use{})}; got != want {
			t.Errorf("%s: %v, want %v", of, got, want)
		}
	}
}

func TestAnEntryAboutADesignConcernsTheStudiesThatHaveIt(t *testing.T) {
	list, err := Parse("docs/deviations/ltrf.md", entry+"Effect: e\n\nDesigns: ltrf, shrf\n")
	if err != nil {
		t.Fatal(err)
	}
	with, without := map[string]bool{"shrf": true}, map[string]bool{"rfc": true}
	d := &list[0]
	if !d.Concerns(&Use{Designs: with}) || d.Concerns(&Use{Paper: "ltrf", Designs: without}) {
		t.Errorf("%+v", d)
	}
}

func TestAnEntryAboutAProgramConcernsItsPaperWithTheProgram(t *testing.T) {
	list, err := Parse("docs/deviations/ltrf.md", entry+"Effect: e\n\nPrograms: sgemm\n")
	if err != nil {
		t.Fatal(err)
	}
	with, without := map[string]bool{"sgemm": true}, map[string]bool{"vecadd": true}
	d := &list[0]
	if !d.Concerns(&Use{Paper: "ltrf", Programs: with}) || d.Concerns(&Use{Paper: "ltrf", Programs: without}) ||
		d.Concerns(&Use{Paper: "cerf", Programs: with}) {
		t.Errorf("%+v", d)
	}
}

func TestATableOfAnEntryKnowsHowItWasMeasured(t *testing.T) {
	list, err := Parse("ltrf.md", entry+"Measured: so\n\n| x | y |\n|---|---|\n| `1` | |\n")
	if err != nil {
		t.Fatal(err)
	}
	n := list[0].Numbers
	if len(n) != 1 || n[0].Measured != "so" || n[0].Head[1] != "y" || len(n[0].Rows) != 1 || n[0].Rows[0][0] != "1" {
		t.Errorf("%+v", n)
	}
}

func TestAMistakeInAnEntryIsNamed(t *testing.T) {
	for text, want := range map[string]string{
		entry: "expected an id, a title, the paragraphs Paper, Kumiko, Why, and Effect or a table",
		strings.Replace(entry, "Why: w\n\n", "", 1) + "Effect: e\n":  "expected an id, a title",
		strings.Replace(entry, ": b, c", "", 1) + "Effect: e\n":      "expected an id, a title",
		entry + "How much: x\n":                                      "found the paragraph \"How much: x\"",
		entry + "| x | y |\n|---|---|\n| 1 |\n":                      "found 1 cells in \"| 1 |\", expected 2",
		entry + "| x | y |\n|---|---|\n":                             "a table of 2 lines",
		entry + "| x |\n|---|\n1 |\n":                                "found \"1 |\" in a table",
		entry + "| x |\n|---|\n| 1 |\n\nMeasured: so\n\nEffect: e\n": "no table follows Measured: so",
	} {
		if _, err := Parse("ltrf.md", text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngives %v, want %q", text, err, want)
		}
	}
}

var row = regexp.MustCompile(`(?m)^\| \[([a-z0-9-]+)\]\(#([^)]*)\) \| .+ \|$`)

// The first table of a file lists its entries in their order.
func TestEveryEntryIsListedAtTheHeadOfItsFile(t *testing.T) {
	files(t, func(name, text string, list []Deviation) {
		rows := row.FindAllStringSubmatch(text, -1)
		if len(rows) != len(list) {
			t.Fatalf("%s: %d rows list %d entries", name, len(rows), len(list))
		}
		for i, d := range list {
			if place := name + "#" + rows[i][2]; rows[i][1] != d.ID || place != d.Place {
				t.Errorf("%s: row %d is of %s at %s, want %s at %s", name, i+1, rows[i][1], place, d.ID, d.Place)
			}
		}
	})
}

// apart is what an entry has beside prose.
var apart = regexp.MustCompile(`^(\||\*\*(Measured|Of|Designs|Programs):\*\* )`)

// Numbers stand in tables, and what they were measured with above these.
func TestAnEntryHasAtMostSixLinesOfProse(t *testing.T) {
	files(t, func(name, text string, _ []Deviation) {
		for _, part := range strings.Split(text, "\n## ")[1:] {
			id, body, _ := strings.Cut(part, ":")
			n := 0
			for _, p := range strings.Split(body, "\n\n")[1:] {
				if !apart.MatchString(p) {
					n += len(strings.Split(strings.TrimSpace(p), "\n"))
				}
			}
			if n > 6 {
				t.Errorf("%s: %s has %d lines of prose, want at most 6", name, id, n)
			}
		}
	})
}

// files parses every file of the register.
func files(t *testing.T, each func(name, text string, list []Deviation)) {
	t.Helper()
	names, err := fs.Glob(docs.Deviations, "deviations/*.md")
	if err != nil || len(names) < 7 {
		t.Fatalf("%v, %v; want a file for each paper, README.md and common.md", names, err)
	}
	for _, file := range names {
		text, err := fs.ReadFile(docs.Deviations, file)
		if err != nil {
			t.Fatal(err)
		}
		list, err := Parse("docs/"+file, string(text))
		if err != nil {
			t.Fatal(err)
		}
		each("docs/"+file, string(text), list)
	}
}
