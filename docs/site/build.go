package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	style string
	//go:embed page.js
	script string

	pageTemplate = template.Must(template.New("page").Parse(pageText))
)

// build writes the site and returns the number of pages. The site is written to a
// temporary folder and moved to out when complete; out is replaced.
func build(root, out string) (int, error) {
	if err := os.MkdirAll(filepath.Dir(out), 0o777); err != nil {
		return 0, err
	}
	dir, err := os.MkdirTemp(filepath.Dir(out), ".site.*")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	pages, err := read(root)
	if err != nil {
		return 0, err
	}
	groups, err := navigation(root, pages)
	if err != nil {
		return 0, err
	}
	index, err := searchIndex(pages)
	if err != nil {
		return 0, err
	}
	for name, text := range map[string]string{"page.css": style, "page.js": script, "search.js": index} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return 0, err
		}
	}
	order := flat(groups)
	for i, p := range order {
		if err := write(dir, p, groups, order[max(i-1, 0)], order[min(i+1, len(order)-1)]); err != nil {
			return 0, err
		}
	}
	if err := errors.Join(copyPictures(root, dir), copyLinked(root, dir, pages)); err != nil {
		return 0, err
	}
	if err := os.RemoveAll(out); err != nil {
		return 0, err
	}
	return len(pages), os.Rename(dir, out)
}

// entry is a link to a page in the navigation.
type entry struct {
	Title, Link, Intro string
	Here               bool
}

// block is a group of the navigation with its links.
type block struct {
	Title   string
	Entries []entry
}

// write writes the file of a page. Of the first page, before is the page itself; of the last page, after is. The
// navigation has the pages before all doors, and those of the page's own door or of the first.
func write(dir string, p *page, groups []group, before, after *page) error {
	up := strings.Repeat("../", strings.Count(p.target, "/"))
	all := doors(groups)
	var own *door
	for _, g := range groups {
		if slices.Contains(g.pages, p) {
			own = g.door
		}
	}
	data := map[string]any{"Title": p.title, "Body": p.body, "Nav": blocks(p, groups, own, up), "Up": up,
		"Contents": p.contents(), "Home": before == p}
	var links []entry
	for _, d := range all {
		links = append(links, entry{Title: d.title, Link: up + d.first.target, Intro: d.intro, Here: d == own})
	}
	data["Doors"] = links
	if before != p {
		data["Before"] = entry{Title: before.title, Link: up + before.target}
	}
	if after != p {
		data["After"] = entry{Title: after.title, Link: up + after.target}
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, data); err != nil {
		return err
	}
	file := filepath.Join(dir, filepath.FromSlash(p.target))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// blocks returns the navigation of a page behind a door. A page before all doors has that of the first door.
func blocks(p *page, groups []group, own *door, up string) []block {
	if all := doors(groups); own == nil && len(all) > 0 {
		own = all[0]
	}
	var nav []block
	for _, g := range groups {
		if g.door != nil && g.door != own {
			continue
		}
		b := block{Title: g.title}
		for _, o := range g.pages {
			b.Entries = append(b.Entries, entry{Title: o.title, Link: up + o.target, Here: o == p})
		}
		nav = append(nav, b)
	}
	return nav
}

// folders are those with documents.
var folders = []string{"docs", "lab"}

// copyPictures copies what documents show beside text: figures, and files to download.
func copyPictures(root, dir string) error {
	for _, folder := range folders {
		if err := copyFolder(root, folder, dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// copyFolder copies the files of a folder within a folder docs other than documents and Go files.
func copyFolder(root, folder, dir string) error {
	return filepath.WalkDir(filepath.Join(root, folder), func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "site" {
				return filepath.SkipDir
			}
			return nil
		}
		if ext := filepath.Ext(file); ext == ".md" || ext == ".go" ||
			!strings.Contains("/"+filepath.ToSlash(rel), "/docs/") {
			return nil
		}
		return copyFile(file, filepath.Join(dir, rel))
	})
}

// copyLinked copies the files that documents link to. Links to folders are left alone.
func copyLinked(root, dir string, pages []*page) error {
	for _, p := range pages {
		for _, file := range p.files {
			from := filepath.Join(root, filepath.FromSlash(file))
			info, err := os.Stat(from)
			if err == nil && info.Mode().IsRegular() && filepath.IsLocal(filepath.FromSlash(file)) {
				err = copyFile(from, filepath.Join(dir, filepath.FromSlash(file)))
			}
			if err != nil {
				return fmt.Errorf("%s: a linked file: %w", p.source, err)
			}
		}
	}
	return nil
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o666)
}
