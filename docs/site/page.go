package main

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"kumiko/docs"
)

// page is a document and its page of the site.
type page struct {
	source   string // path from the root, with slashes
	target   string // path from the root of the site, with slashes
	title    string
	body     template.HTML
	sections []section
	files    []string // linked files other than documents, by path from the root, with slashes
}

// section is a heading and the text up to the next heading.
type section struct {
	level  int // 1 to 6; 0 before the first heading
	title  string
	anchor string
	text   string
}

// read converts the documents of the root, of docs and of the folders of docs.
func read(root string) ([]*page, error) {
	files, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(root, folder), func(file string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && filepath.Ext(file) == ".md" {
				files = append(files, file)
			}
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	var pages []*page
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
	if len(pages) == 0 {
		return nil, fmt.Errorf("%s has no documents", root)
	}
	return pages, nil
}

// convert reads a document. Its headings get the anchors of forges (docs.Anchor), the targets of links between
// documents.
func convert(source, file string) (*page, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(html.WithUnsafe())) // the documents are ours; parts of them are folded
	doc := md.Parser().Parse(text.NewReader(data), parser.WithContext(parser.NewContext(parser.WithIDs(&slugs{}))))
	p := &page{source: source, target: target(source), title: source, sections: []section{{}}}
	err = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			id, _ := n.AttributeString("id")
			anchor, _ := id.([]byte)
			s := section{level: n.Level, title: plain(n, data), anchor: string(anchor)}
			if n.Level == 1 && p.title == source {
				p.title = s.title
			}
			p.sections = append(p.sections, s)
			return ast.WalkContinue, nil
		case *ast.Link:
			if file := linkedFile(source, string(n.Destination)); file != "" {
				p.files = append(p.files, file)
			}
			n.Destination = []byte(rewritten(string(n.Destination)))
		}
		if n.Type() == ast.TypeBlock && n.Kind() != ast.KindHeading && leaf(n) {
			p.sections[len(p.sections)-1].text += plain(n, data) + "\n"
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
	p.body = template.HTML(unbroken(b.String()))
	return p, nil
}

var (
	codeSpan = regexp.MustCompile(`(<pre>)?<code>[^<]*</code>`)
	option   = regexp.MustCompile(`(^|[\s>])(--?[A-Za-z][\w-]*)`)
)

// unbroken marks the options in code within text, because browsers break lines behind the hyphens of --option.
func unbroken(body string) string {
	return codeSpan.ReplaceAllStringFunc(body, func(s string) string {
		if strings.HasPrefix(s, "<pre>") {
			return s
		}
		return option.ReplaceAllString(s, `$1<span class="option">$2</span>`)
	})
}

// leaf reports whether a block contains no other block.
func leaf(n ast.Node) bool {
	c := n.FirstChild()
	return c == nil || c.Type() != ast.TypeBlock
}

// plain returns the text of a node without its markup.
func plain(n ast.Node, data []byte) string {
	var b strings.Builder
	if n.Type() == ast.TypeBlock && n.FirstChild() == nil {
		b.Write(n.Lines().Value(data))
	}
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(data))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// contents returns links to the headings of the second level.
func (p *page) contents() []entry {
	var out []entry
	for _, s := range p.sections {
		if s.level == 2 {
			out = append(out, entry{Title: s.title, Link: "#" + s.anchor})
		}
	}
	return out
}

// target returns the place of a document's page: README.md becomes the index of its folder.
func target(source string) string {
	if path.Base(source) == "README.md" {
		return path.Join(path.Dir(source), "index.html")
	}
	return strings.TrimSuffix(source, ".md") + ".html"
}

// linkedFile returns the path from the root of a linked file of the project, or "" for other links and for documents.
func linkedFile(source, link string) string {
	file, _, _ := strings.Cut(link, "#")
	if file == "" || strings.Contains(file, "://") || path.Ext(file) == ".md" || strings.HasSuffix(file, "/") {
		return ""
	}
	return path.Join(path.Dir(source), file)
}

// rewritten replaces a link to a document by a link to its page.
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

// slugs gives headings the anchors that forges give them.
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
