// Package docs has the documents shown by programs.
package docs

import _ "embed"

// Deviations is the register of deviations from the papers, in Markdown.
//
//go:embed deviations.md
var Deviations string
