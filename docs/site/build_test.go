package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	href = regexp.MustCompile(`(?:href|src)="([^"]+)"`)
	id   = regexp.MustCompile(` id="([^"]+)"`)
)

// Every internal link of the site leads to a file of the site, and to an existing anchor.
func TestEveryLinkOfTheSiteLeadsSomewhere(t *testing.T) {
	out := filepath.Join(t.TempDir(), "site")
	n, err := build("../..", out)
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	err = filepath.WalkDir(out, func(file string, _ os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(file, ".html") {
			var data []byte
			data, err = os.ReadFile(file)
			pages[file] = string(data)
		}
		return err
	})
	if err != nil || len(pages) != n || n < 20 {
		t.Fatalf("%d pages of %d, %v; want all, at least 20", len(pages), n, err)
	}
	links := 0
	for file, text := range pages {
		for _, m := range href.FindAllStringSubmatch(text, -1) {
			name, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(name, "://") || outside(name) {
				continue
			}
			links++
			to := file
			if name != "" {
				to = filepath.Join(filepath.Dir(file), name)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %s: %v", file, m[1], err)
				continue
			}
			if anchor == "" {
				continue
			}
			found := false
			for _, m := range id.FindAllStringSubmatch(pages[to], -1) {
				found = found || m[1] == anchor
			}
			if !found {
				t.Errorf("%s: %s: no such heading", file, m[1])
			}
		}
	}
	if links < 500 {
		t.Errorf("%d links, want at least 500", links)
	}
}

// outside reports whether a link leads to a file of the project other than a document.
func outside(name string) bool {
	return strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".cff") || strings.HasSuffix(name, "/") ||
		!strings.Contains(filepath.Base(name), ".") && name != ""
}

func TestNothingIsLeftOfASiteThatCannotBeMade(t *testing.T) {
	dir := t.TempDir()
	if _, err := build(filepath.Join(dir, "nowhere"), filepath.Join(dir, "site")); err == nil {
		t.Fatal("a site of nothing was made")
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}
