package inspect

import (
	"fmt"
	"path/filepath"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/internal/infile"
	"kumiko/internal/nearest"
	"kumiko/kernel/compiler/intervals"
	"kumiko/kernel/launch"
)

// strandRegisters is the maximum number of registers of a strand, the same as of a register-interval in LTRF
// (ASPLOS 2018, table 3).
const strandRegisters = 16

// inspectIntervals prints the register-intervals of kernels, or their strands, each with at most limit registers.
func inspectIntervals(a *app.App, kernels []inspected, limit int, strands bool, format string) error {
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
	return intervalReports(a, out, format)
}

// inspectDisassembly is inspectIntervals for the graphs printed by nvdisasm.
func inspectDisassembly(a *app.App, file, kernel string, limit int, format string) error {
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
	return intervalReports(a, out, format)
}

// intervalDot writes the graph of intervals for Graphviz.
func intervalDot(a *app.App, r *intervals.Report) {
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	fmt.Fprintf(a.Text(), "digraph \"%s\" {\n  node [shape=box, fontname=monospace];\n",
		quote.Replace(launch.Shown(r.Kernel)))
	for _, v := range r.Intervals {
		fmt.Fprintf(a.Text(), "  i%d [label=\"%d from %s\\l%d instructions\\l%d registers: %s\\l\"];\n", v.ID, v.ID,
			quote.Replace(v.Header),
			v.Instructions, len(v.Registers), strings.Join(v.Registers, " "))
		for _, s := range v.Successors {
			fmt.Fprintf(a.Text(), "  i%d -> i%d;\n", v.ID, s)
		}
	}
	fmt.Fprintln(a.Text(), "}")
}

func isDisassembly(program string) bool { return filepath.Ext(program) == ".dot" }

func intervalReports(a *app.App, out []intervals.Report, format string) error {
	switch format {
	case "json":
		return app.WriteJSON(a.Stdout, out)
	case "dot":
		for i := range out {
			intervalDot(a, &out[i])
		}
		return nil
	}
	for _, r := range out {
		fmt.Fprintf(a.Text(), "%s: %d of at most %d registers, %d instructions, largest working set %d\n",
			app.KernelName(r.Kernel), r.Count, r.Limit, r.Instructions, r.LargestWorkingSet)
		t := app.NewTable(a.Stdout)
		t.Row("id", "header", "instructions", "successors", "registers")
		for _, v := range r.Intervals {
			t.Row(v.ID, v.Header, v.Instructions, strings.Trim(fmt.Sprint(v.Successors), "[]"),
				strings.Join(v.Registers, " "))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
