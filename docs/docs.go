// Package docs has what programs share about the documents.
package docs

import (
	"regexp"
	"strings"
)

var unslug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

// Anchor returns the name that forges give a heading, for links.
func Anchor(heading string) string {
	return strings.ReplaceAll(unslug.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}
