package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/study/record"
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
	Args         []string      // of the command
	Begun        time.Time     // the command
}

// Extras are services that a program may leave out. Nothing else in it depends on them.
type Extras struct {
	// Drawer returns the drawer of figures as files; nil: figures are drawn by the browser that shows their page.
	Drawer func() (report.Drawer, error)
	// Parquet writes records as a Parquet file; nil: the format is not offered.
	Parquet func(io.Writer, []*record.Record) error
	// Evidence judges studies in reports; nil: reports show measurements alone.
	Evidence report.Evidence
	// Man writes the man pages of a command and its sub-commands into a folder; nil: the command man is not offered.
	Man func(root *cobra.Command, version, dir string) error
}

// Heed returns the context of a command that checks it. An interrupt then ends the command in an orderly way.
func (a *App) Heed(c *cobra.Command) context.Context {
	a.interruption.heeded.Store(true)
	return c.Context()
}

// Main runs the program with the arguments after the program's name. root makes the root command. Main returns the exit
// status.
func (a *App) Main(args []string, root func(*App) *cobra.Command) int {
	a.interruption = &interruption{}
	ctx, stop := a.interruption.catch(context.Background())
	defer stop()
	out := &checked{w: a.Stdout}
	own := *a
	own.Stdout, own.Args, own.Begun = out, args, time.Now()
	c := root(&own)
	c.SetArgs(args)
	err := WithoutNUL(args)
	if err == nil {
		err = execute(ctx, c)
	}
	err = out.failure(err)
	if err != nil {
		err = groupError(err)
		for _, line := range strings.Split(strings.TrimRight(err.Error(), "\n"), "\n") {
			fmt.Fprintln(a.Notes(), line)
		}
		a.reportInternal(err, args)
	}
	return Status(err)
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
	fmt.Fprintf(a.Notes(), "this is a fault of Kumiko %s, not of the input. Please report the command and this text:\n"+
		"kumiko %s\n%s", a.Version, strings.Join(command, " "), fault.Stack)
}

// failure is an error with an exit status of its own.
type failure struct {
	status int
	msg    string
}

func (f *failure) Error() string { return f.msg }

// WithStatus returns an error with an exit status of its own.
func WithStatus(status int, msg string) error { return &failure{status, msg} }

func Status(err error) int {
	var f *failure
	var check *host.CheckError
	var stopped *stop.Error
	var fault *ir.InternalError
	switch {
	case err == nil:
		return Done
	case errors.As(err, &fault):
		return Internal
	case errors.As(err, &f):
		return f.status
	case errors.As(err, &check), errors.As(err, &stopped) && stopped.Check:
		return CheckFailed
	case errors.As(err, &stopped):
		return Stopped
	case errors.Is(err, stop.ErrInterrupted):
		return Interrupted
	}
	return BadInput
}
