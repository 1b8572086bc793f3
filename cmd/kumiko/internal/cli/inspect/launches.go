package inspect

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/spf13/cobra"

	"kumiko/benchmarks"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus/config"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/mem"
	"kumiko/kernel/recording"
	"kumiko/study/streams"
)

// ofCode checks the flags about launches, which apply only to a file of code (PTX, CUDA C++ or machine code): for any
// other program it refuses them, because such a program brings its own launches.
func (f *inspectFlags) ofCode(c *cobra.Command, program string) error {
	if c.Flags().Changed("block") && (f.block < 1 || f.block > programs.MaxBlock) {
		return fmt.Errorf("--block %d: expected 1 to %d", f.block, programs.MaxBlock)
	}
	if f.values.on && c.Flags().Changed("block") {
		return fmt.Errorf("--block: found together with --values, expected --launch, whose launches are executed")
	}
	for _, name := range append([]string{"launch", "block"}, programs.LaunchFileLimitNames...) {
		if c.Flags().Changed(name) && !programs.IsCode(program) {
			return fmt.Errorf("--%s: expected together with a file ending in %s, found the program %q", name,
				programs.CodeFiles, program)
		}
	}
	return nil
}

// launched returns, by kernel name, the launch parameters for which each kernel of a program is compiled. For a
// launch file, a recording or a built-in benchmark they are those of the kernel's first launch. A kernel may itself
// require a CTA size. A kernel not in the map is compiled for CTAs of unknown size. The module returned is the
// program's, linked with those of the launch file where one wants names of another.
func (f *inspectFlags) launched(ctx context.Context, program string, m *ir.Module,
	gpu *config.Config) (map[string]config.Launched, *ir.Module, error) {
	out := map[string]config.Launched{}
	for _, k := range m.Kernels {
		if n := k.ReqThreads; n[0] > 0 {
			out[k.Name] = config.Launched{Threads: n[0] * max(n[1], 1) * max(n[2], 1)}
		} else if f.block > 0 {
			out[k.Name] = config.Launched{Threads: f.block}
		}
	}
	what := &f.values.what
	if recording.Is(program) {
		_, of, err := programs.Recorded(program, what.Limits.Launch.PTX)
		maps.Copy(out, of)
		return out, m, err
	}
	switch app := benchmarks.Find(program); {
	case app != nil:
		for i := range app.Kernels {
			out[app.Kernels[i].Name] = programs.LaunchedAs(&app.Kernels[i], m)
		}
		if what.Size != "" {
			of, err := f.sized(ctx, program, gpu, len(app.Kernels))
			if err != nil {
				return nil, nil, err
			}
			maps.Copy(out, of)
		}
	case what.Launch != "":
		p, err := launch.LoadWithin(what.Launch, m, what.Limits.Launch)
		if err != nil {
			return nil, nil, err
		}
		m = p.Main()
		for _, k := range p.Kernels() {
			l := k.First
			out[k.Name] = config.Launched{Registers: l.Registers, Threads: l.Threads(), DynShared: l.DynShared}
		}
	}
	return out, m, nil
}

// sized returns, by kernel name, the launch parameters of the first launch of each kernel of a benchmark at the size of
// the flags. It executes the launches before the first one of the last kernel, since what a program launches may follow
// from results.
func (f *inspectFlags) sized(ctx context.Context, program string, gpu *config.Config,
	kernels int) (map[string]config.Launched, error) {
	p, err := f.values.what.Open(program)
	if err != nil {
		return nil, err
	}
	m := &mem.Memory{}
	r := &firstLaunches{Runner: streams.NewRunner(m, gpu, streams.Options{ValuesOnly: true,
		Limits: f.values.limits.Limits}), of: map[string]config.Launched{}, kernels: kernels}
	r.Context = ctx
	if err := p.Run(&host.Device{Mem: m, Runner: r}); err != nil && !errors.Is(err, errAllLaunched) {
		return nil, err
	}
	return r.of, nil
}

var errAllLaunched = errors.New("every kernel was launched")

// firstLaunches executes a program until each of its kernels was launched.
type firstLaunches struct {
	*streams.Runner
	of      map[string]config.Launched
	kernels int
}

// Launch implements host.Runner.
func (r *firstLaunches) Launch(l *host.Launch) error {
	if _, seen := r.of[l.Kernel]; !seen {
		r.of[l.Kernel] = config.Launched{Registers: l.Registers, Threads: l.Threads(),
			DynShared: l.DynShared}
	}
	if len(r.of) == r.kernels {
		return errAllLaunched
	}
	return r.Runner.Launch(l)
}
