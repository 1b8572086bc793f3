package programs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/internal/infile"
	"kumiko/internal/nearest"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
	"kumiko/kernel/recording"
	"kumiko/kernel/sass"
)

func Module(ctx context.Context, program string, lim ptx.Limits, notes io.Writer) (*ir.Module, error) {
	if IsCode(program) {
		m, err := ReadCode(ctx, program, lim, notes)
		if err != nil {
			return nil, err
		}
		return m.Module, nil
	}
	if recording.Is(program) {
		m, _, err := Recorded(program, lim)
		return m, err
	}
	app := benchmarks.Find(program)
	if app == nil {
		return nil, Unknown(program)
	}
	p, err := app.New(benchmarks.Test)
	if err != nil {
		return nil, err
	}
	var first firstModule
	if err := p.Run(&host.Device{Mem: &mem.Memory{}, Runner: &first}); !errors.Is(err, errSeen) {
		return nil, fmt.Errorf("%s: no kernel was launched: %v", program, err)
	}
	return first.module, nil
}

// Recorded returns the kernels that a recorded application launches, and, by their names, the parameters of their first
// launches.
func Recorded(file string, lim ptx.Limits) (*ir.Module, map[string]config.Launched, error) {
	p, err := recording.Open(file)
	if err != nil {
		return nil, nil, err
	}
	m, err := p.Module(lim)
	if err != nil {
		return nil, nil, err
	}
	launches := map[string]config.Launched{}
	for _, k := range p.Kernels() {
		if _, known := launches[k.Name]; !known {
			b := k.First.Block
			launches[k.Name] = config.Launched{Threads: b[0] * b[1] * b[2], DynShared: k.First.Shared}
		}
	}
	return m, launches, nil
}

func parsePTX(file string, lim ptx.Limits) (*ir.Module, error) {
	src, err := infile.Read(file)
	if err != nil {
		return nil, err
	}
	return ptx.ParseWithin(file, src, ir.GlobalBase, lim)
}

func UnknownKernel(m *ir.Module, name string) error {
	var names []string
	for _, k := range m.Kernels {
		names = append(names, k.Name)
	}
	return fmt.Errorf("%s: no kernel %q; expected one of %s%s", m.File, name, strings.Join(names, ", "),
		nearest.Hint(name, names))
}

// firstModule is a runner that records the module and runs nothing.
type firstModule struct{ module *ir.Module }

var errSeen = errors.New("module seen")

func (f *firstModule) Launch(l *host.Launch) error {
	f.module = l.Module
	return errSeen
}

// IsTraces reports whether a program's name denotes traces. The name of a benchmark never does, even if there is a
// folder of this name: ./NAME denotes the folder.
func IsTraces(program string) bool {
	return benchmarks.Find(program) == nil && sass.IsTraces(program)
}

// LaunchedAs returns the launch parameters for which a kernel of a built-in benchmark is compiled.
func LaunchedAs(k *benchmarks.KernelInfo, m *ir.Module) config.Launched {
	l := config.Launched{Threads: k.Threads()}
	if own := m.Kernel(k.Name); own != nil {
		l.DynShared = max(0, k.Shared-own.SharedBytes)
	}
	return l
}

func UnknownBenchmark(name string) error {
	var names []string
	for _, b := range benchmarks.List() {
		names = append(names, b.Name)
	}
	return fmt.Errorf("no benchmark %q; expected one of %s%s", name, strings.Join(names, ", "),
		nearest.Hint(name, names))
}

// MaxBlock is the maximum number of threads of a CTA, CUDA C++ Programming Guide, table of technical
// specifications.
const MaxBlock = 1024
