package docs_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	columns = 120 // of a line; a tab counts as four
	lines   = 400 // of a file
)

// Struct tags and raw strings cannot be wrapped: lines with one may be longer.
func TestNoLineOfGoHasMoreThan120Columns(t *testing.T) {
	goFiles(t, func(file string, text []byte) {
		raw := rawLines(text)
		for i, line := range strings.Split(string(text), "\n") {
			if n := width(line); n > columns && !raw[i+1] {
				t.Errorf("%s:%d: found %d columns, expected at most %d", file, i+1, n, columns)
			}
		}
	})
}

func TestNoFileOfGoHasMoreThan400Lines(t *testing.T) {
	goFiles(t, func(file string, text []byte) {
		if n := strings.Count(string(text), "\n"); n > lines {
			t.Errorf("%s: found %d lines, expected at most %d", file, n, lines)
		}
	})
}

// goFiles reads every Go file of the project.
func goFiles(t *testing.T, read func(file string, text []byte)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, ".go") {
			return err
		}
		files++
		text, err := os.ReadFile(file)
		if err == nil {
			read(file, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d Go files were looked at", files)
	}
}

// width returns the width of a line in columns.
func width(line string) int {
	return len([]rune(line)) + 3*strings.Count(line, "\t")
}

// rawLines returns the lines containing a part of a raw string.
func rawLines(text []byte) map[int]bool {
	var s scanner.Scanner
	files := token.NewFileSet()
	file := files.AddFile("", files.Base(), len(text))
	s.Init(file, text, nil, 0)
	lines := map[int]bool{}
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok != token.STRING || lit[0] != '`' {
			continue
		}
		from := file.Line(pos)
		for n := range strings.Count(lit, "\n") + 1 {
			lines[from+n] = true
		}
	}
}
