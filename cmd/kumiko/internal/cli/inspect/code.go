package inspect

import (
	"fmt"
	"strings"

	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/kernel/compiler/cfg"
	"kumiko/kernel/compiler/liveness"
	"kumiko/kernel/ir"
	"kumiko/kernel/launch"
)

type blockJSON struct {
	ID           int      `json:"id"`
	Start        int      `json:"start"`
	End          int      `json:"end"` // first PC behind it
	Successors   []int    `json:"successors"`
	Predecessors []int    `json:"predecessors"`
	Exits        bool     `json:"exits"`
	IPDom        int      `json:"ipdom"` // -1: the exit
	Depth        int      `json:"loop_depth"`
	Instructions []string `json:"instructions"`
}

type cfgJSON struct {
	Kernel string      `json:"kernel"`
	Blocks []blockJSON `json:"blocks"`
}

func graphOf(k *ir.Kernel) cfgJSON {
	g := cfg.Build(k.Insts)
	ipdom, depth := g.IPDom(), g.Depth()
	out := cfgJSON{Kernel: k.Name}
	for i, b := range g.Blocks {
		j := blockJSON{ID: i, Start: b.Start, End: b.End, Successors: append([]int{}, b.Succs...),
			Predecessors: append([]int{}, b.Preds...),
			Exits:        b.Exits, IPDom: ipdom[i], Depth: depth[i]}
		for pc := b.Start; pc < b.End; pc++ {
			j.Instructions = append(j.Instructions, k.Insts[pc].String())
		}
		out.Blocks = append(out.Blocks, j)
	}
	return out
}

func inspectCFG(a *app.App, kernels []inspected, format string) error {
	graphs := []cfgJSON{}
	for _, k := range kernels {
		graphs = append(graphs, graphOf(k.Kernel))
	}
	switch format {
	case "json":
		return app.WriteJSON(a.Stdout, graphs)
	case "dot":
		for i := range graphs {
			dot(a, &graphs[i])
		}
		return nil
	}
	for i := range graphs {
		cfgText(a, &graphs[i])
	}
	return nil
}

func cfgText(a *app.App, g *cfgJSON) {
	fmt.Fprintf(a.Text(), "%s\n", app.KernelName(g.Kernel))
	for _, b := range g.Blocks {
		next := strings.Trim(fmt.Sprint(b.Successors), "[]")
		if b.Exits {
			next = strings.TrimSpace(next + " exit")
		}
		fmt.Fprintf(a.Text(), "block %d -> %s (loop depth %d)\n", b.ID, next, b.Depth)
		for i, in := range b.Instructions {
			fmt.Fprintf(a.Text(), "  %4d  %s\n", b.Start+i, in)
		}
	}
}

// dot writes a graph for Graphviz.
func dot(a *app.App, g *cfgJSON) {
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	fmt.Fprintf(a.Text(), "digraph \"%s\" {\n  node [shape=box, fontname=monospace];\n",
		quote.Replace(launch.Shown(g.Kernel)))
	for _, b := range g.Blocks {
		var label strings.Builder
		for i, in := range b.Instructions {
			fmt.Fprintf(&label, "%4d  %s\\l", b.Start+i, quote.Replace(in))
		}
		fmt.Fprintf(a.Text(), "  b%d [label=\"%s\"];\n", b.ID, label.String())
		for _, s := range b.Successors {
			fmt.Fprintf(a.Text(), "  b%d -> b%d;\n", b.ID, s)
		}
		if b.Exits {
			fmt.Fprintf(a.Text(), "  b%d -> exit;\n", b.ID)
		}
	}
	fmt.Fprintln(a.Text(), "}")
}

type liveJSON struct {
	Kernel       string     `json:"kernel"`
	Instructions []liveInst `json:"instructions"`
}

type liveInst struct {
	PC          int      `json:"pc"`
	Instruction string   `json:"instruction"`
	Live        []string `json:"live"` // before it
	// Dies has the sources not needed by any lane after this instruction.
	Dies []string `json:"dies"`
	// Waits marks the first use of a result of a long-latency operation.
	Waits bool `json:"long_latency_consumer"`
}

// marksOf copies the compiler's marks of an instruction.
func (l *liveInst) marksOf(t *ir.Timing) {
	l.Dies, l.Waits = []string{}, t.LongConsumer
	for i, r := range t.Src[:t.NSrc] {
		if t.Dead>>i&1 != 0 {
			l.Dies = append(l.Dies, fmt.Sprintf("R%d", r))
		}
	}
}

func livenessOf(k *ir.Kernel) liveJSON {
	info := liveness.Analyze(k, cfg.Build(k.Insts))
	out := liveJSON{Kernel: k.Name, Instructions: []liveInst{}}
	for pc, v := range info.Vectors() {
		if pc >= len(k.Insts) {
			break
		}
		l := liveInst{PC: pc, Instruction: k.Insts[pc].String(), Live: []string{}}
		for _, r := range info.Registers(v) {
			l.Live = append(l.Live, fmt.Sprintf("R%d", r))
		}
		l.marksOf(&k.Insts[pc].T)
		out.Instructions = append(out.Instructions, l)
	}
	return out
}

func inspectLiveness(a *app.App, kernels []inspected, format string) error {
	out := []liveJSON{}
	for _, k := range kernels {
		out = append(out, livenessOf(k.Kernel))
	}
	if format == "json" {
		return app.WriteJSON(a.Stdout, out)
	}
	for _, k := range out {
		t := app.NewTable(a.Stdout)
		t.Row(app.KernelName(k.Kernel))
		t.Row("pc", "live", "instruction", "last read of", "waits", "registers")
		for _, l := range k.Instructions {
			waits := ""
			if l.Waits {
				waits = "long"
			}
			t.Row(l.PC, len(l.Live), l.Instruction, strings.Join(l.Dies, " "), waits, strings.Join(l.Live, " "))
		}
		if err := t.Flush(); err != nil {
			return err
		}
	}
	return nil
}
