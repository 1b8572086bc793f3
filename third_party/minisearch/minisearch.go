// Package minisearch embeds MiniSearch (https://lucaong.github.io/minisearch, MIT), a
// full-text search engine for browsers, as npm delivers the built file. `make assets`
// refreshes the file.
package minisearch

import _ "embed"

// The library, which defines the global MiniSearch, and its licence.
var (
	//go:embed minisearch.js
	Library string
	//go:embed LICENSE.txt
	Licence string
)
