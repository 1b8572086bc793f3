package main

import (
	"fmt"
	"io"
	"sort"
	"strings"

	"kumiko/benchmarks"
)

const head = `# Built-in applications

Made by ` + "`go run ./benchmarks/internal/table >docs/benchmarks.md`" + ` from the registry and from runs on the functional
emulator in machine form (default compiler options).

The kernels are the project's own CUDA C++, written from descriptions of the published applications: block size, shared
memory, locality and divergence are theirs, the code and the inputs (synthetic, seeded, another seed for every buffer)
are not. ` + "`scripts/kernels.sh`" + ` compiles them with clang 19 and no CUDA toolkit; ` + "`scripts/kernels.sh --check`" + ` says whether
the PTX in the tree is what they compile to. The host side compares every element of every output with a computation in
Go in double precision or integers, exactly where arithmetic allows it and otherwise within a tolerance that is derived
where it is stated.

Sizes: test (under 20,000 warp instructions), small (about 50,000 to 300,000), study (at most about three million, many
CTAs with little work each), paper (the published input where one is known; iterations are cut where the application's
source says so). At size study a launch of the main kernel has at least three waves on four SMs at twice the residency
of 32 CTAs or 2048 threads per SM, except:

* tpacf, sto and leukocyte, whose shared memory allows fewer CTAs than that, and cfd, whose registers do: three waves at
  the most that a 96-KB, 256-KB SM holds, or more;
* lud, nw and the norm of gramschmidt, where the algorithm itself offers fewer CTAs; nn, where layers 3 and 4 are a few
  CTAs of one thread; sad, which has 576 of 768;
* atax, bicg and mvt multiply a tall matrix by rows and a wide one by columns there, where one square matrix with as
  many CTAs would take hundreds of millions of instructions.

Departures from the published programs: lavaMD is in single precision; mum and dct8x8 read memory where the originals
have textures; myocyte is an eight-variable cell model and wp a simplified microphysics of the same structure as the
originals.

In the tables, lanes is how many of 32 lanes execute on average at the largest size run. CTAs is the largest launch at
that size, beside the number for three waves as above. Registers per thread: what the allocator uses, the most live at
once, and what the papers print for the published kernel (the footprint that a run is charged for can be set to it).
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
