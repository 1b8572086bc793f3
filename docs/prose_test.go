package docs_test

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var relative = regexp.MustCompile(`\b(that|which|whose|those|what)\b`)

// prose counts the words of comments, and the relative words among them.
type prose struct{ words, relative int }

func (p prose) percent() float64 { return 100 * float64(p.relative) / float64(max(1, p.words)) }

// add counts the comment lines of a Go file.
func (p *prose) add(text string) {
	for line := range strings.Lines(text) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok || strings.HasPrefix(comment, "go:") {
			continue
		}
		p.words += len(strings.Fields(comment))
		p.relative += len(relative.FindAllString(comment, -1))
	}
}

// The bounds are in relative words per 100 words of comments. Go's standard library and Akita have 1.1.
func TestCommentsHaveFewRelativeWords(t *testing.T) {
	var all prose
	by := map[string]*prose{}
	goFiles(t, func(file string, text []byte) {
		dir := path.Dir(filepath.ToSlash(file))
		if strings.HasSuffix(file, "_test.go") || strings.Contains(dir, "third_party") ||
			strings.HasPrefix(path.Base(file), "mock_") {
			return
		}
		if by[dir] == nil {
			by[dir] = &prose{}
		}
		by[dir].add(string(text))
		all.add(string(text))
	})
	if all.words < 100_000 {
		t.Fatalf("%d words of comments were found, want at least 100,000", all.words)
	}
	if got := all.percent(); got > 1.5 {
		t.Errorf("%.2f relative words per 100 in %d words of comments, want at most 1.5", got, all.words)
	}
	for dir, p := range by {
		if p.words > 300 && p.percent() > 2.5 {
			t.Errorf("%s: %.2f relative words per 100 in %d words of comments, want at most 2.5", dir, p.percent(),
				p.words)
		}
	}
}
