package inspect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"kumiko/benchmarks"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus/config"
	"kumiko/kernel/compiler"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
	"kumiko/kernel/sass"
)

// inspected is a compiled kernel, or a kernel recovered from a trace.
type inspected struct {
	*ir.Kernel
	report   compiler.Report
	launched config.Launched
	trace    *sass.Report // of a trace: facts seen and inferred; nil for other programs
	file     string
}

func Command(a *app.App) *cobra.Command {
	c := &cobra.Command{
		Use:   "inspect PROGRAM",
		Short: "Show the compiled kernels of a program, or the blocks of a GPU",
		Long: `Show the kernels of a program as the GPU executes them: after lowering, scheduling and register allocation.

PROGRAM is a file of code (.ptx, .cu, .cubin, .sass), the name of a built-in benchmark, or a folder of traces. With --intervals it may also be a .dot
file of nvdisasm -cfg.

The code depends on the size of the CTAs. Those of a built-in benchmark are as kumiko list benchmarks has them, or those of
the launches of a --size; for a file of code --launch or --block says the size, and --values needs --launch.

Without PROGRAM, but with --gpu, --design or --set, show the assembled GPU: the blocks of the chip and of its first SM,
and the links between them. --format svg draws identical blocks as one box; --format dot gives each block a box.`,
		Example: `  kumiko inspect sgemm --liveness
  kumiko inspect sgemm --listing --code sm_52
  kumiko inspect lbm --banks --size small
  kumiko inspect sgemm --cfg --format dot | dot -Tsvg > cfg.svg
  kumiko inspect --gpu fermi --format svg > fermi.svg
  kumiko inspect --gpu gtx980 --format dot | dot -Tsvg > gtx980.svg`,
		Args: programOrMachine,
	}
	var f inspectFlags
	f.add(c)
	c.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			if err := app.Meaningless(c, "expected together with PROGRAM", ofPrograms...); err != nil {
				return err
			}
			return inspectMachine(a, f.gpu, *f.format)
		}
		if err := f.check(c, args[0]); err != nil {
			return err
		}
		return inspect(a, args[0], &f)
	}
	return c
}

// add adds the command's flags.
func (f *inspectFlags) add(c *cobra.Command) {
	f.gpu = app.GPUFlags(c)
	c.Flags().StringVar(&f.kernel, "kernel", "", "show this kernel only; its name as in PTX, or as C++ declares it")
	c.Flags().Bool("registers", false, "show register counts (the default)")
	c.Flags().BoolVar(&f.liveness, "liveness", false,
		"show the live registers at every instruction, last reads, and first uses of long-latency results")
	c.Flags().BoolVar(&f.cfg, "cfg", false, "show the control-flow graph")
	c.Flags().IntVar(&f.intervals, "intervals", 0,
		"show register-intervals of at most this many registers")
	c.Flags().BoolVar(&f.strands, "strands", false,
		fmt.Sprintf("show strands of at most %d registers", strandRegisters))
	c.Flags().IntVar(&f.base, "regmutex", 0,
		"show where a warp needs more registers than a base set of this many (RegMutex)")
	c.Flags().BoolVar(&f.banks, "banks", false,
		"show in which bank of the GPU's register file each register lies, and which instructions read one bank twice")
	c.Flags().BoolVar(&f.listing, "listing", false,
		"show the instructions, with the banks of their registers and control words if they have them")
	f.values.add(c)
	c.Flags().IntVar(&f.block, "block", 0, "threads of a CTA for which a file of code is compiled")
	c.MarkFlagsMutuallyExclusive("block", "launch")
	c.MarkFlagsMutuallyExclusive("registers", "liveness", "cfg", "intervals", "strands", "regmutex", "banks",
		"listing", "values")
	c.Flags().IntVar(&f.limit, "max-registers", 0,
		"allocate at most this many registers per thread; 0: only the kernel's own limit")
	f.format = app.FormatFlag(c, "text", "json", "dot", "svg")
}

// check refuses conflicting flags, and numbers out of range.
func (f *inspectFlags) check(c *cobra.Command, program string) error {
	if err := f.meaningless(c, program); err != nil {
		return err
	}
	if *f.format == "svg" {
		return errors.New("--format svg: expected without PROGRAM, for the blocks of a GPU")
	}
	if *f.format == "dot" && !f.cfg && !f.strands && !c.Flags().Changed("intervals") {
		return errors.New("--format dot: expected together with --cfg, --intervals or --strands")
	}
	if f.limit < 0 {
		return fmt.Errorf("--max-registers %d: expected at least 0", f.limit)
	}
	if c.Flags().Changed("intervals") && f.intervals < 1 {
		return fmt.Errorf("--intervals %d: expected at least 1", f.intervals)
	}
	if c.Flags().Changed("regmutex") && f.base < 1 {
		return fmt.Errorf("--regmutex %d: expected at least 1", f.base)
	}
	if err := cmp.Or(f.values.limits.Check(), f.values.what.Limits.Check()); err != nil {
		return err
	}
	if err := f.ofCode(c, program); err != nil {
		return err
	}
	if c.Flags().Changed("size") && !f.values.on && benchmarks.Find(program) == nil {
		return fmt.Errorf("--size: expected together with a built-in benchmark, found the program %q", program)
	}
	for _, name := range programs.ExecutionLimitNames {
		if c.Flags().Changed(name) && !f.values.on && !c.Flags().Changed("size") {
			return fmt.Errorf("--%s: expected together with --values or --size, which execute the program", name)
		}
	}
	return nil
}

