package suite

import (
	"time"

	"kumiko/benchmarks"
	"kumiko/benchmarks/measured"
	"kumiko/gpus/config"
	"kumiko/kernel/compiler"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/stream"
	"kumiko/study/streams"
)

// GPU is the GPU for which the measured code is compiled.
const GPU = "gtx980"

// Measure runs applications on the functional emulator, in code compiled for GPU. It caches the compiled kernels.
type Measure struct {
	kernels map[*ir.Kernel]*compiled
	gpus    []*config.Config // the built-in ones
}

// configs returns the configurations of the built-in GPUs.
func (m *Measure) configs() ([]*config.Config, error) {
	if m.gpus != nil {
		return m.gpus, nil
	}
	for _, n := range config.Names() {
		c, err := config.Load(config.Request{GPU: n})
		if err != nil {
			return nil, err
		}
		m.gpus = append(m.gpus, c)
	}
	return m.gpus, nil
}

type compiled struct {
	k       *ir.Kernel // for GPU
	report  compiler.Report
	charged map[string]int // footprint by GPU
}

// Run measures one application at one size.
func (m *Measure) Run(a *benchmarks.App, size benchmarks.Size) (measured.Run, error) {
	p, err := a.New(size)
	if err != nil {
		return measured.Run{}, err
	}
	c := &counter{run: measured.Run{Work: make([]measured.Work, len(a.Kernels))}}
	for i := range a.Kernels {
		c.run.Work[i].Kernel = a.Kernels[i].Name
	}
	c.emu = emu.Runner{Mem: &mem.Memory{}, Compile: func(l *host.Launch) (*ir.Kernel, error) {
		k, err := m.compile(l.Module.Kernel(l.Kernel), config.Launched{Threads: l.Threads(), DynShared: l.DynShared})
		if err != nil {
			return nil, err
		}
		return k.k, nil
	}}
	err = p.Run(&host.Device{Mem: c.emu.Mem, Runner: c})
	c.run.Values = measuredValues(&c.values.Total)
	return c.run, err
}

func (m *Measure) compile(k *ir.Kernel, l config.Launched) (*compiled, error) {
	if c := m.kernels[k]; c != nil {
		return c, nil
	}
	all, err := m.configs()
	if err != nil {
		return nil, err
	}
	if m.kernels == nil {
		m.kernels = map[*ir.Kernel]*compiled{}
	}
	c := &compiled{charged: map[string]int{}}
	for _, gpu := range all {
		out, report, err := gpu.Compile(k, l)
		if err != nil {
			return nil, err
		}
		if c.charged[gpu.Name] = out.Footprint; gpu.Name == GPU {
			c.k, c.report = out, report
		}
	}
	m.kernels[k] = c
	return c, nil
}

// Kernels returns the register figures of an application's kernels.
func (m *Measure) Kernels(a *benchmarks.App) ([]measured.Kernel, error) {
	p, err := a.New(benchmarks.Test)
	if err != nil {
		return nil, err
	}
	module := p.(interface{ Module() *ir.Module }).Module()
	var out []measured.Kernel
	for i := range a.Kernels {
		k := &a.Kernels[i]
		source := module.Kernel(k.Name)
		c, err := m.compile(source, config.Launched{Threads: k.Threads(),
			DynShared: max(0, k.Shared-source.SharedBytes)})
		if err != nil {
			return nil, err
		}
		r := c.report
		out = append(out, measured.Kernel{Name: k.Name, Used: r.Used, Alloc4: r.Alloc4, MaxLive: r.MaxLive,
			Footprint: c.k.Footprint, Spilled: r.Spilled,
			Charged: c.charged})
	}
	return out, nil
}

// App measures an application at some sizes, and reports the time of each through took.
func (m *Measure) App(a *benchmarks.App, sizes []benchmarks.Size,
	took func(benchmarks.Size, *measured.Run, time.Duration)) (measured.App, error) {
	out := measured.App{Name: a.Name, Sizes: map[string]measured.Run{}}
	var err error
	if out.Kernels, err = m.Kernels(a); err != nil {
		return out, err
	}
	for _, s := range sizes {
		start := time.Now()
		r, err := m.Run(a, s)
		if err != nil {
			return out, err
		}
		took(s, &r, time.Since(start))
		out.Sizes[s.String()] = r
	}
	return out, nil
}

// counter executes launches and counts the contents of their streams.
type counter struct {
	emu    emu.Runner
	run    measured.Run
	values streams.ValueCounter
}

// Launch implements host.Runner.
func (c *counter) Launch(l *host.Launch) error {
	e, err := c.emu.Prepare(l)
	if err != nil {
		return err
	}
	src := emu.NewSource(e, 4)
	defer src.Close()
	before := c.run.WarpInstructions
	for cta := src.Next(); cta != nil; cta = src.Next() {
		for i := range cta.Warps {
			c.warp(cta.Kernel, &cta.Warps[i])
		}
	}
	if err := src.Err(); err != nil {
		return err
	}
	c.run.Launches++
	for i := range c.run.Work {
		if w := &c.run.Work[i]; w.Kernel == l.Kernel {
			w.WarpInstructions += c.run.WarpInstructions - before
			w.CTAs = max(w.CTAs, l.CTAs())
		}
	}
	return nil
}

// warp counts one warp's instructions.
func (c *counter) warp(k *ir.Kernel, w *stream.Warp) {
	c.run.WarpInstructions += w.Insts
	c.run.ThreadInstructions += w.Lanes
	var cursor stream.Cursor
	cursor.Start(k, w)
	var d stream.Dyn
	c.values.Begin()
	for cursor.Next(&d) {
		if onChip, is := memory(d.Inst, d.Access); is {
			c.run.Memory++
			if !onChip {
				c.run.OffChip++
			}
		}
		c.values.Step(&d.Inst.T, d.Exec != 0)
	}
	c.values.End()
}

// memory reports whether an instruction accesses memory, and whether on chip. The space of a generic address is
// known only for executed accesses.
func memory(in *ir.Inst, a *stream.Access) (onChip, is bool) {
	if !in.T.Class.Memory() {
		return false, false
	}
	space := in.T.Space
	if a != nil {
		space = a.Space
	}
	return space == ir.Shared || space == ir.Const || space == ir.Param, true
}

// measuredValues selects the measured statistics of values. Soon counts reads at most three instructions after the
// write (Gebhart et al., section 2.2, figure 2).
func measuredValues(v *streams.Values) measured.Values {
	return measured.Values{Written: v.Written, Reads: v.Reads, Never: v.Never, Once: v.Once,
		Soon: v.After[0] + v.After[1] + v.After[2], MoreThan2: v.More}
}
