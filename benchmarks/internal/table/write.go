package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"kumiko/benchmarks"
)

const head = `# Built-in applications

Made by ` + "`go run ./benchmarks/internal/table`" + ` from the registry and from runs on the functional emulator in
machine form (default compiler options). The kernels are the project's own, written from descriptions of the published
applications; inputs are synthetic and seeded. Every element of every output is compared with a computation in Go.

Warp instructions are those of the whole program at a size; lanes is how many of 32 lanes execute on average at the
largest size run. CTAs is the largest launch at that size, and the number that three waves at twice an SM's residency
on four SMs would take. Registers per thread: what the allocator uses, the most live at once, and what the papers
print for the published kernel.
`

func write(w io.Writer, sizes []benchmarks.Size, rows []*row) {
	fmt.Fprint(w, head)
	fmt.Fprint(w, "\n| application | suite | what it does | papers |")
	for _, s := range sizes {
		fmt.Fprintf(w, " %v |", s)
	}
	fmt.Fprint(w, " launches | lanes |\n|---|---|---|---|")
	fmt.Fprintln(w, strings.Repeat("---|", len(sizes)+2))
	for _, r := range rows {
		fmt.Fprintf(w, "| %s | %s | %s | %s |", r.app.Name, r.app.Suite, r.app.Summary, papers(r.app))
		for _, m := range r.sizes {
			fmt.Fprintf(w, " %d |", m.insts)
		}
		last := r.sizes[len(r.sizes)-1]
		fmt.Fprintf(w, " %d | %.1f |\n", last.launches, float64(last.lanes)/float64(last.insts))
	}
	fmt.Fprint(w, "\n| application | kernel | block | shared bytes | CTAs | three waves | share of instructions | registers | live | paper |\n")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|")
	for _, r := range rows {
		last := r.sizes[len(r.sizes)-1]
		for i := range r.app.Kernels {
			writeKernel(w, r.app.Name, &r.app.Kernels[i], last)
		}
	}
}

func writeKernel(w io.Writer, app string, k *benchmarks.KernelInfo, m *measurement) {
	paper := "-"
	if k.PaperRegisters != 0 {
		paper = fmt.Sprint(k.PaperRegisters)
	}
	rep := m.reports[k.Name]
	fmt.Fprintf(w, "| %s | %s | %s | %d | %d | %d | %.0f %% | %d | %d | %s |\n", app, k.Name, block(k.Block), m.shared[k.Name], m.ctas[k.Name],
		benchmarks.StudyCTAs(k.Threads()), 100*float64(m.share[k.Name])/float64(m.insts), rep.Used, rep.MaxLive, paper)
}

func block(b [3]int) string {
	s := fmt.Sprint(b[0])
	for i := 1; i < 3; i++ {
		if b[i] > 1 || b[2] > 1 {
			s += fmt.Sprintf("x%d", b[i])
		}
	}
	return s
}

func papers(a *benchmarks.App) string {
	var out []string
	for paper, class := range a.Papers {
		out = append(out, paper+": "+class)
	}
	sort.Strings(out)
	return strings.Join(out, "; ")
}
