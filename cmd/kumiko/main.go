// Kumiko simulates GPUs cycle by cycle. See `kumiko help`.
package main

import (
	"kumiko/cmd/kumiko/command"
	"kumiko/cmd/kumiko/extras"
)

func main() { command.Main(extras.SVG, extras.Parquet, extras.Man) }
