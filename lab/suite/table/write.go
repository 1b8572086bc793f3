package main

import (
	_ "embed"
	"fmt"
	"io"
	"sort"
	"strings"

	"kumiko/benchmarks"
	"kumiko/benchmarks/measured"
	"kumiko/lab/suite"
)

//go:embed head.md
var head string

// sizes are the sizes in the order of the columns.
var sizes = []string{"test", "small", "study"}

// row is an application with its figures.
type row struct {
	*benchmarks.App
	m *measured.App
}

// document writes lab/docs/benchmarks.md.
func document(w io.Writer, counts []measured.App, seconds []suite.Timing) error {
	var rows []row
	for _, a := range benchmarks.List() {
		r := row{App: a}
		for i := range counts {
			if counts[i].Name == a.Name {
				r.m = &counts[i]
			}
		}
		if r.m == nil {
			return fmt.Errorf("%s has not been measured", a.Name)
		}
		rows = append(rows, r)
	}
	fmt.Fprint(w, head)
	writeApps(w, rows)
	writeKernels(w, rows)
	if err := writeRegisters(w, rows); err != nil {
		return err
	}
	if err := writeComparison(w, rows); err != nil {
		return err
	}
	writeValues(w, rows)
	writeStandIns(w, rows)
	writeWaves(w, rows)
	writeSeconds(w, seconds)
	return nil
}

// tableHead begins a table.
func tableHead(w io.Writer, columns ...string) {
	fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(columns, " | "), strings.Repeat("---|", len(columns)))
}

func writeApps(w io.Writer, rows []row) {
	fmt.Fprint(w, "\n## Applications\n\nWarp instructions at each size, launches at size study, mean lanes of 32 and "+
		"the share of memory instructions there.\n\n")
	tableHead(w, append(append([]string{"application", "suite"}, sizes...), "launches", "lanes", "memory")...)
	for _, r := range rows {
		fmt.Fprintf(w, "| %s | %s |", r.Name, r.Suite)
		for _, s := range sizes {
			fmt.Fprintf(w, " %d |", r.m.Sizes[s].WarpInstructions)
		}
		s := r.m.Sizes["study"]
		fmt.Fprintf(w, " %d | %.1f | %.0f %% |\n", s.Launches, s.Lanes(), 100*s.MemoryShare())
	}
	fmt.Fprint(w, "\nThe work of each, and its class in the papers:\n\n")
	for _, r := range rows {
		fmt.Fprintf(w, "- **%s**: %s", r.Name, r.Summary)
		if p := papers(r.App); p != "" {
			fmt.Fprintf(w, " *%s*", p)
		}
		fmt.Fprintln(w)
	}
}

func writeKernels(w io.Writer, rows []row) {
	fmt.Fprint(w, "\n## Kernels\n\n")
	fmt.Fprint(w, "CTAs is the largest launch at size study, beside the number for three waves. Registers per "+
		"thread: used by the\n",
		"allocator, rounded up to four, the most live at once, and printed by the papers for the published "+
			"kernel.\n\n")
	tableHead(w, "application", "kernel", "block", "shared bytes", "CTAs", "three waves", "share of instructions",
		"registers", "rounded", "live", "paper")
	for _, r := range rows {
		s := r.m.Sizes["study"]
		for i := range r.Kernels {
			k, m := &r.Kernels[i], r.m.Kernel(r.Kernels[i].Name)
			fmt.Fprintf(w, "| %s | %s | %s | %d | %d | %d | %.0f %% | %d | %d | %d | %s |\n", r.Name, k.Name,
				block(k.Block), k.Shared,
				s.Work[i].CTAs, benchmarks.StudyCTAs(k.Threads()),
				100*float64(s.Work[i].WarpInstructions)/float64(s.WarpInstructions),
				m.Used, m.Alloc4, m.MaxLive, printed(k.PaperRegisters))
		}
	}
}

func writeValues(w io.Writer, rows []row) {
	fmt.Fprint(w, "\n## Values\n\n")
	fmt.Fprint(w, "Reads of the values in warp registers, at size small: reads per value, and the shares of all "+
		"values that are read\n",
		"once, once and within three instructions after they were written, more than twice, and never. "+
			"Gebhart et al. (section 2.2)\n",
		"report for their traces at most 70 % read once, about 10 % more than twice, at most 40 % once and soon.\n\n")
	tableHead(w, "application", "reads per value", "once", "once and soon", "more than twice", "never",
		"off-chip memory instructions")
	for _, r := range rows {
		s := r.m.Sizes["small"]
		v := &s.Values
		fmt.Fprintf(w, "| %s | %.2f | %.0f %% | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n", r.Name, v.ReadsPerValue(),
			100*v.Share(v.Once),
			100*v.Share(v.Soon), 100*v.Share(v.MoreThan2), 100*v.Share(v.Never), 100*s.OffChipShare())
	}
}

