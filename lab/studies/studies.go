// Package studies has the studies of the published designs: a program that imports it knows them by name.
package studies

import (
	"embed"

	"kumiko/study"
)

//go:embed *.toml
var files embed.FS

func init() { study.AddBuiltin(files) }
