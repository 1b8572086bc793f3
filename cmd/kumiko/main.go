// Kumiko simulates GPUs cycle by cycle. See `kumiko help`.
package main

import (
	"os"

	"github.com/tebeka/atexit"

	"kumiko/cmd/kumiko/internal/cli"
)

func main() {
	app := cli.App{New: cli.Assemble, Version: cli.Version(), Stdout: os.Stdout, Stderr: os.Stderr}
	// Akita's tracers write what they hold when atexit runs.
	atexit.Exit(app.Main(os.Args[1:]))
}
