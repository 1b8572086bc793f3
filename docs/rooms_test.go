package docs_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms returns the folders listed in section 1 of the architecture, from the top down.
func rooms(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(data), "## 1. Rooms of the house")
	_, text, ok2 := strings.Cut(text, "```\n")
	text, _, ok3 := strings.Cut(text, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatal("section 1 of the architecture has no list")
	}
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, strings.Fields(line)[0])
	}
	if len(out) < 10 {
		t.Fatalf("only %d rooms are listed", len(out))
	}
	return out
}

// roomOf returns the position in the list of the innermost layer containing a folder, or -1.
func roomOf(list []string, folder string) int {
	for ; folder != "."; folder = path.Dir(folder) {
		if i := slices.Index(list, folder); i >= 0 {
			return i
		}
	}
	return -1
}

func TestNoPackageImportsOneOfARoomAboveItsOwn(t *testing.T) {
	list := rooms(t)
	seen, imports := make([]bool, len(list)), 0
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") {
			return err
		}
		rel, err := filepath.Rel("..", file)
		if err != nil {
			return err
		}
		folder := path.Dir(filepath.ToSlash(rel))
		from := roomOf(list, folder)
		if from < 0 {
			t.Errorf("%s lies in no room that is listed", folder)
			return nil
		}
		seen[from] = true
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			own, ok := strings.CutPrefix(name, "kumiko/")
			if err != nil || !ok {
				continue
			}
			imports++
			if to := roomOf(list, own); to < from {
				t.Errorf("%s imports %s: from %s up to %s", rel, name, list[from], list[max(to, 0)])
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if imports < 1000 {
		t.Errorf("only %d imports were looked at", imports)
	}
	for i, is := range seen {
		if !is {
			t.Errorf("%s is listed and has no Go file", list[i])
		}
	}
}
