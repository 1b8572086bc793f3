package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kumiko/docs"
)

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	fence   = regexp.MustCompile("(?ms)^```.*?^```$")
)

// anchors returns the anchors of a page, as code-hosting sites derive them from headings.
func anchors(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
		out[docs.Anchor(m[1])] = true
	}
	return out
}

// documents returns the files of all documents.
func documents(t *testing.T) []string {
	t.Helper()
	var pages []string
	for _, pattern := range []string{"../*.md", "*.md", "*/*.md", "../lab/*.md", "../lab/docs/*.md",
		"../lab/docs/*/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, files...)
	}
	return pages
}

func TestEveryLinkWithinTheDocumentsLeadsSomewhere(t *testing.T) {
	pages := documents(t)
	links := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fence.ReplaceAllString(string(text), ""), -1) {
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				continue
			}
			links++
			target := page
			if file != "" {
				target = filepath.Join(filepath.Dir(page), file)
			}
			info, err := os.Stat(target)
			if err != nil {
				t.Errorf("%s: a link to %s: %v", page, m[1], err)
				continue
			}
			if anchor == "" || info.IsDir() {
				continue
			}
			to, err := os.ReadFile(target)
			if err != nil {
				t.Fatal(err)
			}
			if !anchors(string(to))[anchor] {
				t.Errorf("%s: a link to %s: no such heading there", page, m[1])
			}
		}
	}
	if links < 60 {
		t.Errorf("only %d links were looked at", links)
	}
}

func TestAnAnchorIsTheHeadingInSmallLettersWithoutSigns(t *testing.T) {
	got := anchors("# A page\n## 1. Parts of the house\n```\n# no heading\n```\n### `run --json`, *and* more\n")
	for _, want := range []string{"a-page", "1-parts-of-the-house", "run---json-and-more"} {
		if !got[want] {
			t.Errorf("no anchor %q in %v", want, got)
		}
	}
	if len(got) != 3 {
		t.Errorf("anchors %v, want 3", got)
	}
}

var goFile = regexp.MustCompile(`\b[a-z][\w-]*(?:/[\w-]+)+\.go\b`)

func TestEveryGoFileNamedByPathInADocumentExists(t *testing.T) {
	named := 0
	for _, page := range documents(t) {
		if page == "tutorial.md" {
			continue // it names files that the reader writes
		}
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range goFile.FindAllString(string(text), -1) {
			named++
			if _, err := os.Stat(filepath.Join("..", name)); err != nil {
				t.Errorf("%s: %s: no such file", page, name)
			}
		}
	}
	if named < 50 {
		t.Errorf("%d files were found, want at least 50", named)
	}
}
