package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"kumiko/internal/infile"
	"kumiko/internal/nearest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/launch"
)

// strandRegisters is the maximum number of registers of a strand, the same as of a register-interval in LTRF
// (ASPLOS 2018, table 3).
const strandRegisters = 16

// inspectIntervals prints the register-intervals of kernels, or their strands, each with at most limit registers.
func (a *App) inspectIntervals(kernels []inspected, limit int, strands bool, format string) error {
	out := []intervals.Report{}
	for _, k := range kernels {
		g := intervals.Of(k.Kernel)
		list, err := intervals.Build(g, limit)
		if strands {
			g, list, err = intervals.Strands(k.Kernel, limit)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", k.Name, err)
		}
		out = append(out, intervals.NewReport(g, limit, list))
	}
	return a.intervalReports(out, format)
}

// inspectDisassembly is inspectIntervals for the graphs printed by nvdisasm.
func (a *App) inspectDisassembly(file, kernel string, limit int, format string) error {
	f, err := infile.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	graphs, err := intervals.ReadDot(file, f)
	if err != nil {
		return err
	}
	out, names := []intervals.Report{}, []string{}
	for _, g := range graphs {
		names = append(names, g.Name)
		if kernel != "" && !launch.Named(g.Name, kernel) {
			continue
		}
		list, err := intervals.Build(g, limit)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", file, g.Name, err)
		}
		out = append(out, intervals.NewReport(g, limit, list))
	}
	if kernel != "" && len(out) == 0 {
		return fmt.Errorf("%s: no kernel %q; expected one of %s%s", file, kernel, strings.Join(names, ", "),
			nearest.Hint(kernel, names))
	}
	return a.intervalReports(out, format)
}

// intervalDot writes the graph of intervals for Graphviz.
func (a *App) intervalDot(r *intervals.Report) {
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	fmt.Fprintf(a.text(), "digraph \"%s\" {\n  node [shape=box, fontname=monospace];\n",
		quote.Replace(launch.Shown(r.Kernel)))
	for _, v := range r.Intervals {
		fmt.Fprintf(a.text(), "  i%d [label=\"%d from %s\\l%d instructions\\l%d registers: %s\\l\"];\n", v.ID, v.ID,
			quote.Replace(v.Header),
			v.Instructions, len(v.Registers), strings.Join(v.Registers, " "))
		for _, s := range v.Successors {
			fmt.Fprintf(a.text(), "  i%d -> i%d;\n", v.ID, s)
		}
	}
	fmt.Fprintln(a.text(), "}")
}

func isDisassembly(program string) bool { return filepath.Ext(program) == ".dot" }

func (a *App) intervalReports(out []intervals.Report, format string) error {
	switch format {
	case "json":
		return writeJSON(a.Stdout, out)
	case "dot":
		for i := range out {
			a.intervalDot(&out[i])
		}
		return nil
	}
	for _, r := range out {
		fmt.Fprintf(a.text(), "%s: %d of at most %d registers, %d instructions, largest working set %d\n",
			kernelName(r.Kernel), r.Count, r.Limit, r.Instructions, r.LargestWorkingSet)
		t := newTable(a.Stdout)
		t.row("id", "header", "instructions", "successors", "registers")
		for _, v := range r.Intervals {
			t.row(v.ID, v.Header, v.Instructions, strings.Trim(fmt.Sprint(v.Successors), "[]"),
				strings.Join(v.Registers, " "))
		}
		if err := t.flush(); err != nil {
			return err
		}
	}
	return nil
}
