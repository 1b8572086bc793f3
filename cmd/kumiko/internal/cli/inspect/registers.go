package inspect

import (
	"fmt"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/gpus/config"
	"kumiko/kernel/compiler"
	"kumiko/kernel/compiler/tables"
	"kumiko/sm/occupancy"
)

// residencyJSON has the SM resources occupied by a compiled kernel, beside the registers of the kernel's code.
type residencyJSON struct {
	compiler.Report
	Footprint int    `json:"footprint"`    // registers per thread at launch
	Charged   int    `json:"charged"`      // registers per thread that a warp occupies: whole units of allocation
	Threads   int    `json:"threads"`      // threads of a CTA in the compilation; 0: unknown
	CTAs      int    `json:"ctas_per_sm"`  // 0: not known, or none fits
	Limit     string `json:"limited_by"`   // the limiting resource
	Reason    string `json:"does_not_fit"` // why no CTA fits
}

func residencyOf(k *inspected, cfg *config.Config) residencyJSON {
	r := residencyJSON{Report: k.report, Footprint: k.Footprint, Charged: cfg.Occupancy.WarpRegisters(k.Footprint),
		Threads: k.launched.Threads}
	if r.Threads == 0 {
		return r
	}
	fit, err := cfg.Admit(tables.New(k.Kernel), occupancy.CTA{Threads: r.Threads, Registers: k.Footprint,
		SharedBytes: k.SharedBytes + k.launched.DynShared})
	if err != nil {
		r.Reason = err.Error()
		return r
	}
	r.CTAs, r.Limit = fit.Resident, fit.Limit
	return r
}

func inspectRegisters(a *app.App, kernels []inspected, cfg *config.Config, format string) error {
	if format == "json" {
		out := []any{}
		for i := range kernels {
			if k := &kernels[i]; k.trace != nil {
				out = append(out, tracedJSON(k))
			} else {
				out = append(out, residencyOf(k, cfg))
			}
		}
		return app.WriteJSON(a.Stdout, out)
	}
	t := app.NewTable(a.Stdout)
	head := []any{"kernel", "instructions", "registers", "rounded to 4", "hardware", "predicates", "spilled bytes",
		"most live"}
	compiled := len(kernels) > 0 && kernels[0].trace == nil
	if compiled {
		head = append(head, "charged", "threads", "CTAs per SM", "limited by")
	}
	t.Row(head...)
	for i := range kernels {
		k := &kernels[i]
		r := k.report
		row := []any{app.KernelName(r.Kernel), len(k.Insts), r.Used, r.Alloc4, r.AllocHW, r.Predicates, r.Spilled,
			r.MaxLive}
		if compiled {
			row = append(row, residencyCells(k, cfg)...)
		}
		t.Row(row...)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if compiled {
		fmt.Fprintf(a.Text(), "\nResidency on %s counts the registers charged: those with which a kernel is launched "+
			"(at least the registers used), in whole units of allocation.\n", cfg.Name)
	}
	inspectTraces(a, kernels)
	return nil
}

func residencyCells(k *inspected, cfg *config.Config) []any {
	r := residencyOf(k, cfg)
	switch {
	case r.Threads == 0:
		return []any{r.Charged, "not known", "-", "-"}
	case r.CTAs == 0:
		return []any{r.Charged, r.Threads, 0, r.Reason}
	}
	return []any{r.Charged, r.Threads, r.CTAs, r.Limit}
}
