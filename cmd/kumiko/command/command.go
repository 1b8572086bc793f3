// Package command is the program kumiko, for the main packages of other modules. A main package importing this
// package and a register-file design of its own is a kumiko with the additional design. `kumiko new design` writes
// such a module.
package command

import (
	"os"

	"github.com/tebeka/atexit"

	"kumiko/cmd/kumiko/internal/cli"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/study"
)

// Extras are the services that a program may have beside the usual ones.
type Extras = cli.Extras

// Extra adds a service to the program: a function of package extras, or one of your own.
type Extra = func(*Extras)

// StudyHost is what a further command of kumiko study gets from the program.
type StudyHost = study.Host

// Main runs the command line of the process and exits.
func Main(extras ...Extra) {
	p := cli.App{New: app.Assemble, Version: app.Version(), Stdout: os.Stdout, Stderr: os.Stderr}
	for _, add := range extras {
		add(&p.Extras)
	}
	// Akita's tracers write their buffered data when atexit runs.
	atexit.Exit(p.Main(os.Args[1:]))
}
