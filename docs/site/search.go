package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/dop251/goja"

	"kumiko/third_party/minisearch"
)

// record is a section in the search index.
type record struct {
	ID      int    `json:"id"`
	Page    string `json:"page"`
	Title   string `json:"title"`
	Link    string `json:"link"`
	Text    string `json:"text"`
	Excerpt string `json:"excerpt"`
}

// excerptRunes bounds the beginning of a section shown with a search result.
const excerptRunes = 160

// searchOptions are the options of the index. MiniSearch wants the same options when the
// index is loaded. The library's own tokenizer names classes of Unicode, which the
// interpreter does not know.
const searchOptions = `{fields: ["title", "text", "page"], storeFields: ["title", "page", "link", "excerpt"],
  tokenize: function(s) { return s.split(/[^0-9A-Za-z_\u00c0-\uffff]+/); },
  searchOptions: {boost: {title: 3, page: 2}, prefix: true, fuzzy: 0.15, combineWith: "AND"}}`

// searchIndex returns a script with MiniSearch and the index of all sections. The index
// is made here, so that a browser only reads it.
func searchIndex(pages []*page) (string, error) {
	data, err := json.Marshal(records(pages))
	if err != nil {
		return "", err
	}
	vm := goja.New()
	if _, err := vm.RunScript("minisearch.js", "var self = this, globalThis = this;\n"+minisearch.Library); err != nil {
		return "", fmt.Errorf("minisearch: %w", err)
	}
	if err := vm.Set("data", string(data)); err != nil {
		return "", err
	}
	index, err := vm.RunString(`var index = new MiniSearch(` + searchOptions + `);
index.addAll(JSON.parse(data));
JSON.stringify(JSON.stringify(index))`)
	if err != nil {
		return "", fmt.Errorf("the search index: %w", err)
	}
	library, _, _ := strings.Cut(minisearch.Library, "//# sourceMappingURL")
	return "/* MiniSearch:\n" + minisearch.Licence + "*/\n" + library +
		"\nvar kumikoIndex = MiniSearch.loadJSON(" + index.String() + ", " + searchOptions + ");\n", nil
}

// records returns the sections with a text or a heading.
func records(pages []*page) []record {
	var out []record
	for _, p := range pages {
		for _, s := range p.sections {
			text := strings.Join(strings.Fields(s.text), " ")
			if text == "" && s.title == "" {
				continue
			}
			r := record{ID: len(out), Page: p.title, Title: s.title, Link: p.target, Text: text, Excerpt: text}
			if s.anchor != "" {
				r.Link += "#" + s.anchor
			}
			if r.Title == "" {
				r.Title = p.title
			}
			if short := []rune(text); len(short) > excerptRunes {
				r.Excerpt = string(short[:excerptRunes]) + " ..."
			}
			out = append(out, r)
		}
	}
	return out
}
