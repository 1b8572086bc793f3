package streams

import (
	"context"
	"fmt"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/stop"
	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// ahead is the number of thread blocks executed ahead of the measurement. It bounds memory and
// changes no result.
const ahead = 4

// OptionsFor returns the options given by a GPU's settings: how often a register
// named twice is read, and the events suspending a warp of a two-level scheduler.
func OptionsFor(gpu *config.Config) Options {
	v := gpu.Values()
	return Options{
		ReadTwice:    v["regfile.conventional.read_twice"] == true,
		BarriersKeep: v["sched.suspend_at_barrier"] == false,
		ReadyKeeps:   v["sched.suspend_ready"] == false,
	}
}

// Runner executes launches on the functional emulator and measures their streams. It accepts launches
// and streams.
type Runner struct {
	*Collector
	// Context cancels a launch, and Launch then returns stop.ErrInterrupted; nil: never.
	Context context.Context

	emu     emu.Runner
	gpu     *config.Config
	kernels map[version]*ir.Kernel
}

// version is a kernel compiled for such launches.
type version struct {
	kernel *ir.Kernel
	config.Launched
}

// NewRunner makes a Runner on a device's memory. Kernels are compiled for the
// GPU; nil: with the compiler's defaults.
func NewRunner(m *mem.Memory, gpu *config.Config, opt Options) *Runner {
	r := &Runner{Collector: NewCollector(opt), gpu: gpu, kernels: map[version]*ir.Kernel{}}
	r.emu = emu.Runner{Mem: m, Compile: r.compile, Limits: opt.Limits}
	if gpu != nil {
		r.emu.Limits.SharedBytes, r.emu.Limits.LockStep = gpu.SM.SharedBytes, !gpu.SM.Independent
		if gpu.SM.CTAShared > 0 {
			r.emu.Limits.SharedBytes = gpu.SM.CTAShared
		}
	}
	return r
}

// compile compiles a launch's kernel to the form executed by the GPU.
func (r *Runner) compile(l *host.Launch) (*ir.Kernel, error) {
	v := version{l.Module.Kernel(l.Kernel), config.Launched{Registers: l.Registers, Threads: l.Threads(),
		DynShared: l.DynShared, Module: l.Module}}
	if v.kernel == nil {
		return nil, fmt.Errorf("%s: no kernel %q", l.Module.File, l.Kernel)
	}
	if k := r.kernels[v]; k != nil {
		return k, nil
	}
	var k *ir.Kernel
	var err error
	if r.gpu == nil {
		k, err = compiler.Compile(v.kernel, compiler.Options{Registers: l.Registers})
	} else {
		k, _, err = r.gpu.Compile(v.kernel, v.Launched)
	}
	if err == nil {
		r.kernels[v] = k
	}
	return k, err
}

// Launch implements host.Runner.
func (r *Runner) Launch(l *host.Launch) error {
	e, err := r.emu.Prepare(l)
	if err != nil {
		return err
	}
	src := emu.NewSource(e, ahead)
	defer src.Close()
	if r.Context != nil {
		defer context.AfterFunc(r.Context, src.Interrupt)()
	}
	if err := r.Collect(src); err != nil {
		return err
	}
	if r.Context != nil && r.Context.Err() != nil {
		return stop.ErrInterrupted
	}
	return nil
}

// Replay measures the streams of a launch.
func (r *Runner) Replay(l *gpus.Replay) error {
	src, err := l.Open()
	if err != nil {
		return err
	}
	defer src.Close()
	return r.Collect(src)
}

// App measures a built-in application at a size, compiled for a GPU (nil: with the compiler's defaults). paper
// selects the register footprints printed in the papers, if there are any. An application with a failed check
// has no measure.
func App(a *benchmarks.App, size benchmarks.Size, gpu *config.Config, paper bool, opt Options) (*Summary, error) {
	p, err := a.New(size)
	if err != nil {
		return nil, err
	}
	m := &mem.Memory{}
	r := NewRunner(m, gpu, opt)
	d := &host.Device{Mem: m, Runner: r}
	if paper {
		d.Runner = a.PaperRegisters(r)
	}
	if err := p.Run(d); err != nil {
		return nil, err
	}
	return r.Summary(), nil
}
