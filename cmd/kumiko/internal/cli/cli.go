package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/compile"
	"kumiko/cmd/kumiko/internal/cli/diff"
	"kumiko/cmd/kumiko/internal/cli/inspect"
	"kumiko/cmd/kumiko/internal/cli/list"
	"kumiko/cmd/kumiko/internal/cli/occupancy"
	"kumiko/cmd/kumiko/internal/cli/probe"
	"kumiko/cmd/kumiko/internal/cli/run"
	"kumiko/cmd/kumiko/internal/cli/skeleton"
	"kumiko/cmd/kumiko/internal/cli/study"
	"kumiko/cmd/kumiko/internal/cli/traces"
	"kumiko/gpus"
	"kumiko/gpus/config"
)

// App is the program.
type App struct {
	// New assembles a GPU. If New is nil, commands that simulate are not offered.
	New func(*config.Config, gpus.Options) (app.Machine, error)
	// Version is the version of the simulator in results and records.
	Version        string
	Stdout, Stderr io.Writer
	Extras
}

// Extras are services that a program may have beside the usual ones.
type Extras struct {
	app.Extras
	// Study makes further commands of kumiko study.
	Study []func(*study.Host) *cobra.Command
}

// Main runs the program with the arguments after the program's name. It returns the exit status.
func (p *App) Main(args []string) int {
	a := app.App{New: p.New, Version: p.Version, Stdout: p.Stdout, Stderr: p.Stderr, Extras: p.Extras.Extras}
	return a.Main(args, func(a *app.App) *cobra.Command { return root(a, p.Study) })
}

// root returns the root command with all commands of the program.
func root(a *app.App, studies []func(*study.Host) *cobra.Command) *cobra.Command {
	var commands []*cobra.Command
	if a.New != nil {
		commands = append(commands, run.Command(a), run.ExecCommand(a))
	}
	commands = append(commands, list.Command(a), inspect.Command(a), occupancy.Command(a), study.Command(a, studies),
		skeleton.Command(a), compile.Command(a), compile.NVCCCommand(a), run.CaptureCommand(a), run.EmulateCommand(a),
		traces.Command(a), probe.Command(a), diff.Command(a), versionCommand(a))
	if a.Man != nil {
		commands = append(commands, manCommand(a))
	}
	return app.Root(a, commands...)
}

func versionCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  app.Exactly(),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(a.Text(), "kumiko", a.Version)
			return err
		},
	}
}
