package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// group is a part of the navigation: a heading of docs/README.md and the documents
// listed below.
type group struct {
	title string
	pages []*page
}

var listed = regexp.MustCompile(`\[[^\]]*\]\(([^)#\s]+\.md)\)`)

// navigation returns the groups of docs/README.md. README.md and docs/README.md stand
// before the groups, without a title. A document that no group lists stands behind the
// first listed document of its folder, and behind all groups if there is none.
func navigation(root string, pages []*page) ([]group, error) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "README.md"))
	if err != nil {
		return nil, fmt.Errorf("the list of documents: %w", err)
	}
	by := map[string]*page{}
	for _, p := range pages {
		by[p.source] = p
	}
	groups := []group{{}}
	place := func(source string) {
		if p := by[source]; p != nil {
			g := &groups[len(groups)-1]
			g.pages = append(g.pages, p)
			delete(by, source)
		}
	}
	place("README.md")
	place("docs/README.md")
	for line := range strings.Lines(string(data)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			groups = append(groups, group{title: strings.TrimSpace(title)})
		}
		if len(groups) == 1 {
			continue // a link of the introduction
		}
		for _, m := range listed.FindAllStringSubmatch(line, -1) {
			source := path.Join("docs", m[1])
			place(source)
			if path.Base(source) == "README.md" {
				for _, p := range pages {
					if path.Dir(p.source) == path.Dir(source) {
						place(p.source)
					}
				}
			}
		}
	}
	groups = append(groups, group{title: "Other"})
	for _, p := range pages {
		place(p.source)
	}
	filled := groups[:0]
	for _, g := range groups {
		if len(g.pages) > 0 {
			filled = append(filled, g)
		}
	}
	return filled, nil
}

// flat returns the pages of all groups in order.
func flat(groups []group) []*page {
	var out []*page
	for _, g := range groups {
		out = append(out, g.pages...)
	}
	return out
}
