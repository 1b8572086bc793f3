package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kumiko/internal/page/pagetest"
)

// pageOf runs a command that writes a page, and returns the page's path.
func pageOf(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	file := filepath.Join(dir, name)
	writing(t, append(args, file)...)
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
	return file
}

// On a phone tables of many columns scroll in their boxes.
func TestPagesFitOnAPhoneAndOnPaper(t *testing.T) {
	if testing.Short() {
		t.Skip("the pages of a study and of three runs in a browser")
	}
	dir := t.TempDir()
	records := filepath.Join(dir, "records")
	of := []string{"quick", "--size", "test", "--waves", "0", "--dir", records}
	writing(t, append([]string{"study", "run"}, of...)...)
	a := pageOf(t, dir, "a.json", "run", "vecadd", "--size", "test", "--json")
	b := pageOf(t, dir, "b.json", "run", "vecadd", "--size", "test", "--design", "rfc", "--json")
	pages := []string{
		pageOf(t, dir, "run.html", "run", "hotspot", "--size", "test", "--window", "0:1000", "--html"),
		pageOf(t, dir, "diff.html", "diff", a, b, "--html"),
		pageOf(t, dir, "study.html", append(append([]string{"study", "report"}, of...), "-o")...),
	}
	got := pagetest.Examine(t, pages, ".scroll, .lanes, .figure, .chart-wrapper")
	if got.Figures < 10 {
		t.Errorf("%d figures were drawn, want at least 10", got.Figures)
	}
	for _, w := range append(got.Wrong, got.Desk...) {
		t.Error(strings.ReplaceAll(w, dir+"/", ""))
	}
	phone := pagetest.OnAPhone(t, pages...)
	if phone.Tables < 10 || phone.Wide == 0 {
		t.Errorf("%d tables, %d of them wide, want at least 10 and 1", phone.Tables, phone.Wide)
	}
	for _, w := range phone.Wrong {
		t.Error(strings.ReplaceAll(w, dir+"/", ""))
	}
	for _, w := range phone.Figures {
		if strings.Contains(w, "of each register bank") || strings.Contains(w, "of each operand crossbar") {
			t.Errorf("a map is wider than a phone: %s", w)
		}
	}
	if least := pagetest.SmallestText(t, pages[2], 390); least < 10.9 {
		t.Errorf("the smallest text of the study's figures has %.1f px, want at least 11", least)
	}
}
