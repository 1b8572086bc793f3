// Package docs has those of the project's documents that programs show.
package docs

import _ "embed"

// Deviations is the register of deviations from the papers, in Markdown.
//
//go:embed deviations.md
var Deviations string
