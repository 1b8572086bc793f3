package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// door is one of the parts of the documents: a heading of the second level of docs/README.md.
type door struct {
	title, intro string
	first        *page // nil for a door without pages
}

// group is a part of the navigation: a heading of docs/README.md and the documents listed below.
type group struct {
	door  *door // nil for the pages before all doors
	title string
	pages []*page
}

var listed = regexp.MustCompile(`\[[^\]]*\]\(([^)#\s]+\.md)\)`)

// navigation returns the groups of docs/README.md, door by door. README.md and docs/README.md come before the first
// door. A document that no group lists stands behind the first listed document of its folder, or else behind the groups
// of the first door.
func navigation(root string, pages []*page) ([]group, error) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "README.md"))
	if err != nil {
		return nil, fmt.Errorf("the list of documents: %w", err)
	}
	b := builder{by: map[string]*page{}, pages: pages, groups: []group{{}}}
	for _, p := range pages {
		b.by[p.source] = p
	}
	b.place("README.md")
	b.place("docs/README.md")
	for line := range strings.Lines(string(data)) {
		b.line(strings.TrimSpace(line))
	}
	return b.rest(), nil
}

// builder builds the groups from the lines of docs/README.md.
type builder struct {
	by     map[string]*page // documents without a place, by source
	pages  []*page
	groups []group
	door   *door // the present one; nil before the first
}

// place adds a document to the last group.
func (b *builder) place(source string) {
	p := b.by[source]
	if p == nil {
		return
	}
	g := &b.groups[len(b.groups)-1]
	g.pages = append(g.pages, p)
	if g.door != nil && g.door.first == nil {
		g.door.first = p
	}
	delete(b.by, source)
}

// line takes a line of docs/README.md: a heading, a list of documents, or the text below a heading.
func (b *builder) line(text string) {
	if title, ok := strings.CutPrefix(text, "## "); ok {
		b.door = &door{title: title}
		b.groups = append(b.groups, group{door: b.door})
		return
	}
	if b.door == nil {
		return // the introduction
	}
	if title, ok := strings.CutPrefix(text, "### "); ok {
		b.groups = append(b.groups, group{door: b.door, title: title})
		return
	}
	links := listed.FindAllStringSubmatch(text, -1)
	if len(links) == 0 && b.door.first == nil {
		b.door.intro = strings.TrimSpace(b.door.intro + " " + text)
	}
	for _, m := range links {
		source := path.Join("docs", m[1])
		b.place(source)
		if path.Base(source) == "README.md" {
			b.beside(source)
		}
	}
}

// beside places the documents in the folder of a document.
func (b *builder) beside(source string) {
	for _, p := range b.pages {
		if path.Dir(p.source) == path.Dir(source) {
			b.place(p.source)
		}
	}
}

// rest places the remaining documents behind the groups of the first door, and returns the groups with documents.
func (b *builder) rest() []group {
	at := len(b.groups)
	for i, g := range b.groups {
		if g.door != nil && g.door == b.groups[min(1, len(b.groups)-1)].door {
			at = i + 1
		}
	}
	behind := b.groups[at:]
	b.groups = append(b.groups[:at:at], group{door: b.groups[at-1].door, title: "Other"})
	for _, p := range b.pages {
		b.place(p.source)
	}
	filled := b.groups[:0:0]
	for _, g := range append(b.groups, behind...) {
		if len(g.pages) > 0 {
			filled = append(filled, g)
		}
	}
	return filled
}

// doors returns the doors with pages, in order.
func doors(groups []group) []*door {
	var out []*door
	for _, g := range groups {
		if g.door != nil && (len(out) == 0 || out[len(out)-1] != g.door) {
			out = append(out, g.door)
		}
	}
	return out
}

// flat returns the pages of all groups in order.
func flat(groups []group) []*page {
	var out []*page
	for _, g := range groups {
		out = append(out, g.pages...)
	}
	return out
}
