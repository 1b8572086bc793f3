package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/internal/nearest"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/study"
	"kumiko/study/report"
)

// Exit statuses.
const (
	Done        = 0
	CheckFailed = 1
	BadInput    = 2
	Stopped     = 3
	Internal    = 4 // a fault of Kumiko
	Interrupted = 130
)

// App is the program.
type App struct {
	// New assembles a GPU. If New is nil, commands that simulate are not offered.
	New func(*config.Config, gpus.Options) (Machine, error)
	// Version is the version of the simulator in results and records.
	Version        string
	Stdout, Stderr io.Writer
	// Extras are services with libraries that take long to compile.
	Extras

	interruption *interruption // of the running command
	args         []string      // of the command
	begun        time.Time     // the command
	resumed      *resumed      // nil: the command begins
}

// Extras are services of a program that it may leave out. Its other services are whole without them.
type Extras struct {
	// Drawer returns the drawer of figures as files; nil: figures are drawn by the browser that shows their page.
	Drawer func() (report.Drawer, error)
	// Parquet writes records as a Parquet file; nil: the format is not offered.
	Parquet func(io.Writer, []*study.Record) error
	// Evidence judges studies in reports; nil: reports show measurements alone.
	Evidence report.Evidence
	// Study makes further commands of kumiko study.
	Study []func(*StudyHost) *cobra.Command
	// Man writes the man pages of a command and its sub-commands into a folder; nil: the command man is not offered.
	Man func(root *cobra.Command, version, dir string) error
}

// heed returns the context of a command that checks it. An interrupt then ends the command in an orderly way.
func (a *App) heed(c *cobra.Command) context.Context {
	a.interruption.heeded.Store(true)
	return c.Context()
}

// Main runs the program with the arguments after the program's name. It returns the exit status.
func (a *App) Main(args []string) int {
	a.interruption = &interruption{}
	ctx, stop := a.interruption.catch(context.Background())
	defer stop()
	out := &checked{w: a.Stdout}
	own := *a
	own.Stdout, own.args, own.begun = out, args, time.Now()
	root := own.root()
	root.SetArgs(args)
	err := withoutNUL(args)
	if err == nil {
		err = execute(ctx, root)
	}
	err = out.failure(err)
	if err != nil {
		err = groupError(err)
		for _, line := range strings.Split(strings.TrimRight(err.Error(), "\n"), "\n") {
			fmt.Fprintln(a.notes(), line)
		}
		a.reportInternal(err, args)
	}
	return status(err)
}

// execute runs a command. A panic becomes the error, an *ir.InternalError.
func execute(ctx context.Context, root *cobra.Command) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = ir.Internal(&ir.Kernel{File: "kumiko"}, nil, p)
		}
	}()
	return root.ExecuteContext(ctx)
}

// reportInternal prints the text needed to report an internal error, if err is one.
func (a *App) reportInternal(err error, args []string) {
	var fault *ir.InternalError
	if !errors.As(err, &fault) {
		return
	}
	command := make([]string, len(args))
	for i, arg := range args {
		command[i] = strconv.Quote(arg)
	}
	fmt.Fprintf(a.notes(), "this is a fault of Kumiko %s, not of the input. Please report the command and this text:\n"+
		"kumiko %s\n%s", a.Version, strings.Join(command, " "), fault.Stack)
}

// failure is an error with an exit status of its own.
type failure struct {
	status int
	msg    string
}

func (f *failure) Error() string { return f.msg }

func status(err error) int {
	var f *failure
	var check *host.CheckError
	var stop *gpus.StopError
	var fault *ir.InternalError
	switch {
	case err == nil:
		return Done
	case errors.As(err, &fault):
		return Internal
	case errors.As(err, &f):
		return f.status
	case errors.As(err, &check), errors.As(err, &stop) && stop.Check:
		return CheckFailed
	case errors.As(err, &stop):
		return Stopped
	case errors.Is(err, gpus.ErrInterrupted):
		return Interrupted
	}
	return BadInput
}

func (a *App) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "kumiko",
		Short: "Cycle-level GPU simulator",
		Long:  "Kumiko is a cycle-level GPU simulator with a detailed model of the register file.",
		Example: `  kumiko run sgemm
  kumiko study run quick
  kumiko run --help`,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          noCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.Version = a.Version
	root.SetVersionTemplate("kumiko {{.Version}}\n")
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.SetFlagErrorFunc(flagError)
	if a.New != nil {
		root.AddCommand(a.runCommand(), a.execCommand())
	}
	root.AddCommand(a.listCommand(), a.inspectCommand(), a.occupancyCommand(), a.studyCommand(), a.newCommand(),
		a.compileCommand(), a.nvccCommand(), a.emulateCommand(),
		a.tracesCommand(), a.probeCommand(),
		a.versionCommand())
	if a.Man != nil {
		root.AddCommand(a.manCommand())
	}
	ownTopics(root)
	completed(root)
	helpful(root)
	return root
}

// ownTopics adds cobra's commands help and completion, with our errors for names that they do not know.
func ownTopics(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Short = "Write the script that completes names in a shell"
			c.Args = noCommand
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() }
		case "help":
			c.Args = func(_ *cobra.Command, args []string) error {
				if of, left, err := root.Find(args); err != nil {
					return noCommand(root, args)
				} else if len(left) > 0 {
					return noCommand(of, left)
				}
				return nil
			}
		}
	}
}

func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, s := range c.Commands() {
		if s.IsAvailableCommand() {
			names = append(names, s.Name())
		}
	}
	return fmt.Errorf("unknown command %q; expected one of %s%s", args[0], strings.Join(names, ", "),
		nearest.Hint(args[0], names))
}

// exactly requires the named arguments, no more and no fewer.
func exactly(names ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) < len(names) {
			return fmt.Errorf("%s: %s is missing; usage: %s", c.CommandPath(), names[len(args)], c.UseLine())
		}
		if len(args) > len(names) {
			return fmt.Errorf("%s: unexpected argument %q; usage: %s", c.CommandPath(), args[len(names)], c.UseLine())
		}
		return nil
	}
}

// format adds a --format flag.
func format(c *cobra.Command, names ...string) *string {
	f := c.Flags().String("format", names[0], "output format: "+strings.Join(names, ", "))
	_ = c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	before(c, func() error {
		if slices.Contains(names, *f) {
			return nil
		}
		return fmt.Errorf("--format %s: expected %s", *f, strings.Join(names, " or "))
	})
	return f
}

// gpuFlags adds the flags to choose a configuration.
func gpuFlags(c *cobra.Command) *config.Request {
	r := &config.Request{}
	c.Flags().StringVar(&r.GPU, "gpu", "gtx980", "GPU: a built-in name (kumiko list gpus) or a TOML file")
	c.Flags().StringVar(&r.Design, "design", "",
		"register-file design: a preset (kumiko list designs), or several as A+B; default: that of the GPU")
	c.Flags().StringArrayVar(&r.Set, "set", nil, "set a parameter, key=value (kumiko list params); repeatable")
	before(c, func() error { return setOnce(r.Set) })
	return r
}

// before makes a command run a check first.
func before(c *cobra.Command, check func() error) {
	inner := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if err := check(); err != nil || inner == nil {
			return err
		}
		return inner(c, args)
	}
}
