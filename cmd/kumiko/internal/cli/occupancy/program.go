package occupancy

import (
	"fmt"

	"github.com/spf13/cobra"

	"kumiko/benchmarks"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus/config"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/ptx"
	"kumiko/kernel/recording"
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

// programOccupancy prints how many CTAs of each kernel of a program fit on an SM. cta has the values of the flags:
// the registers per thread (0: as many as the GPU's code needs), and, for a file of code, the threads of a CTA and the
// bytes of its dynamic shared memory.
func programOccupancy(a *app.App, c *cobra.Command, program string, r *config.Request, cta occupancy.CTA,
	format string) error {
	if !programs.IsCode(program) {
		err := app.Meaningless(c, "found together with PROGRAM, whose kernels have their own", "block", "shared")
		if err != nil {
			return err
		}
	}
	for name, n := range map[string]int{"registers": cta.Registers, "block": cta.Threads} {
		if c.Flags().Changed(name) && n < 1 {
			return fmt.Errorf("--%s %d: expected at least 1", name, n)
		}
	}
	if cta.Threads > programs.MaxBlock {
		return fmt.Errorf("--block %d: expected 1 to %d", cta.Threads, programs.MaxBlock)
	}
	if err := programs.MatchCode(r, program); err != nil {
		return err
	}
	cfg, err := config.Load(*r)
	if err != nil {
		return err
	}
	m, launches, err := launchesToFit(a, c, program, cta)
	if err != nil {
		return err
	}
	var out []kernelOccupancy
	for _, k := range m.Kernels {
		l, known := launches[k.Name]
		if !known {
			continue
		}
		l.Registers, l.Module = cta.Registers, m
		code, _, err := cfg.Compile(k, l)
		if err != nil {
			return err
		}
		one := occupancy.CTA{Threads: l.Threads, Registers: code.Footprint, SharedBytes: code.SharedBytes + l.DynShared}
		fit, err := cfg.CTAs(one)
		if err != nil {
			return fmt.Errorf("kernel %s: %w", k.Name, err)
		}
		out = append(out, kernelOccupancy{k.Name, one.Threads, one.Registers, one.SharedBytes, fit})
	}
	if format == "json" {
		return app.WriteJSON(a.Stdout, out)
	}
	return fitTable(a, cfg, out)
}

// fitTable prints how many CTAs of each kernel fit, and how the GPU differs from the chips of its compute capability.
func fitTable(a *app.App, cfg *config.Config, out []kernelOccupancy) error {
	t := app.NewTable(a.Stdout)
	t.Row("kernel", "threads", "registers", "shared", "CTAs per SM", "limited by", "warps per SM", "registers unused")
	for _, k := range out {
		t.Row(launch.Shown(k.Kernel), k.Threads, k.Registers, k.Shared, k.Fit.CTAs, k.Fit.Limit,
			fmt.Sprintf("%d of %d", k.Fit.CTAs*occupancy.Warps(k.Threads), cfg.SM.Warps),
			fmt.Sprintf("%d of %d", k.Fit.RegistersUnused, cfg.SM.Registers))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, d := range cfg.Differences() {
		fmt.Fprintf(a.Stdout, "unlike compute capability %s: %s\n", cfg.Capability, d)
	}
	return nil
}

// launchesToFit returns the module of a program and, by kernel name, the launches whose CTAs are to fit. A CTA size
// required by a kernel of a file wins over the flag.
func launchesToFit(a *app.App, c *cobra.Command, program string, cta occupancy.CTA) (*ir.Module,
	map[string]config.Launched, error) {
	if recording.Is(program) {
		return programs.Recorded(program, ptx.Limits{})
	}
	app := benchmarks.Find(program)
	if app == nil && !programs.IsCode(program) {
		return nil, nil, programs.UnknownBenchmark(program)
	}
	if app != nil && len(app.Kernels) == 0 {
		return nil, nil, fmt.Errorf("%s: found a benchmark whose kernels depend on its settings, expected --block and "+
			"--registers", program)
	}
	m, err := programs.Module(c.Context(), program, ptx.Limits{}, a.Notes())
	if err != nil {
		return nil, nil, err
	}
	out := map[string]config.Launched{}
	if app != nil {
		for i := range app.Kernels {
			out[app.Kernels[i].Name] = programs.LaunchedAs(&app.Kernels[i], m)
		}
		return m, out, nil
	}
	for _, r := range m.Refused {
		return nil, nil, r.Err
	}
	for _, k := range m.Kernels {
		l := config.Launched{Threads: cta.Threads, DynShared: cta.SharedBytes}
		if n := k.ReqThreads; n[0] > 0 {
			l.Threads = n[0] * max(n[1], 1) * max(n[2], 1)
		}
		if l.Threads == 0 {
			return nil, nil, fmt.Errorf("%s: --block is missing: the threads of a CTA of %s", program,
				launch.Shown(k.Name))
		}
		out[k.Name] = l
	}
	return m, out, nil
}
