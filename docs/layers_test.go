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

// layers returns the folders listed in section 2 of the architecture, from the top down.
func layers(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(data), "## 2. Packages")
	_, text, ok2 := strings.Cut(text, "```\n")
	text, _, ok3 := strings.Cut(text, "```")
	if !ok || !ok2 || !ok3 {
		t.Fatal("section 2 of the architecture has no list")
	}
	var out []string
	for line := range strings.Lines(text) {
		out = append(out, strings.Fields(line)[0])
	}
	if len(out) < 10 {
		t.Fatalf("only %d folders are listed", len(out))
	}
	return out
}

// layerOf returns the index of the innermost listed folder around a folder, or -1.
func layerOf(list []string, folder string) int {
	for ; folder != "."; folder = path.Dir(folder) {
		if i := slices.Index(list, folder); i >= 0 {
			return i
		}
	}
	return -1
}

func TestNoPackageImportsAHigherLayer(t *testing.T) {
	list := layers(t)
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
		from := layerOf(list, folder)
		if from < 0 {
			t.Errorf("%s lies in no listed folder", folder)
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
			if to := layerOf(list, own); to < from {
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
