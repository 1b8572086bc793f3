//go:build !quick

package main

import (
	"kumiko/cmd/kumiko/command"
	"kumiko/cmd/kumiko/extras"
)

// extra are the services that take long to compile. The tag quick leaves them out, for a first look (make run).
var extra = []command.Extra{extras.SVG, extras.Parquet, extras.Man}
