package run

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/cmd/kumiko/internal/cudart"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/result"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/kernel/launch"
)

func ExecCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "exec [FLAGS] -- APPLICATION [ARGUMENTS]",
		Short: "Run a CUDA application on a simulated GPU",
		Long: `Run a CUDA application, compiled by kumiko nvcc, on a simulated GPU.

The application runs as a process of its own, and its standard output is its own. Its launches are simulated on the GPU
and the design of the flags. At the end, the result of all launches follows on standard error, as kumiko run has it.
Without kumiko exec, the same application runs on an emulated GPU without time.

Exit status: that of the application, 128 and the number of the signal that ended it, or, where a launch could not be
simulated, 2, 3 or 4 as of kumiko run, 130 interrupted. A line on standard error names the reason.`,
		Example: `  kumiko exec -- ./bfs graph.txt
  kumiko exec --gpu fermi --design rfc --json bfs.json -- ./bfs graph.txt`,
	}
	f := runFlags{gpu: app.GPUFlags(c)}
	c.Args = app.AtLeast("APPLICATION")
	f.addSimulation(c)
	f.energy.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := app.Nameless(c, "json", "html", "timeline", "konata", "profile", "akita-trace",
			"energy"); err != nil {
			return err
		}
		if f.json == "-" {
			return errors.New("--json -: standard output is the application's, expected a file")
		}
		if err := f.verify(c); err != nil {
			return err
		}
		return simulateApplication(a.Heed(c), a, args, &f)
	}
	return c
}

// simulateApplication runs an application and reports on standard error.
func simulateApplication(ctx context.Context, a *app.App, args []string, f *runFlags) error {
	return programs.InTemporary(ctx, func(dir string) error {
		running, cancel := context.WithCancel(ctx)
		defer cancel()
		f.app = &application{ctx: ctx, dir: dir, args: args}
		f.app.Application = cudart.Application{Args: args, Stdin: os.Stdin, Stdout: app.Plain(a.Stdout),
			Stderr: a.Stderr, Cancel: cancel}
		own := *a
		own.Stdout = a.Stderr
		err := run(running, &own, args[0], f)
		end := &f.app.end
		switch {
		case errors.Is(err, stop.ErrInterrupted) && ctx.Err() == nil: // by the end of the application
			return app.WithStatus(end.Status, "the application "+end.Text+" during a launch")
		case err != nil && end.Text != "":
			fmt.Fprintf(a.Notes(), "the application %s, and its simulation failed:\n", end.Text)
			return err
		case err != nil || end.Status == 0:
			return err
		}
		return app.WithStatus(end.Status, "the application "+end.Text)
	})
}

// application is a CUDA application as a program of the simulator.
type application struct {
	cudart.Application
	ctx     context.Context // of the command
	dir     string
	args    []string
	cfg     *config.Config
	machine app.Machine
	printf  cudart.Output
	clock   cudart.Clock
	end     cudart.Ended
}

// attach gives the application its GPU.
func (p *application) attach(cfg *config.Config, m app.Machine) { p.cfg, p.machine = cfg, m }

// Name implements host.Program.
func (p *application) Name() string { return p.args[0] }

// Run implements host.Program.
func (p *application) Run(d *host.Device) (err error) {
	g := cudart.GPU{Config: p.cfg, Runner: d.Runner, Memory: d.Mem, Printf: &p.printf, Timed: true,
		Sync: p.machine.Sync, Time: p.time}
	p.end, err = p.Application.Run(p.ctx, g, p.dir)
	return err
}

// time returns the simulated time in nanoseconds at which launches had ended (cudart.GPU.Time).
func (p *application) time(first int, launches []int) uint64 {
	cycles := p.clock.Ended(first, launches)
	if first == p.clock.Launches() && len(launches) == 0 {
		// The launches are unknown, so this is the sum over all rows of the result, the only place that has the
		// estimated cycles of launches left out by sampling.
		cycles = 0
		for _, k := range p.machine.Results() {
			cycles += k.Cycles
		}
	}
	return cycles * 1000 / uint64(p.cfg.SM.ClockMHz)
}

func (p *application) Expect(error) []result.Expect { return nil }
func (p *application) Compiler() string             { return "" }
func (p *application) Modules() []string            { return nil }
func (p *application) Saves() []launch.Save         { return nil }
func (p *application) Save(string) error            { return nil }

// options sets what an application needs of a run.
func (p *application) options(opt *gpus.Options) {
	if p != nil {
		opt.Printf, opt.Launched = &p.printf, p.clock.Add
	}
}

func EmulateCommand(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:    "emulate",
		Short:  "Be the GPU of a CUDA application that runs without kumiko exec",
		Hidden: true,
		Args:   app.NoCommand,
	}
	c.RunE = func(*cobra.Command, []string) error {
		cfg, err := config.Load(config.Request{GPU: "gtx980"})
		if err != nil {
			return err
		}
		return cudart.Emulate(cfg)
	}
	return c
}
