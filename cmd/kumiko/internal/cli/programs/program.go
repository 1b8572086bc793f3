package programs

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/benchmarks"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/result"
	"kumiko/internal/nearest"
	"kumiko/kernel/fingerprint"
	"kumiko/kernel/host"
	"kumiko/kernel/launch"
	"kumiko/kernel/mem"
	"kumiko/kernel/recording"
)

// Program is a host program with the checks of its output for the result.
type Program interface {
	host.Program
	// Expect returns the comparisons of a run that ended with err: nil or a *host.CheckError.
	Expect(err error) []result.Expect
	// Compiler returns the compiler that made the program's PTX from CUDA C++; empty: none.
	Compiler() string
	// Modules returns the files named as modules in the program's launch file.
	Modules() []string
	// Saves returns the buffers to keep. save writes them into a folder.
	Saves() []launch.Save
	Save(dir string) error
}

// Flags are the flags to make a program from a PROGRAM argument.
type Flags struct {
	Command   *cobra.Command
	Size      string
	Registers string
	Launch    string
	strict    bool
	Limits    InputLimits
}

func (f *Flags) Add(c *cobra.Command) {
	f.Command = c
	c.Flags().StringVar(&f.Launch, "launch", "",
		"launch file (TOML) for a file of code ("+CodeFiles+"): kernels, buffers, expected output")
	c.Flags().StringVar(&f.Size, "size", "small", "size of a built-in benchmark: test, small, study, large, paper")
	c.Flags().StringVar(&f.Registers, "registers", "",
		"registers per thread that limit residency: natural (the allocator's need), paper (as printed) or a number")
	c.Flags().StringVar(&f.Registers, "max-registers", "", "as --registers")
	_ = c.Flags().MarkHidden("max-registers") // the flag exists
	c.MarkFlagsMutuallyExclusive("registers", "max-registers")
	c.Flags().BoolVar(&f.strict, "strict", false, "refuse traces with opcodes that are unknown or simulated in part")
	f.Limits.Add(c)
}

// Open returns the program of the given name.
func (f *Flags) Open(name string) (Program, error) {
	switch {
	case recording.Is(name):
		return f.openCaptured(name)
	case !IsCode(name) && IsTraces(name):
		return f.openTraces(name)
	case f.strict:
		return nil, fmt.Errorf("--strict: expected together with traces, found the program %q", name)
	case IsCode(name):
		return f.openCode(name)
	}
	if f.Launch != "" {
		return nil, fmt.Errorf("--launch %s: expected together with a file ending in %s, found the program %q",
			f.Launch, CodeFiles, name)
	}
	size, err := benchmarks.ParseSize(f.Size)
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	app, err := benchmarks.Open(name)
	if err != nil {
		return nil, err
	}
	if app == nil {
		return nil, Unknown(name)
	}
	p, err := app.New(size)
	if err != nil {
		return nil, err
	}
	return footprint(&builtinProgram{Program: p, outputs: app.Outputs}, app, f.Registers)
}

func (f *Flags) openCode(name string) (Program, error) {
	if f.Launch == "" {
		return nil, fmt.Errorf("%s: --launch is missing: a %s file needs a launch file that says what to launch",
			name, filepath.Ext(name))
	}
	if f.Command.Flags().Changed("size") {
		return nil, errors.New("--size: expected together with a built-in benchmark; a launch file has its own sizes")
	}
	m, err := ReadCode(f.Command.Context(), name, f.Limits.Launch.PTX, app.NewPrinter(f.Command.ErrOrStderr()))
	if err != nil {
		return nil, err
	}
	p, err := launch.LoadWithin(f.Launch, m.Module, f.Limits.Launch)
	if err != nil {
		return nil, err
	}
	for _, n := range p.Notes() {
		fmt.Fprintln(app.NewPrinter(f.Command.ErrOrStderr()), n)
	}
	return footprint(&launchProgram{Program: p, name: name, by: m.compiler}, nil, f.Registers)
}

func Unknown(name string) error {
	var names []string
	for _, b := range benchmarks.List() {
		names = append(names, b.Name)
	}
	return fmt.Errorf("no program %q; expected a file ending in %s, a folder of traces or one of %s%s", name,
		CodeFiles, strings.Join(names, ", "), nearest.Hint(name, names))
}

// builtinProgram is a benchmark. It checks its own outputs.
type builtinProgram struct {
	host.Program
	outputs []string
}

func (b *builtinProgram) Expect(err error) []result.Expect {
	if bad, ok := errors.AsType[*host.CheckError](err); ok {
		return []result.Expect{{Buffer: bad.Buffer, Mismatches: bad.Mismatches}}
	}
	var out []result.Expect
	for _, o := range b.outputs {
		out = append(out, result.Expect{Buffer: o, OK: true})
	}
	return out
}

func (b *builtinProgram) Compiler() string     { return "" }
func (b *builtinProgram) Modules() []string    { return nil }
func (b *builtinProgram) Saves() []launch.Save { return nil }
func (b *builtinProgram) Save(string) error    { return nil }

// launchProgram is a file of code with its launch file.
type launchProgram struct {
	*launch.Program
	name string
	by   string // the compiler
}

// Name implements host.Program.
func (l *launchProgram) Name() string { return l.name }

func (l *launchProgram) Expect(error) []result.Expect {
	var out []result.Expect
	for _, e := range l.Expects() {
		out = append(out, result.Expect{Buffer: e.Buffer, OK: e.OK, Mismatches: e.Mismatches,
			MaxAbsError: e.MaxAbsError})
	}
	return out
}

func (l *launchProgram) Compiler() string      { return l.by }
func (l *launchProgram) Modules() []string     { return l.Files() }
func (l *launchProgram) Save(dir string) error { return l.WriteSaves(dir) }

// Hashing is a runner that adds the fingerprint of each launch to its sum.
type Hashing struct {
	host.Runner
	*fingerprint.Sum
	before func(kernel string)
}

func NewHashing(r host.Runner, m *mem.Memory, before func(string)) *Hashing {
	return &Hashing{Runner: r, Sum: fingerprint.New(m), before: before}
}

// Launch implements host.Runner.
func (h *Hashing) Launch(l *host.Launch) error {
	h.before(l.Kernel)
	h.Sum.Launch(l)
	return h.Runner.Launch(l)
}
