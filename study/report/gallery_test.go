package report

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"kumiko/internal/page/svg"
	"kumiko/study"
	"kumiko/study/query"
)

// With KUMIKO_UPDATE_GALLERY set, the pictures are written instead of compared.
func TestTheGalleryShowsWhatItsExamplesDraw(t *testing.T) {
	const folder = "../../docs"
	text, err := os.ReadFile(filepath.Join(folder, "figures.md"))
	if err != nil {
		t.Fatal(err)
	}
	examples := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllSubmatch(text, -1)
	if len(examples) != 5 {
		t.Fatalf("%d examples, want one for each kind", len(examples))
	}
	d, err := svg.New()
	if err != nil {
		t.Fatal(err)
	}
	const head = "name = \"t\"\n[groups]\na = [\"bfs\"]\n[[variant]]\nname = \"v\"\ngpu = \"gtx980\"\n"
	for _, e := range examples {
		s := mustParse(t, "figures.md", append([]byte(head), e[1]...))
		f := mustFigure(t, query.New(study.NewData(s, nil)), &s.Figures[0])
		f.Spec["background"] = "#fff" // a reader's page may be dark
		got, err := d.Draw(f.Spec)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(folder, "figures", f.ID+".svg")
		if os.Getenv("KUMIKO_UPDATE_GALLERY") != "" {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is not what its example draws (%v); KUMIKO_UPDATE_GALLERY=1 writes it", file, err)
		}
	}
}

// An author of a study finds no key left out of the document.
func TestTheGalleryNamesEveryKey(t *testing.T) {
	text, err := os.ReadFile("../../docs/figures.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []any{study.Figure{}, study.Axis{}, study.Series{}, study.Mark{}, study.Table{}, study.Column{}} {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(x)) {
			if key := f.Tag.Get("toml"); key != "" && !strings.Contains(string(text), "`"+key+"`") {
				t.Errorf("%s of %T is not named", key, x)
			}
		}
	}
}
