package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/cmd/kumiko/internal/cli/views"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/diagnose"
)

// runFlags are the flags of kumiko run.
type runFlags struct {
	gpu       *config.Request
	program   programs.Flags
	check     bool
	out       string
	json      string
	workers   int
	maxCycles uint64
	limits    programs.ExecutionLimits
	detail    bool
	views     views.Flags
	record    views.Record
	energy    energyFlag
	perturb   int
	sample    sampleFlags

	checkpoint checkpointFlags
	app        *application // of kumiko exec
}

func Command(a *app.App) *cobra.Command { return resumedCommand(a, nil) }

// resumedCommand returns the command run of a resumed run, or of a new one if r is nil.
func resumedCommand(a *app.App, r *resumed) *cobra.Command {
	c := &cobra.Command{
		Use:   "run PROGRAM",
		Short: "Run a program on a simulated GPU",
		Long: `Run a program on a simulated GPU and report cycles, instructions per cycle and statistics.

PROGRAM is the name of a built-in benchmark (kumiko list benchmarks), a file of code (.ptx, .cu, .cubin, .sass),
which needs --launch, a recorded application (.kumiko, kumiko capture), or a folder of Accel-Sim traces with a
kernelslist.g. A .cu file is CUDA C++; clang compiles it (kumiko compile). A .cubin or .sass file is machine code of
NVIDIA's assembler, the latter as nvdisasm -hex lists it.

Exit status: 0 done, 1 a check failed, 2 bad input, 3 the simulation stopped by itself, 4 a fault of
Kumiko, 130 interrupted.`,
		Example: `  kumiko run sgemm --gpu fermi --design rfc
  kumiko run sgemm --set sm.count=4 --json result.json
  kumiko run saxpy.cu --launch saxpy.toml --out results
  kumiko run ./traces --detail`,
	}
	f := runFlags{gpu: app.GPUFlags(c), checkpoint: checkpointFlags{resumed: r}}
	c.Args = func(c *cobra.Command, args []string) error {
		if err := nameless(c); err != nil {
			return err // in --profile --json FILE the first flag takes the second, and leaves FILE over
		}
		if f.checkpoint.resume != "" && r == nil {
			return nil // the run has its own
		}
		return app.Exactly("PROGRAM")(c, args)
	}
	f.program.Add(c)
	f.addSimulation(c)
	c.Flags().StringVar(&f.out, "out", "",
		"write result.json and the buffers that the launch file saves to this folder")
	f.record.Add(c)
	f.energy.add(c)
	c.Flags().IntVar(&f.perturb, "perturb", 0,
		"repeat the run this many times, each with another perturbation, and report the interval of the results")
	f.checkpoint.add(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if f.checkpoint.resume != "" && r == nil {
			return resume(a, c, args, &f)
		}
		f.checkpoint.follow()
		if err := f.verify(c); err != nil {
			return err
		}
		return run(a.Heed(c), a, args[0], &f)
	}
	return c
}

// nameless refuses flags for files and folders without a name.
func nameless(c *cobra.Command) error {
	return app.Nameless(c, "json", "html", "out", "timeline", "konata", "profile", "akita-trace", "launch-results",
		"record", "checkpoint", "resume", "energy")
}

// addSimulation adds the flags of the simulation and its result, for programs of any kind.
func (f *runFlags) addSimulation(c *cobra.Command) {
	c.Flags().BoolVar(&f.check, "check", false, "check that every operand is the newest value written")
	c.Flags().StringVar(&f.json, "json", "",
		"write the result as JSON to this file; -: to standard output, and nothing else there")
	c.Flags().BoolVar(&f.detail, "detail", false,
		"print CPI stacks, warp states, register banks and crossbars, and the distribution of the operand latency")
	c.Flags().IntVar(&f.workers, "workers", runtime.GOMAXPROCS(0),
		"number of simulating goroutines; the result does not depend on it")
	c.Flags().Lookup("workers").DefValue = "one per processor"
	f.views.Add(c)
	c.Flags().Uint64Var(&f.maxCycles, "max-cycles", 0, "stop a launch after this many core cycles; 0: never")
	f.limits.Add(c)
	f.sample.add(c)
}

// verify refuses wrong or conflicting flags.
func (f *runFlags) verify(c *cobra.Command) error {
	if f.workers < 1 {
		return fmt.Errorf("--workers %d: expected at least 1", f.workers)
	}
	if err := f.limits.Check(); err != nil {
		return err
	}
	if f.program.Command != nil { // kumiko exec has no program flags
		if err := f.program.Limits.Check(); err != nil {
			return err
		}
	}
	if err := app.CheckPerturb(f.perturb); err != nil {
		return err
	}
	if err := cmp.Or(f.sample.check(c, f), f.checkpoint.check(c, f), f.views.Launches.Check(f.sample.on)); err != nil {
		return err
	}
	if f.json == "-" && f.detail {
		return errors.New("--detail: found together with --json -, which prints nothing else")
	}
	return nil
}

