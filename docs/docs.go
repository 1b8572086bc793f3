// Package docs has the documents shown by programs.
package docs

import (
	"embed"
	"regexp"
	"strings"
)

// Deviations has the register of deviations from the papers, in Markdown: deviations/README.md and one file per paper.
//
//go:embed deviations/*.md
var Deviations embed.FS

var unslug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// Anchor returns the name that forges give a heading, for links.
func Anchor(heading string) string {
	return strings.ReplaceAll(unslug.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}
