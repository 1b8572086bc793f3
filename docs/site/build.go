package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"kumiko/docs"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// page is a document on its way to HTML.
type page struct {
	source string // from the root, with slashes
	target string // of the site
	title  string
	body   template.HTML
}

// entry is a line of the navigation.
type entry struct {
	Title, Link string
	Here        bool
}

// build makes the site and returns its number of pages. It is made beside its place and moved
// there when it is whole.
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
	order := navigation(root, pages)
	for _, p := range pages {
		if err := write(dir, p, order); err != nil {
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

// read makes HTML of every document: those of the root, of docs, and of folders in docs.
func read(root string) ([]*page, error) {
	var pages []*page
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			rel, err := filepath.Rel(root, file)
			if err != nil {
				return nil, err
			}
			p, err := convert(filepath.ToSlash(rel), file)
			if err != nil {
				return nil, err
			}
			pages = append(pages, p)
		}
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s has no documents", root)
	}
	return pages, nil
}

// convert reads a document. Headings get the names that forges give them, which links
// within the documents use.
func convert(source, file string) (*page, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	doc := md.Parser().Parse(text.NewReader(data), parser.WithContext(parser.NewContext(parser.WithIDs(&slugs{}))))
	p := &page{source: source, target: target(source), title: source}
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Heading:
			if entering && n.Level == 1 && p.title == source {
				p.title = string(n.Lines().Value(data))
			}
		case *ast.Link:
			if entering {
				n.Destination = []byte(rewritten(string(n.Destination)))
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := md.Renderer().Render(&b, data, doc); err != nil {
		return nil, err
	}
	p.body = template.HTML(b.String())
	return p, nil
}

// target is where the page of a document lies. The page of a folder's README.md is its index.html.
func target(source string) string {
	if path.Base(source) == "README.md" {
		return path.Join(path.Dir(source), "index.html")
	}
	return strings.TrimSuffix(source, ".md") + ".html"
}

// rewritten is a link to a document as one to its page.
func rewritten(link string) string {
	file, anchor, found := strings.Cut(link, "#")
	if strings.Contains(file, "://") || path.Ext(file) != ".md" {
		return link
	}
	file = target(file)
	if found {
		file += "#" + anchor
	}
	return file
}

var listed = regexp.MustCompile(`\[[^\]]*\]\(([^)#\s]+\.md)\)`)

// navigation is the order of the pages: README.md, what it lists among its documents, and the
// others. The pages of a folder follow its README.md.
func navigation(root string, pages []*page) []*page {
	rank := map[string]int{"README.md": 1}
	data, _ := os.ReadFile(filepath.Join(root, "README.md"))
	_, list, _ := strings.Cut(string(data), "\n## Documents")
	for _, m := range listed.FindAllStringSubmatch(list, -1) {
		if rank[m[1]] == 0 {
			rank[m[1]] = len(rank) + 1
		}
	}
	order := slices.Clone(pages)
	slices.SortStableFunc(order, func(a, b *page) int {
		return place(rank, a) - place(rank, b)
	})
	return order
}

func place(rank map[string]int, p *page) int {
	if n := rank[p.source]; n > 0 {
		return n
	}
	if dir := path.Dir(p.source); dir != "." && rank[dir+"/README.md"] > 0 {
		return rank[dir+"/README.md"]
	}
	return 1 << 20
}

// write makes the file of a page.
func write(dir string, p *page, order []*page) error {
	up := strings.Repeat("../", strings.Count(p.target, "/"))
	var list []entry
	for _, o := range order {
		list = append(list, entry{o.title, up + o.target, o == p})
	}
	var b bytes.Buffer
	err := pageTemplate.Execute(&b, map[string]any{"Title": p.title, "Body": p.body, "Pages": list})
	if err != nil {
		return err
	}
	file := filepath.Join(dir, filepath.FromSlash(p.target))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o666)
}

// copyPictures copies what the documents show: files of docs that are no documents and no
// programs.
func copyPictures(root, dir string) error {
	docs := filepath.Join(root, "docs")
	return filepath.WalkDir(docs, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == "site" {
				return filepath.SkipDir
			}
			return nil
		}
		if ext := filepath.Ext(file); ext == ".md" || ext == ".go" {
			return nil
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
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

// slugs names headings as forges do.
type slugs struct{ used map[string]int }

// Generate implements parser.IDs.
func (s *slugs) Generate(value []byte, _ ast.NodeKind) []byte {
	if s.used == nil {
		s.used = map[string]int{}
	}
	name := docs.Anchor(string(value))
	n := s.used[name]
	s.used[name]++
	if n > 0 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	return []byte(name)
}

// Put implements parser.IDs.
func (s *slugs) Put([]byte) {}