// run simulates and reports. It writes the result, as far as there is one, even if the simulation stops or is
// interrupted.
func run(ctx context.Context, a *app.App, name string, f *runFlags) error {
	f.gpu.Perturbed = f.perturb > 0
	if err := programs.MatchCode(f.gpu, name); err != nil {
		return err
	}
	cfg, err := configured(*f.gpu)
	if err != nil {
		return err
	}
	p, err := open(a, cfg, name, f)
	if err != nil {
		return err
	}
	show := app.NewReporter(a.Stderr)
	opt := gpus.Options{Context: ctx, Check: f.check, Workers: f.workers, MaxCycles: f.maxCycles,
		Limits: f.limits.Limits, Progress: show.Report, Sample: f.sample.spec()}
	f.app.options(&opt)
	defer f.views.Close()
	if err := f.views.Open(&opt); err != nil {
		return err
	}
	defer f.record.Drop()
	if err := f.record.Start(name, &opt); err != nil {
		return err
	}
	var launches *programs.Hashing
	if opt.Checkpoints, err = checkpoints(a, cfg, f, func() string { return launches.String() }); err != nil {
		return err
	}
	m, err := assembled(a, cfg, opt)
	if err != nil {
		return diagnose.Explain(*f.gpu, err, diagnose.Flags)
	}
	if err := chargeable(a, &f.energy, m); err != nil {
		return err
	}
	launches = programs.NewHashing(m, m.Memory(), show.Launched)
	if f.app != nil {
		f.app.attach(cfg, m)
	}
	if err := f.views.Attach(ctx, m, a.Notes()); err != nil {
		return err
	}
	res, err := simulate(a, cfg, p, m, launches, show)
	res.Checked = f.check
	return conclude(ctx, a, &concluded{cfg, m, p, res, name, opt}, f, err)
}

// assembled returns the machine, assembled without collections of garbage: the heap doubles several times, and hardly
// any of it is garbage.
func assembled(a *app.App, cfg *config.Config, opt gpus.Options) (app.Machine, error) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	return a.New(cfg, opt)
}

// configured reads the configuration of a machine that can hold CTAs.
func configured(r config.Request) (*config.Config, error) {
	cfg, err := config.Load(r)
	if err != nil {
		return nil, diagnose.Explain(r, err, diagnose.Flags)
	}
	return cfg, diagnose.Holds(r, cfg)
}

// open opens a program runnable on the configuration, and refuses outputs that cannot be written.
func open(a *app.App, cfg *config.Config, name string, f *runFlags) (programs.Program, error) {
	if err := checkSeed(cfg, f); err != nil {
		return nil, err
	}
	var p programs.Program = f.app
	if f.app == nil {
		var err error
		if p, err = f.program.Open(name); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(f.outputs(name, p).Check(), f.energy.open(cfg)); err != nil {
		return nil, err
	}
	if err := f.prepare(p); err != nil {
		return nil, err
	}
	if t, ok := p.(*programs.Traces); ok {
		if err := t.Fit(cfg, t.Warn); err != nil {
			return nil, err
		}
	}
	if len(p.Saves()) > 0 && f.out == "" {
		fmt.Fprintln(a.Notes(), "note: the launch file saves buffers, but without --out nothing is kept")
	}
	return p, nil
}

// outputs returns the files and folders read and written by a run.
func (f *runFlags) outputs(name string, p programs.Program) *app.Outputs {
	o := &app.Outputs{}
	o.Reads(name, "the program")
	o.Reads(f.program.Launch, "--launch "+f.program.Launch)
	for _, m := range p.Modules() {
		o.Reads(m, "a module of --launch "+f.program.Launch)
	}
	o.Reads(f.gpu.GPU, "--gpu "+f.gpu.GPU)
	o.Reads(f.energy.table, "--energy "+f.energy.table)
	for _, x := range []struct{ flag, file string }{{"json", f.json}, {"html", f.views.HTML.File},
		{"timeline", f.views.Timeline.File}, {"konata", f.views.Timeline.Konata},
		{"profile", f.views.Timeline.Profile},
		{"akita-trace", f.views.Akita.File}, {"launch-results", f.views.Launches.File}} {
		if x.file != "-" {
			o.File(x.file, "--"+x.flag+" "+x.file)
		}
	}
	if f.out != "" {
		o.Folder(f.out, "--out "+f.out)
		o.File(filepath.Join(f.out, resultFile), "the "+resultFile+" of --out "+f.out)
		for _, s := range p.Saves() {
			o.File(filepath.Join(f.out, s.Path), fmt.Sprintf("%s: the saved file %s", s.Pos, s.Path))
		}
	}
	if d := f.checkpoint.dir; d != "" {
		o.Folder(d, "--checkpoint "+d)
		o.File(filepath.Join(d, checkpointFile), "the file "+checkpointFile+" of --checkpoint "+d)
	}
	if f.record.Dir != "" {
		o.Folder(f.record.Dir, "--record "+f.record.Dir)
		o.Traces = f.record.Dir
	}
	return o
}

// resultFile is the result's name under --out.
const resultFile = "result.json"

// prepare checks, before anything runs, that the outputs can be written.
func (f *runFlags) prepare(p programs.Program) error {
	if f.out != "" {
		if err := os.MkdirAll(f.out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if err := app.Place(filepath.Join(f.out, resultFile)); err != nil {
			return fmt.Errorf("--out %s: %s: %w", f.out, resultFile, err)
		}
		for _, s := range p.Saves() {
			if info, err := os.Stat(filepath.Join(f.out, s.Path)); err == nil && info.IsDir() {
				return fmt.Errorf("%s: cannot write %s: is a folder", s.Pos, filepath.Join(f.out, s.Path))
			}
		}
	}
	if err := f.views.Prepare(); err != nil {
		return err
	}
	if f.json == "-" {
		return nil
	}
	return app.PlaceOf("--json", f.json)
}
