package cli

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
)

// program is a host program with the checks of its output for the result.
type program interface {
	host.Program
	// expect returns the comparisons of a run that ended with err: nil or a *host.CheckError.
	expect(err error) []result.Expect
	// compiler returns the compiler that made the program's PTX from CUDA C++; empty: none.
	compiler() string
	// modules returns the files named as modules in the program's launch file.
	modules() []string
	// saves returns the buffers to keep. save writes them into a folder.
	saves() []launch.Save
	save(dir string) error
}

// programFlags are the flags to make a program from a PROGRAM argument.
type programFlags struct {
	command   *cobra.Command
	size      string
	registers string
	launch    string
	strict    bool
	limits    inputLimits
}

func (f *programFlags) add(c *cobra.Command) {
	f.command = c
	c.Flags().StringVar(&f.launch, "launch", "",
		"launch file (TOML) for a .ptx or .cu file: kernels, buffers, expected output")
	c.Flags().StringVar(&f.size, "size", "small", "size of a built-in benchmark: test, small, study, large, paper")
	c.Flags().StringVar(&f.registers, "registers", "",
		"registers per thread that limit residency: natural (the allocator's need), paper (as printed) or a number")
	c.Flags().StringVar(&f.registers, "max-registers", "", "as --registers")
	_ = c.Flags().MarkHidden("max-registers") // the flag exists
	c.MarkFlagsMutuallyExclusive("registers", "max-registers")
	c.Flags().BoolVar(&f.strict, "strict", false, "refuse traces with opcodes that are unknown or simulated in part")
	f.limits.add(c)
}

// open returns the program of the given name.
func (f *programFlags) open(name string) (program, error) {
	switch {
	case filepath.Ext(name) == captured:
		return f.openCaptured(name)
	case !isCode(name) && isTraces(name):
		return f.openTraces(name)
	case f.strict:
		return nil, fmt.Errorf("--strict: expected together with traces, found the program %q", name)
	case isCode(name):
		return f.openCode(name)
	}
	if f.launch != "" {
		return nil, fmt.Errorf("--launch %s: expected together with a .ptx or .cu file, found the program %q", f.launch,
			name)
	}
	size, err := benchmarks.ParseSize(f.size)
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	app, err := benchmarks.Open(name)
	if err != nil {
		return nil, err
	}
	if app == nil {
		return nil, noProgram(name)
	}
	p, err := app.New(size)
	if err != nil {
		return nil, err
	}
	return footprint(&builtinProgram{Program: p, outputs: app.Outputs}, app, f.registers)
}

func (f *programFlags) openCode(name string) (program, error) {
	if f.launch == "" {
		return nil, fmt.Errorf("%s: --launch is missing: a %s file needs a launch file that says what to launch",
			name, filepath.Ext(name))
	}
	if f.command.Flags().Changed("size") {
		return nil, errors.New("--size: expected together with a built-in benchmark; a launch file has its own sizes")
	}
	m, err := readCode(f.command.Context(), name, f.limits.launch.PTX, app.NewPrinter(f.command.ErrOrStderr()))
	if err != nil {
		return nil, err
	}
	p, err := launch.LoadWithin(f.launch, m.Module, f.limits.launch)
	if err != nil {
		return nil, err
	}
	for _, n := range p.Notes() {
		fmt.Fprintln(app.NewPrinter(f.command.ErrOrStderr()), n)
	}
	return footprint(&launchProgram{Program: p, name: name, by: m.compiler}, nil, f.registers)
}

func noProgram(name string) error {
	var names []string
	for _, b := range benchmarks.List() {
		names = append(names, b.Name)
	}
	return fmt.Errorf("no program %q; expected a file ending in .ptx or .cu, a folder of traces or one of %s%s", name,
		strings.Join(names, ", "), nearest.Hint(name, names))
}

// builtinProgram is a benchmark. It checks its own outputs.
type builtinProgram struct {
	host.Program
	outputs []string
}

func (b *builtinProgram) expect(err error) []result.Expect {
	var bad *host.CheckError
	if errors.As(err, &bad) {
		return []result.Expect{{Buffer: bad.Buffer, Mismatches: bad.Mismatches}}
	}
	var out []result.Expect
	for _, o := range b.outputs {
		out = append(out, result.Expect{Buffer: o, OK: true})
	}
	return out
}

func (b *builtinProgram) compiler() string     { return "" }
func (b *builtinProgram) modules() []string    { return nil }
func (b *builtinProgram) saves() []launch.Save { return nil }
func (b *builtinProgram) save(string) error    { return nil }

// launchProgram is a file of code with its launch file.
type launchProgram struct {
	*launch.Program
	name string
	by   string // the compiler
}

// Name implements host.Program.
func (l *launchProgram) Name() string { return l.name }

func (l *launchProgram) expect(error) []result.Expect {
	var out []result.Expect
	for _, e := range l.Expects() {
		out = append(out, result.Expect{Buffer: e.Buffer, OK: e.OK, Mismatches: e.Mismatches,
			MaxAbsError: e.MaxAbsError})
	}
	return out
}

func (l *launchProgram) compiler() string      { return l.by }
func (l *launchProgram) modules() []string     { return l.Files() }
func (l *launchProgram) saves() []launch.Save  { return l.Saves() }
func (l *launchProgram) save(dir string) error { return l.WriteSaves(dir) }

// hashing is a runner that adds the fingerprint of each launch to its sum.
type hashing struct {
	host.Runner
	*fingerprint.Sum
	before func(kernel string)
}

func newHashing(r host.Runner, m *mem.Memory, before func(string)) *hashing {
	return &hashing{Runner: r, Sum: fingerprint.New(m), before: before}
}

// Launch implements host.Runner.
func (h *hashing) Launch(l *host.Launch) error {
	h.before(l.Kernel)
	h.Sum.Launch(l)
	return h.Runner.Launch(l)
}
