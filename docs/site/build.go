package main

import (
	"bytes"
	_ "embed"
	"errors"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
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
	if err := copyPictures(root, dir); err != nil {
		return 0, err
	}
	if err := os.RemoveAll(out); err != nil {
		return 0, err
	}
	return len(pages), os.Rename(dir, out)
}

// entry is a link to a page in the navigation.
type entry struct {
	Title, Link string
	Here        bool
}

// block is a group of the navigation with its links.
type block struct {
	Title   string
	Entries []entry
	Open    bool // the present page is one of Entries
}

// write writes the file of a page. Of the first page, before is the page itself; of the
// last page, after is.
func write(dir string, p *page, groups []group, before, after *page) error {
	up := strings.Repeat("../", strings.Count(p.target, "/"))
	var nav []block
	for _, g := range groups {
		b := block{Title: g.title}
		for _, o := range g.pages {
			b.Entries = append(b.Entries, entry{o.title, up + o.target, o == p})
			b.Open = b.Open || o == p
		}
		nav = append(nav, b)
	}
	data := map[string]any{"Title": p.title, "Body": p.body, "Nav": nav, "Contents": p.contents(), "Up": up}
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
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		to := filepath.Join(dir, rel)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o666)
	})
}
