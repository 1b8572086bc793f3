// Package vega embeds the built files of Vega, Vega-Lite and Vega-Embed
// (https://vega.github.io, BSD 3-clause; LICENSES.txt has the licences of what
// they contain). They are as npm delivers them; `make assets` refreshes them.
package vega

import _ "embed"

// The libraries, to be loaded in this order.
var (
	//go:embed vega.min.js
	Vega string
	//go:embed vega-lite.min.js
	Lite string
	//go:embed vega-embed.min.js
	Embed string
	//go:embed LICENSES.txt
	Licences string
)
