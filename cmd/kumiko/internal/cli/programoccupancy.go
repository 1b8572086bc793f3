package cli

import (
	"fmt"

	"kumiko/benchmarks"
	"kumiko/gpus/config"
	"kumiko/kernel/ptx"
	"kumiko/sm/occupancy"
)

// kernelOccupancy is the number of CTAs of a benchmark's kernel on an SM.
type kernelOccupancy struct {
	Kernel    string `json:"kernel"`
	Threads   int    `json:"threads"`
	Registers int    `json:"registers"`
	Shared    int    `json:"shared_bytes"`
	// Fit is the result of kumiko occupancy for these figures.
	Fit config.Occupancy `json:"occupancy"`
}

// programOccupancy prints how many CTAs of each kernel of a built-in benchmark fit on an SM. registers is the
// number per thread; 0: as many as the GPU's code needs.
func (a *App) programOccupancy(program string, r *config.Request, registers int, format string) error {
	app := benchmarks.Find(program)
	if app == nil {
		return noBenchmark(program)
	}
	m, err := module(app.Name, ptx.Limits{})
	if err != nil {
		return err
	}
	if len(app.Kernels) == 0 {
		return fmt.Errorf("%s: found a benchmark whose kernels depend on its settings, expected --block and "+
			"--registers", program)
	}
	cfg, err := config.Load(*r)
	if err != nil {
		return err
	}
	var out []kernelOccupancy
	for i := range app.Kernels {
		k := &app.Kernels[i]
		l := launchedAs(k, m)
		l.Registers = registers
		code, _, err := cfg.Compile(m.Kernel(k.Name), l)
		if err != nil {
			return err
		}
		cta := occupancy.CTA{Threads: k.Threads(), Registers: code.Footprint, SharedBytes: k.Shared}
		fit, err := cfg.CTAs(cta)
		if err != nil {
			return fmt.Errorf("kernel %s: %w", k.Name, err)
		}
		out = append(out, kernelOccupancy{k.Name, cta.Threads, cta.Registers, cta.SharedBytes, fit})
	}
	if format == "json" {
		return writeJSON(a.Stdout, out)
	}
	t := newTable(a.Stdout)
	t.row("kernel", "threads", "registers", "shared", "CTAs per SM", "limited by", "warps per SM", "registers unused")
	for _, k := range out {
		t.row(k.Kernel, k.Threads, k.Registers, k.Shared, k.Fit.CTAs, k.Fit.Limit,
			fmt.Sprintf("%d of %d", k.Fit.CTAs*occupancy.Warps(k.Threads), cfg.SM.Warps),
			fmt.Sprintf("%d of %d", k.Fit.RegistersUnused, cfg.SM.Registers))
	}
	return t.flush()
}