// categories are the categories of traces in Gebhart et al., table 1, with the number of traces and the paper's
// examples.
var categories = []struct{ name, traces, examples string }{
	{"video processing", "19", "H264 encoder, video enhancement"},
	{"simulation", "11", "molecular dynamics, graphics, path finding"},
	{"image processing", "7", "blur, JPEG"},
	{"HPC", "18", "DGEMM, SGEMM, FFT"},
	{"shader", "155", "12 games"},
}

func writeStandIns(w io.Writer, rows []row) {
	fmt.Fprint(w, "\n## Stand-ins for the traces of Gebhart et al.\n\n")
	fmt.Fprint(w, "The traces of ISCA 2011 are proprietary. These applications stand in for their categories (table "+
		"1). They are not those\n",
		"programs, and the shaders are the project's own. The table has shares of all values, by category, at size "+
			"small.\n\n")
	tableHead(w, "category", "traces", "examples in the paper", "applications", "once", "once and soon",
		"more than once", "more than twice")
	for _, c := range categories {
		var names []string
		var v measured.Values
		for _, r := range rows {
			if r.Papers["gebhart"] != "stand-in for "+c.name {
				continue
			}
			names = append(names, r.Name)
			x := r.m.Sizes["small"].Values
			v.Written += x.Written
			v.Never += x.Never
			v.Once += x.Once
			v.Soon += x.Soon
			v.MoreThan2 += x.MoreThan2
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %.0f %% | %.0f %% | %.0f %% | %.0f %% |\n", c.name, c.traces, c.examples,
			strings.Join(names, ", "),
			100*v.Share(v.Once), 100*v.Share(v.Soon), 100*v.Share(v.Written-v.Never-v.Once), 100*v.Share(v.MoreThan2))
	}
	fmt.Fprintln(w, "| the paper, all | | | | at most 70 % | at most 40 % | HPC: 40 % | about 10 % |")
}

func writeWaves(w io.Writer, rows []row) {
	fmt.Fprint(w, "\n## Launches with fewer than three waves at size study\n\n")
	fmt.Fprint(w, "The table has every kernel whose largest launch has fewer CTAs than three waves on four SMs at "+
		"twice the residency of 32 CTAs\n",
		"or 2048 threads per SM.\n\n")
	tableHead(w, "application", "kernel", "CTAs", "three waves", "share of instructions", "why")
	for _, r := range rows {
		s := r.m.Sizes["study"]
		for i := range r.Kernels {
			k := &r.Kernels[i]
			if want := benchmarks.StudyCTAs(k.Threads()); s.Work[i].CTAs < want {
				fmt.Fprintf(w, "| %s | %s | %d | %d | %.0f %% | %s |\n", r.Name, k.Name, s.Work[i].CTAs, want,
					100*float64(s.Work[i].WarpInstructions)/float64(s.WarpInstructions), few[r.Name+" "+k.Name])
			}
		}
	}
}

func writeSeconds(w io.Writer, seconds []suite.Timing) {
	if len(seconds) == 0 {
		return
	}
	fmt.Fprint(w, "\n## Time of size study\n\n")
	fmt.Fprint(w, "Processor time in user mode of `kumiko run NAME --size study --set slice.sms=4` (gtx980), one at "+
		"a time on a shared\n",
		"machine of two cores. A quiet machine needs less.\n\n")
	tableHead(w, "application", "seconds", "warp instructions", "cycles", "instructions per second")
	total := 0.0
	for _, t := range seconds {
		total += t.Seconds
		fmt.Fprintf(w, "| %s | %.1f | %d | %d | %.0f k |\n", t.Name, t.Seconds, t.Insts, t.Cycles,
			float64(t.Insts)/t.Seconds/1000)
	}
	fmt.Fprintf(w, "| all %d | %.0f | | | |\n", len(seconds), total)
}

func printed(registers int) string {
	if registers == 0 {
		return "-"
	}
	return fmt.Sprint(registers)
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
