package study

import (
	"errors"
	"fmt"
	"strings"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

// openTogether makes an application of built-in programs that run side by side, each in a stream of its own.
func (s *Spec) openTogether(p *Program) (*benchmarks.App, error) {
	app := &benchmarks.App{Name: p.Name, Suite: "of the study", Summary: p.Doc}
	var list []*benchmarks.App
	for _, name := range p.Together {
		a, err := benchmarks.Open(name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("together: %w", err)
		case a == nil:
			return nil, fmt.Errorf("together: found %q, expected built-in programs (kumiko list benchmarks)", name)
		}
		list = append(list, a)
		app.Kernels, app.Outputs = append(app.Kernels, a.Kernels...), append(app.Outputs, a.Outputs...)
	}
	app.New = func(size benchmarks.Size) (host.Program, error) {
		out := &together{name: strings.Join(p.Together, " beside ")}
		for _, a := range list {
			one, err := a.New(size)
			if err != nil {
				return nil, err
			}
			out.programs = append(out.programs, one)
		}
		return out, nil
	}
	return app, nil
}

// together are programs that run side by side.
type together struct {
	name     string
	programs []host.Program
}

// Name implements host.Program.
func (t *together) Name() string { return t.name }

// Run implements host.Program.
func (t *together) Run(d *host.Device) error {
	var errs []error
	for i, p := range t.programs {
		errs = append(errs, p.Run(&host.Device{Mem: d.Mem, Runner: inStream{d.Runner, i + 1}}))
	}
	return errors.Join(errs...)
}

// inStream puts the launches of a program into a stream.
type inStream struct {
	host.Runner
	stream int
}

// Launch implements host.Runner.
func (s inStream) Launch(l *host.Launch) error {
	own := *l
	own.Queue = &host.Queue{Stream: s.stream}
	return s.Runner.Launch(&own)
}
