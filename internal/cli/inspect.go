package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/benchmarks"
	"kumiko/gpus"
	"kumiko/kernel/compiler"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// inspected is a kernel as the compiler leaves it.
type inspected struct {
	*ir.Kernel
	report compiler.Report
}

func (a *App) inspectCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "inspect PROGRAM",
		Short: "Show the kernels of a program: registers, control flow, live registers",
		Long: `Show the kernels of a program as the GPU executes them: after lowering, scheduling and register allocation.

PROGRAM is a .ptx file or the name of a built-in benchmark. Without a choice, --registers.`,
		Args: exactly("PROGRAM"),
	}
	kernel := c.Flags().String("kernel", "", "this kernel only")
	c.Flags().Bool("registers", false, "register counts (the default)")
	liveness := c.Flags().Bool("liveness", false, "live registers at every instruction")
	graph := c.Flags().Bool("cfg", false, "control-flow graph")
	c.MarkFlagsMutuallyExclusive("registers", "liveness", "cfg")
	r := gpuFlags(c)
	limit := c.Flags().Int("max-registers", 0, "allocate to at most this many registers per thread; 0: no limit but the kernel's own")
	f := format(c, "text", "json", "dot")
	c.RunE = func(_ *cobra.Command, args []string) error {
		if *f == "dot" && !*graph {
			return errors.New("--format dot: expected together with --cfg")
		}
		if *limit < 0 {
			return fmt.Errorf("--max-registers %d: expected at least 0", *limit)
		}
		cfg, err := gpus.Load(*r)
		if err != nil {
			return err
		}
		kernels, err := compiled(args[0], *kernel, cfg.CompilerOptions(*limit))
		if err != nil {
			return err
		}
		switch {
		case *graph:
			return a.inspectCFG(kernels, *f)
		case *liveness:
			return a.inspectLiveness(kernels, *f)
		}
		return a.inspectRegisters(kernels, *f)
	}
	return c
}

// compiled is the kernels of a program, or the one that is named, in machine form.
func compiled(program, kernel string, opt compiler.Options) ([]inspected, error) {
	m, err := module(program)
	if err != nil {
		return nil, err
	}
	if kernel != "" && m.Kernel(kernel) == nil {
		return nil, noKernel(m, kernel)
	}
	var out []inspected
	for _, k := range m.Kernels {
		if kernel != "" && k.Name != kernel {
			continue
		}
		c, report, err := compiler.CompileReport(k, opt)
		if err != nil {
			return nil, err
		}
		out = append(out, inspected{c, report})
	}
	return out, nil
}

func noKernel(m *ir.Module, name string) error {
	var names []string
	for _, k := range m.Kernels {
		names = append(names, k.Name)
	}
	return fmt.Errorf("%s: no kernel %q; expected one of %s", m.File, name, strings.Join(names, ", "))
}

func module(program string) (*ir.Module, error) {
	if filepath.Ext(program) == ".ptx" {
		return parsePTX(program)
	}
	app := benchmarks.Find(program)
	if app == nil {
		return nil, noProgram(program)
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

func parsePTX(file string) (*ir.Module, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return ptx.Parse(file, src)
}

// firstModule is a runner that takes note of the module and runs nothing.
type firstModule struct{ module *ir.Module }

var errSeen = errors.New("module seen")

func (f *firstModule) Launch(l *host.Launch) error {
	f.module = l.Module
	return errSeen
}

func (a *App) inspectRegisters(kernels []inspected, format string) error {
	if format == "json" {
		out := []compiler.Report{}
		for _, k := range kernels {
			out = append(out, k.report)
		}
		return writeJSON(a.Stdout, out)
	}
	t := newTable(a.Stdout)
	t.row("kernel", "instructions", "registers", "rounded to 4", "hardware", "predicates", "spilled bytes", "most live")
	for _, k := range kernels {
		r := k.report
		t.row(r.Kernel, len(k.Insts), r.Used, r.Alloc4, r.AllocHW, r.Predicates, r.Spilled, r.MaxLive)
	}
	return t.flush()
}