// ofPrograms are the flags that select a view of a program.
var ofPrograms = slices.Concat([]string{"kernel", "registers", "liveness", "cfg", "intervals", "strands", "regmutex",
	"banks", "listing", "values", "launch", "block", "size", "max-registers"}, programs.ExecutionLimitNames,
	programs.InputLimitNames())

// meaningless refuses compiler flags for a program that is not compiled.
func (f *inspectFlags) meaningless(c *cobra.Command, program string) error {
	switch {
	case isDisassembly(program):
		return app.Meaningless(c, "found together with a disassembly, which is not compiled", "gpu", "design", "set",
			"max-registers")
	case programs.IsCode(program) || !programs.IsTraces(program):
		return nil
	case f.values.on:
		return app.Meaningless(c, "found together with traces, which are not compiled", "max-registers")
	}
	return app.Meaningless(c, "found together with traces, which are not compiled", "gpu", "design", "set",
		"max-registers")
}

// inspectFlags are the flags of kumiko inspect.
type inspectFlags struct {
	gpu       *config.Request
	kernel    string
	liveness  bool
	cfg       bool
	intervals int
	strands   bool
	base      int
	banks     bool
	listing   bool
	limit     int
	block     int
	values    valueFlags
	format    *string
}

func inspect(a *app.App, program string, f *inspectFlags) error {
	if isDisassembly(program) {
		if f.intervals == 0 {
			return fmt.Errorf("%s: a disassembly can be inspected with --intervals alone", program)
		}
		return inspectDisassembly(a, program, f.kernel, f.intervals, *f.format)
	}
	if err := programs.MatchCode(f.gpu, program); err != nil {
		return err
	}
	cfg, err := config.Load(*f.gpu)
	if err != nil {
		return err
	}
	if f.values.on {
		return inspectValues(a, program, f, cfg)
	}
	kernels, err := f.compiled(f.values.what.Command.Context(), program, cfg, a.Notes())
	if err != nil {
		return err
	}
	switch {
	case f.cfg:
		return inspectCFG(a, kernels, *f.format)
	case f.liveness:
		return inspectLiveness(a, kernels, *f.format)
	case f.strands:
		return inspectIntervals(a, kernels, strandRegisters, true, *f.format)
	case f.banks:
		return inspectBanks(a, kernels, cfg, *f.format)
	case f.listing:
		return inspectListing(a, kernels, cfg, *f.format)
	case f.base > 0:
		return inspectRegMutex(a, kernels, f.base, *f.format)
	case f.intervals > 0:
		return inspectIntervals(a, kernels, f.intervals, false, *f.format)
	}
	return inspectRegisters(a, kernels, cfg, *f.format)
}

// compiled returns the kernels of a program, or only the named kernel, as the GPU executes them, with the number of
// registers limited by the flags. It prints a note about each kernel that cannot run.
func (f *inspectFlags) compiled(ctx context.Context, program string, gpu *config.Config,
	notes io.Writer) ([]inspected, error) {
	kernel := f.kernel
	if programs.IsTraces(program) {
		return traced(program, kernel, f.values.what.Limits.Trace)
	}
	m, err := programs.Module(ctx, program, f.values.what.Limits.Launch.PTX, notes)
	if err != nil {
		return nil, err
	}
	launches, m, err := f.launched(ctx, program, m, gpu)
	if err != nil {
		return nil, err
	}
	for _, r := range m.Refused {
		if kernel != "" && launch.Named(r.Kernel, kernel) {
			return nil, r.Err
		}
	}
	if len(m.Kernels) == 0 && len(m.Refused) > 0 { // modules to be linked with others may have such kernels only
		return nil, m.Refused[0].Err
	}
	var out []inspected
	for _, k := range m.Kernels {
		if kernel != "" && !launch.Named(k.Name, kernel) {
			continue
		}
		l, known := launches[k.Name]
		if f.limit > 0 {
			l.Registers = f.limit
		}
		l.Module = m
		c, report, err := gpu.Compile(k, l)
		if err != nil {
			return nil, err
		}
		if !known && gpu.CompilerOptions(0, 0).Ahead {
			fmt.Fprintf(notes, "note: %s is compiled for CTAs of unknown size; --launch or --block says it\n",
				launch.Shown(k.Name))
		}
		out = append(out, inspected{Kernel: c, report: report, launched: l})
	}
	if kernel != "" && len(out) == 0 {
		return nil, programs.UnknownKernel(m, kernel)
	}
	if kernel == "" {
		for _, r := range m.Refused {
			fmt.Fprintf(notes, "note: %s is left out:\n%v\n", launch.Shown(r.Kernel), r.Err)
		}
	}
	return out, nil
}
