package deviations

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const entry = `title = "Deviations"
[[deviation]]
id = "a"
title = "b, ` + "`c`" + `"
line = "d"
paper = """
p [q](x.md)
r"""
kumiko = "k"
why = "w"
`

// parse reads a file of one entry.
func parse(t *testing.T, name, more string) *Deviation {
	t.Helper()
	f, err := Parse(name, []byte(entry+more))
	if err != nil || len(f.Entries) != 1 {
		t.Fatalf("%v, %+v", err, f)
	}
	return &f.Entries[0]
}

func TestAnEntryConcernsThePaperOfItsFile(t *testing.T) {
	d := parse(t, "ltrf.toml", `effect = "e"`)
	if d.Place != Pages+"/ltrf.md#a-b-c" || !d.Concerns(&Use{Paper: "ltrf"}) || d.Concerns(&Use{Paper: "cerf"}) ||
		d.Concerns(&Use{}) {
		t.Errorf("%+v", d)
	}
}

func TestAnEntryMayConcernSeveralPapers(t *testing.T) {
	for more, want := range map[string][2]bool{`of = ["cerf", "ltrf"]`: {true, false}, `of = ["all"]`: {true, true}} {
		d := parse(t, "common.toml", "effect = \"e\"\n"+more)
		if got := [2]bool{d.Concerns(&Use{Paper: "cerf"}), d.Concerns(&Use{})}; got != want {
			t.Errorf("%s: %v, want %v", more, got, want)
		}
	}
}

func TestAnEntryAboutDesignsConcernsEveryStudyThatUsesOne(t *testing.T) {
	d := parse(t, "ltrf.toml", "effect = \"e\"\ndesigns = [\"ltrf\", \"shrf\"]")
	if !d.Concerns(&Use{Designs: map[string]bool{"shrf": true}}) || d.Concerns(&Use{Paper: "ltrf"}) {
		t.Errorf("%+v", d)
	}
}

func TestAnEntryAboutProgramsConcernsStudiesOfItsPaperThatUseOne(t *testing.T) {
	d := parse(t, "ltrf.toml", "effect = \"e\"\nprograms = [\"sgemm\"]")
	with, without := map[string]bool{"sgemm": true}, map[string]bool{"bfs": true}
	if !d.Concerns(&Use{Paper: "ltrf", Programs: with}) || d.Concerns(&Use{Paper: "ltrf", Programs: without}) ||
		d.Concerns(&Use{Paper: "cerf", Programs: with}) {
		t.Errorf("%+v", d)
	}
}

func TestAnIncompleteEntryIsRefusedWithItsLine(t *testing.T) {
	table := "[[deviation.table]]\nhead = [\"x\", \"y\"]\n"
	for more, want := range map[string]string{
		"":                                      "expected id, title, line, paper, kumiko, why, and effect or a table",
		"efect = \"e\"":                         "efect",
		table + "rows = [[\"1\"]]":              "found 1 cells in the row of \"1\", expected 2",
		table + "rows = []":                     "found a table without rows",
		"effect = \"e\"\nof = \"ltrf\"":         "of",
		"effect = \"e\"\n[[deviation]]\nid = 1": "id",
	} {
		_, err := Parse("x.toml", []byte(entry+more))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "x.toml:") {
			t.Errorf("%s: %v, want %q", more, err, want)
		}
	}
}

func TestAPageShowsTheEntryWithItsTable(t *testing.T) {
	f, err := Parse("x.toml", []byte(entry+"[[deviation.table]]\nmeasured = \"m\"\nhead = [\"x\", \"y\"]\nrows = "+
		"[[\"1\", \"`2`\"]]\n"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "# Deviations\n\n\n\n| entry | in one line |\n|---|---|\n| [a](#a-b-c) | d |\n\n## a: b, `c`\n\n" +
		"**Paper:** p [q](x.md)\nr\n\n**Kumiko:** k\n\n**Why:** w\n\n**Measured:** m\n\n| x | y |\n|---|---|\n" +
		"| 1 | `2` |\n"
	if got := string(f.Page()); got != want {
		t.Errorf("%q\nwant %q", got, want)
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

// Numbers stand in tables, so that prose is short.
func TestAnEntryHasAtMostEightLinesOfProse(t *testing.T) {
	all, err := All()
	if err != nil || len(all) < 100 {
		t.Fatalf("%d entries, %v", len(all), err)
	}
	for _, d := range all {
		n := 0
		for _, text := range []string{d.Paper, d.Kumiko, d.Effect, d.Why} {
			if text != "" {
				n += 1 + strings.Count(strings.TrimSpace(text), "\n")
			}
		}
		if n > 8 {
			t.Errorf("%s has %d lines of prose, want at most 8", d.ID, n)
		}
	}
}
