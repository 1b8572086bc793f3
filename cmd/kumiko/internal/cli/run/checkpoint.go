package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus"
	"kumiko/gpus/config"
)

// checkpointFlags are the flags for checkpoints of a run.
type checkpointFlags struct {
	dir    string
	every  time.Duration
	resume string

	resumed *resumed // nil: the run begins
}

func (f *checkpointFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.dir, "checkpoint", "",
		"keep the run's state in this folder now and then, and when it is interrupted, so that --resume can go on")
	c.Flags().DurationVar(&f.every, "checkpoint-every", 10*time.Minute, "with --checkpoint: how often")
	c.Flags().StringVar(&f.resume, "resume", "",
		"go on, in this folder, with the run whose state is in it; its program and flags are those of the run")
}

// follow makes a resumed run write its checkpoints into the folder of --resume. This folder may be a copy of the
// folder named in the checkpoint's command.
func (f *checkpointFlags) follow() {
	if r := f.resumed; r != nil && !r.moves {
		f.dir = r.dir
	}
}

// check refuses conflicting flags.
func (f *checkpointFlags) check(c *cobra.Command, run *runFlags) error {
	if f.dir == "" {
		if c.Flags().Changed("checkpoint-every") {
			return errors.New("--checkpoint-every: found without --checkpoint DIR, expected with it")
		}
		return nil
	}
	if f.every <= 0 {
		return fmt.Errorf("--checkpoint-every %v: expected more than 0s", f.every)
	}
	if run.perturb > 0 {
		return errors.New("--checkpoint: found together with --perturb, which is many runs")
	}
	for _, name := range []string{"record", "timeline", "konata", "profile", "akita-trace", "launch-results",
		"monitor"} {
		if c.Flags().Changed(name) {
			return fmt.Errorf("--checkpoint: found together with --%s, of which nothing is kept", name)
		}
	}
	return nil
}

// sweep removes unfinished checkpoints of killed runs.
func (f *checkpointFlags) sweep() {
	left, _ := filepath.Glob(filepath.Join(f.dir, "."+checkpointFile+".*")) // the pattern is right
	for _, name := range left {
		os.Remove(name)
	}
}

// resumed is a run resumed from a checkpoint.
type resumed struct {
	header *checkpoint
	state  io.ReadCloser
	dir    string
	moves  bool // a flag sets another folder for further checkpoints
}

// resume resumes the run of the checkpoint in a folder. It repeats the run's command with further flags appended.
func resume(a *app.App, c *cobra.Command, args []string, f *runFlags) error {
	if len(args) > 0 {
		return fmt.Errorf("--resume %s: found PROGRAM %s, expected none: the run has its own", f.checkpoint.resume,
			args[0])
	}
	h, state, err := openCheckpoint(f.checkpoint.resume)
	if err != nil {
		return fmt.Errorf("--resume: %w", err)
	}
	defer state.Close()
	if h.Version != a.Version {
		return fmt.Errorf("--resume %s: found a state written by kumiko %s, expected one by this build, %s",
			f.checkpoint.resume, h.Version, a.Version)
	}
	if here, err := os.Getwd(); err != nil || here != h.Directory {
		return fmt.Errorf("--resume %s: the run was begun in %s, and its files are relative to that, "+
			"expected to be run there",
			f.checkpoint.resume, h.Directory)
	}
	if err := checkCommand(a, h.Args); err != nil {
		return fmt.Errorf("--resume %s: %w", f.checkpoint.resume, err)
	}
	own := *a
	own.Args = append(slices.Clone(h.Args), resumedArgs(a.Args)...)
	root := app.Root(&own, resumedCommand(&own, &resumed{header: h, state: state, dir: f.checkpoint.resume,
		moves: c.Flags().Changed("checkpoint")}))
	root.SetArgs(own.Args)
	return root.ExecuteContext(c.Context())
}

// checkCommand refuses the command of a checkpoint unless it is a run with checkpoints.
func checkCommand(a *app.App, args []string) error {
	wrong := func(why string) error {
		return fmt.Errorf("found the command %q, expected that of a run with --checkpoint: %s", args, why)
	}
	if err := app.WithoutNUL(args); err != nil {
		return wrong(err.Error())
	}
	if len(args) == 0 || args[0] != "run" {
		return wrong("it does not begin with run")
	}
	run := Command(a)
	run.InitDefaultHelpFlag()
	if err := run.ParseFlags(args[1:]); err != nil {
		return wrong(err.Error())
	}
	if n := run.Flags().NArg(); n != 1 {
		return wrong(fmt.Sprintf("it has %d programs", n))
	}
	for _, flag := range []string{"help", "resume"} {
		if run.Flags().Changed(flag) {
			return wrong("it has --" + flag)
		}
	}
	if !run.Flags().Changed("checkpoint") {
		return wrong("it has no --checkpoint")
	}
	return nil
}

