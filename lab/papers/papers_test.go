package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kumiko/lab/claims"
)

// The committed pages are those that the committed records make today. Where golden results have moved, a page says so,
// and is another one.
func TestTheCommittedPagesAreThoseOfTheCommittedRecords(t *testing.T) {
	if testing.Short() {
		t.Skip("drawing every figure takes half a minute")
	}
	root := filepath.Join("..", "..")
	files, err := pages(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		got, err := os.ReadFile(filepath.Join(root, out, name))
		if err != nil || !bytes.Equal(got, files[name]) {
			t.Errorf("%s is not what its records make (%v); make papers writes it", name, err)
		}
	}
	var committed int64
	err = filepath.Walk(filepath.Join(root, out), func(file string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		name, err := filepath.Rel(filepath.Join(root, out), file)
		if err != nil {
			return err
		}
		if strings.HasPrefix(name, "records") {
			committed += info.Size()
		} else if files[filepath.ToSlash(name)] == nil {
			t.Errorf("%s: no page has this file", file)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if committed > 6<<20 { // a clone of the project should stay small
		t.Errorf("the records take %d bytes, expected at most 6 MB", committed)
	}
}

func TestAPlaceInAPaperIsFoundHoweverItIsWritten(t *testing.T) {
	for text, want := range map[string][]string{
		"7.2, Fig 10":               {"figure 10"},
		"IV.C, Table III":           {"table III"},
		"Figures 12, 13 and 14":     {"figure 12", "figure 13", "figure 14"},
		"Figures 6 to 8":            {"figure 6", "figure 7", "figure 8"},
		"VI.G.2, Fig 18(b)":         {"figure 18"},
		"Figures 9 and 10, table 4": {"figure 10", "figure 9", "table 4"},
		"abstract, 6.1":             nil,
	} {
		if got := slices.Sorted(maps.Keys(places(text))); !slices.Equal(got, want) {
			t.Errorf("%q: found %q, want %q", text, got, want)
		}
	}
}

func TestAClaimStandsAtTheFigureThatItNames(t *testing.T) {
	list := []claims.Outcome{{ID: "a", Claim: &claims.Claim{Where: "7.2, Fig 9"}},
		{ID: "b", Claim: &claims.Claim{Where: "7.2, Fig 10"}}, {ID: "c", Claim: &claims.Claim{Where: "9"}}}
	got := about(list, "Figures 9 and 11")
	if len(got) != 1 || got[0].ID != "a" {
		t.Errorf("found %v", got)
	}
}

func TestTheDigestOfGoldenResultsChangesWithACycleOfTheStudysGPUsAlone(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "tools/golden/testdata/golden.txt")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	digest := func(text string) string {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		sum, err := golden(root, []string{"fermi"})
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	first := digest("# fermi rfc\natax 5 aa\n# gtx980 rfc\natax 6 bb\n")
	if again := digest("# fermi rfc\natax 5 cc\n# gtx980 rfc\natax 7 bb\n"); again != first {
		t.Error("another GPU, or a digest of statistics, changed it")
	}
	if moved := digest("# fermi rfc\natax 6 aa\n"); moved == first {
		t.Error("a cycle did not change it")
	}
}

func TestATableKeepsBarsAndLinesWithinTheirCells(t *testing.T) {
	var b bytes.Buffer
	p := &paper{}
	p.judged(&b, []*claims.Outcome{{ID: "x", Theirs: "a|b", Ours: "c\nd", Verdict: claims.Within, Counted: true,
		Claim: &claims.Claim{What: "e_f"}}}, map[string]bool{})
	if want := "| x: e\\_f | a\\|b | c<br>d | **within** |\n"; !strings.Contains(b.String(), want) {
		t.Errorf("found %s, want %s", b.String(), want)
	}
}
