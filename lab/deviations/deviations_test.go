package deviations

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const entry = `title = "Deviations"
numbers = "n"
[[deviation]]
id = "a"
title = "b, ` + "`c`" + `"
paper = """
p [q](x.md)
r"""
here = "k"
`

// because is what the entry lacks, so that a test may leave it out.
const because = "because = \"w\"\n"

// parse reads a file of one entry.
func parse(t *testing.T, name, more string) *Deviation {
	t.Helper()
	f, err := Parse(name, []byte(entry+because+more))
	if err != nil || len(f.Entries) != 1 {
		t.Fatalf("%v, %+v", err, f)
	}
	return &f.Entries[0]
}

func TestAnEntryConcernsThePaperOfItsFile(t *testing.T) {
	d := parse(t, "ltrf.toml", "")
	if d.Place != Pages+"/ltrf.md#a" || d.Numbers != "n" || !d.Concerns(&Use{Paper: "ltrf"}) ||
		d.Concerns(&Use{Paper: "cerf"}) || d.Concerns(&Use{}) {
		t.Errorf("%+v", d)
	}
}

func TestAnEntryMayConcernSeveralPapers(t *testing.T) {
	for more, want := range map[string][2]bool{`of = ["cerf", "ltrf"]`: {true, false}, `of = ["all"]`: {true, true}} {
		d := parse(t, "common.toml", more)
		if got := [2]bool{d.Concerns(&Use{Paper: "cerf"}), d.Concerns(&Use{})}; got != want {
			t.Errorf("%s: %v, want %v", more, got, want)
		}
	}
}

func TestAnEntryAboutDesignsConcernsEveryStudyThatUsesOne(t *testing.T) {
	d := parse(t, "ltrf.toml", "designs = [\"ltrf\", \"shrf\"]")
	if !d.Concerns(&Use{Designs: map[string]bool{"shrf": true}}) || d.Concerns(&Use{Paper: "ltrf"}) {
		t.Errorf("%+v", d)
	}
}

func TestAnEntryAboutProgramsConcernsStudiesOfItsPaperThatUseOne(t *testing.T) {
	d := parse(t, "ltrf.toml", "programs = [\"sgemm\"]")
	with, without := map[string]bool{"sgemm": true}, map[string]bool{"bfs": true}
	if !d.Concerns(&Use{Paper: "ltrf", Programs: with}) || d.Concerns(&Use{Paper: "ltrf", Programs: without}) ||
		d.Concerns(&Use{Paper: "cerf", Programs: with}) {
		t.Errorf("%+v", d)
	}
}

func TestAnIncompleteEntryIsRefusedWithItsLine(t *testing.T) {
	table := "[[deviation.table]]\nhead = [\"x\", \"y\"]\n"
	for more, want := range map[string]string{
		"":                                   "expected id, title, paper and because",
		"efect = \"e\"":                      "efect",
		because + table + "rows = [[\"1\"]]": "found 1 cells in the row of \"1\", expected 2",
		because + table + "rows = []":        "found a table without rows",
		because + "of = \"ltrf\"":            "of",
		because + "[[deviation]]\nid = 1":    "id",
	} {
		_, err := Parse("x.toml", []byte(entry+more))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "x.toml:") {
			t.Errorf("%s: %v, want %q", more, err, want)
		}
	}
}

func TestAPageShowsTheEntryWithItsTable(t *testing.T) {
	f, err := Parse("x.toml", []byte(entry+because+
		"[[deviation.table]]\nhead = [\"x\", \"y\"]\nrows = [[\"1\", \"`2`\"]]\n"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "# Deviations\n\nn\n\n## a\n\n*b, `c`*\n\n**Paper:** p [q](x.md)\nr\n\n**Here:** k\n\n" +
		"**Because:** w\n\n| x | y |\n|---|---|\n| 1 | `2` |\n"
	if got := string(f.Page()); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

func TestAPageLeavesOutWhatTheTitleSays(t *testing.T) {
	const text = "title = \"t\"\n[[deviation]]\nid = \"a\"\ntitle = \"b\"\npaper = \"p\"\n" + because
	f, err := Parse("x.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(f.Page()); got != "# t\n\n## a\n\n*b*\n\n**Paper:** p\n\n**Because:** w\n" {
		t.Errorf("%q", got)
	}
}

func TestPlainTextIsOneLineWithoutMarks(t *testing.T) {
	if got := Plain("p [q](x.md)\n`r` **s**"); got != "p q r s" {
		t.Errorf("%q", got)
	}
}

func TestThePagesOfTheRegisterAreUpToDate(t *testing.T) {
	files, err := Files()
	if err != nil || len(files) < 7 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		got, err := os.ReadFile(filepath.Join("..", "docs", "deviations", f.Name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, f.Page()) {
			t.Errorf("%s.md is not the page of its entries; make papers writes it", f.Name)
		}
	}
}

// A register that grows is no longer read: what is added takes the place of something.
func TestTheRegisterIsShortEnoughToRead(t *testing.T) {
	files, err := Files()
	if err != nil {
		t.Fatal(err)
	}
	entries, words := 0, 0
	for _, f := range files {
		entries += len(f.Entries)
		words += len(strings.Fields(string(f.Page())))
	}
	if entries < 60 || words > 6000 {
		t.Errorf("%d entries in %d words, want at least 60 in at most 6000", entries, words)
	}
}