// resumedArgs returns the arguments that a command which resumes a run has beside "run" and --resume.
func resumedArgs(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		switch name := args[i]; {
		case i == 0:
		case name == "--resume":
			i++
		case len(name) > 9 && name[:9] == "--resume=":
		default:
			out = append(out, name)
		}
	}
	return out
}

// checkpoints makes a machine save its state, and start from the state of a resumed run.
func checkpoints(a *app.App, cfg *config.Config, f *runFlags, fingerprint func() string) (*gpus.Checkpoints, error) {
	if f.checkpoint.dir == "" {
		return nil, nil
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	h := checkpoint{Format: checkpointFormat, Version: a.Version, Directory: here, Args: a.Args, Config: cfg.Hash(),
		Settings: fmt.Sprintf("--check=%v --max-cycles %d, limits %+v", f.check, f.maxCycles, f.limits.Limits)}
	dir := f.checkpoint.dir
	f.checkpoint.sweep()
	last, lacking := time.Now(), false
	out := &gpus.Checkpoints{
		Due: func() bool { return time.Since(last) >= f.checkpoint.every },
		Keep: func(at gpus.Point, write func(io.Writer) error) error {
			h.At, h.Fingerprint = &at, fingerprint()
			err := h.write(dir, write)
			last = time.Now()
			if !ofSystem(err) {
				lacking = false
				return err
			}
			if !lacking {
				fmt.Fprintf(a.Notes(), "warning: --checkpoint: %v; the run goes on, and the checkpoint before stays\n",
					err)
			}
			lacking = true
			return nil
		},
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("--checkpoint: %w", err)
	}
	if r := f.checkpoint.resumed; r != nil {
		if err := copyCheckpoint(r.dir, dir); err != nil {
			return nil, err
		}
		out.From, err = r.restart(&h, fingerprint, a.Notes())
		return out, err
	}
	return out, h.write(dir, nil)
}

// ofSystem reports whether an error comes from the operating system, such as that of a full disk. It says nothing
// about the run.
func ofSystem(err error) bool {
	var number syscall.Errno
	return errors.As(err, &number)
}

// restart returns the point to resume from. It refuses a state of another run.
func (r *resumed) restart(now *checkpoint, fingerprint func() string, notes io.Writer) (*gpus.Restart, error) {
	h := r.header
	if now.Config != h.Config {
		return nil, fmt.Errorf("--resume %s: found the state of a GPU of configuration %s, expected %s: something of "+
			"it has changed", r.dir, digits(h.Config), digits(now.Config))
	}
	if now.Settings != h.Settings {
		return nil, fmt.Errorf("--resume %s: found a run with %s, expected %s", r.dir, h.Settings, now.Settings)
	}
	if h.At == nil {
		return nil, nil
	}
	fmt.Fprintf(notes, "note: goes on at launch %d, kernel %s, cycle %d; what is before that is executed again, and "+
		"not simulated\n", h.At.Launch+1, h.At.Kernel, h.At.Cycle)
	return &gpus.Restart{Point: *h.At, State: r.state, Executed: func() error {
		if got := fingerprint(); got != h.Fingerprint {
			return fmt.Errorf("--resume %s: found another program than the one whose state it is: its files have "+
				"changed", r.dir)
		}
		return nil
	}}, nil
}

// digits returns the first digits of a hash.
func digits(hash string) string { return hash[:min(len(hash), 12)] }

// settle removes the checkpoint of a complete run, and shows the user how to resume an incomplete one.
func settle(ctx context.Context, a *app.App, f *checkpointFlags, complete bool) error {
	switch {
	case f.dir == "":
		return nil
	case complete:
		err := os.Remove(filepath.Join(f.dir, checkpointFile))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	case ctx.Err() != nil:
		fmt.Fprintf(a.Notes(), "note: kumiko run --resume %s goes on\n", f.dir)
	}
	return nil
}
