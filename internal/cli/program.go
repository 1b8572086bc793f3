package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/benchmarks"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/kernel/mem"
)

// program is a host program with what its result says of its output.
type program interface {
	host.Program
	// expect gives the comparisons of a run that ended with err: nil or a
	// *host.CheckError.
	expect(err error) []result.Expect
	// save writes the buffers that are to be kept into a folder.
	save(m *mem.Memory, dir string) error
}

// programFlags say how to make the program of a PROGRAM argument.
type programFlags struct {
	size string
}

func (f *programFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.size, "size", "small", "size of a built-in benchmark: test, small, study, paper")
}

// open finds the program.
func (f *programFlags) open(name string) (program, error) {
	size, err := benchmarks.ParseSize(f.size)
	if err != nil {
		return nil, fmt.Errorf("--%w", err)
	}
	app := benchmarks.Find(name)
	if app == nil {
		return nil, noProgram(name)
	}
	p, err := app.New(size)
	if err != nil {
		return nil, err
	}
	return &builtinProgram{Program: p, outputs: app.Outputs}, nil
}

func noProgram(name string) error {
	var names []string
	for _, b := range benchmarks.List() {
		names = append(names, b.Name)
	}
	return fmt.Errorf("no program %q; expected a file ending in .ptx or one of %s", name, strings.Join(names, ", "))
}

// builtinProgram is a benchmark, which checks its own outputs.
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

func (b *builtinProgram) save(*mem.Memory, string) error { return nil }
