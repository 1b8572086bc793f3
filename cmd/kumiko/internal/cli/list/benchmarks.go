package list

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kumiko/benchmarks"
	"kumiko/benchmarks/measured"
	"kumiko/cmd/kumiko/internal/cli/app"
	"kumiko/cmd/kumiko/internal/cli/programs"
	"kumiko/gpus/config"
	"kumiko/sm/occupancy"
)

// benchmarkRow is a built-in benchmark. Its executed instructions were measured on the functional emulator (package
// measured). The number of CTAs per SM is computed for every built-in GPU.
type benchmarkRow struct {
	Name    string                  `json:"name"`
	Aliases []string                `json:"aliases"`
	Suite   string                  `json:"suite"`
	Summary string                  `json:"summary"`
	Papers  map[string]string       `json:"papers"`
	Outputs []string                `json:"outputs"`
	Kernels []kernelRow             `json:"kernels"`
	Sizes   map[string]measured.Run `json:"measured"`
}

type kernelRow struct {
	Name      string `json:"name"`
	Block     [3]int `json:"block"`
	Threads   int    `json:"threads"`
	Shared    int    `json:"shared_bytes"`
	Registers struct {
		Used    int `json:"used"`
		Alloc4  int `json:"alloc4"`
		MaxLive int `json:"max_live"`
		Spilled int `json:"spilled_bytes"`
		Paper   int `json:"paper"` // 0: no paper prints it
	} `json:"registers"`
	Natural map[string]fitting `json:"occupancy_natural"`         // by GPU, with the allocator's footprint
	Paper   map[string]fitting `json:"occupancy_paper,omitempty"` // with the footprint printed in the papers
}

// fitting is the number of CTAs on an SM. If no CTA fits, it has a reason instead.
type fitting struct {
	CTAs   int    `json:"ctas_per_sm"`
	Limit  string `json:"limit"`
	Reason string `json:"does_not_fit,omitempty"`
}

func listBenchmarks(a *app.App) *cobra.Command {
	c := &cobra.Command{Use: "benchmarks [NAME...]",
		Short: "List the built-in benchmarks, or describe some of them",
		Long: `List the built-in benchmarks, one line each, or describe the ones that are named.

Columns:
  finereg  S: type-S (CTA or warp slots limit residency); R: type-R (registers or shared memory do)
  sharing  the benchmark set of Register Sharing
  ltrf     whether it is sensitive to the capacity of the register file
  cerf     its sensitivity to the cache; *: limited by registers
  block    dimensions of a CTA; block, regs, shared and limit describe the kernel that executes most
  regs     registers per thread: used, rounded up to 4, and in print
  shared   bytes of shared memory per CTA
  limit    the resource that limits residency on an SM of the GTX 980
  small    warp instructions at size small
  study    warp instructions at size study
  mem      share of the warp instructions that access memory, at size small
  lanes    mean number of lanes of 32 that execute, at size small
  reads    mean number of times that a register value is read, at size small`,
		Example: `  kumiko list benchmarks
  kumiko list benchmarks sgemm hotspot`}
	f := app.FormatFlag(c, "text", "json")
	c.RunE = func(_ *cobra.Command, names []string) error {
		apps := benchmarks.List()
		if len(names) > 0 {
			apps = nil
		}
		for _, n := range names {
			b := benchmarks.Find(n)
			if b == nil {
				return programs.UnknownBenchmark(n)
			}
			apps = append(apps, b)
		}
		rows, err := benchmarkRows(apps)
		if err != nil {
			return err
		}
		switch {
		case *f == "json":
			return app.WriteJSON(a.Stdout, rows)
		case len(names) > 0:
			return benchmarkDetails(a.Text(), rows)
		}
		return benchmarkLines(a.Text(), rows)
	}
	return c
}

func benchmarkRows(apps []*benchmarks.App) ([]benchmarkRow, error) {
	var configs []*config.Config
	for _, n := range config.Names() {
		c, err := config.Load(config.Request{GPU: n})
		if err != nil {
			return nil, err
		}
		configs = append(configs, c)
	}
	out := []benchmarkRow{}
	for _, b := range apps {
		m := measured.Of(b.Name)
		if m == nil {
			return nil, fmt.Errorf("benchmark %s has not been measured", b.Name)
		}
		row := benchmarkRow{Name: b.Name, Aliases: append([]string{}, b.Aliases...), Suite: b.Suite, Summary: b.Summary,
			Papers: map[string]string{}, Outputs: b.Outputs, Kernels: []kernelRow{}, Sizes: m.Sizes}
		maps.Copy(row.Papers, b.Papers)
		for i := range b.Kernels {
			k := &b.Kernels[i]
			row.Kernels = append(row.Kernels, newKernelRow(k, m.Kernel(k.Name), configs))
		}
		out = append(out, row)
	}
	return out, nil
}

func newKernelRow(k *benchmarks.KernelInfo, m *measured.Kernel, configs []*config.Config) kernelRow {
	row := kernelRow{Name: k.Name, Block: k.Block, Threads: k.Threads(), Shared: k.Shared,
		Natural: map[string]fitting{}}
	r := &row.Registers
	r.Used, r.Alloc4, r.MaxLive, r.Spilled, r.Paper = m.Used, m.Alloc4, m.MaxLive, m.Spilled, k.PaperRegisters
	if r.Paper != 0 {
		row.Paper = map[string]fitting{}
	}
	for _, c := range configs {
		row.Natural[c.Name] = fit(c, k, m.Charged[c.Name])
		if r.Paper != 0 {
			row.Paper[c.Name] = fit(c, k, r.Paper)
		}
	}
	return row
}

func fit(c *config.Config, k *benchmarks.KernelInfo, registers int) fitting {
	r, err := c.Occupancy.Of(c.Capacity(), occupancy.CTA{Threads: k.Threads(), Registers: registers,
		SharedBytes: k.Shared})
	if err != nil {
		return fitting{Reason: err.Error()}
	}
	return fitting{CTAs: r.CTAs, Limit: r.Limit}
}

// main returns the kernel that executes most at size study.
func (r *benchmarkRow) main() *kernelRow {
	work := r.Sizes[benchmarks.Study.String()].Work
	most := slices.MaxFunc(work, func(x, y measured.Work) int {
		return cmp.Compare(x.WarpInstructions,
			y.WarpInstructions)
	})
	return &r.Kernels[slices.IndexFunc(r.Kernels, func(k kernelRow) bool { return k.Name == most.Kernel })]
}

// benchmarkLines prints a line for each benchmark.
func benchmarkLines(w io.Writer, rows []benchmarkRow) error {
	t := app.NewTable(w)
	t.Row("name", "finereg", "sharing", "ltrf", "cerf", "block", "regs", "shared", "limit", "small", "study", "mem",
		"lanes", "reads")
	for i := range rows {
		r := &rows[i]
		k, s := r.main(), r.Sizes[benchmarks.Small.String()]
		t.Row(r.Name, short(r.Papers["finereg"]), short(r.Papers["sharing"]), short(r.Papers["ltrf"]),
			short(r.Papers["cerf"]),
			app.Dims(k.Block), registers(k), k.Shared, k.Natural["gtx980"].Limit, insts(r, benchmarks.Small),
			insts(r, benchmarks.Study),
			fmt.Sprintf("%.0f%%", 100*s.MemoryShare()), fmt.Sprintf("%.1f", s.Lanes()),
			fmt.Sprintf("%.2f", s.Values.ReadsPerValue()))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\nkumiko list benchmarks NAME describes one benchmark; --help explains the columns")
	return err
}

// short abbreviates a benchmark's class in a paper.
func short(class string) string {
	for _, s := range []struct{ in, out string }{
		{"type-S", "S"}, {"type-R", "R"}, {"insensitive", "no"}, {"sensitive", "yes"},
		{"cache high, register-limited", "high*"}, {"cache low, register-limited", "low*"}, {"cache high", "high"},
		{"cache low", "low"},
	} {
		if strings.Contains(class, s.in) {
			return s.out
		}
	}
	var sets []string
	for _, n := range []string{"1", "2"} {
		if strings.Contains(class, "set-"+n) {
			sets = append(sets, n)
		}
	}
	if len(sets) > 0 {
		return "set " + strings.Join(sets, ",")
	}
	return "-"
}

func registers(k *kernelRow) string {
	paper := "-"
	if k.Registers.Paper != 0 {
		paper = fmt.Sprint(k.Registers.Paper)
	}
	return fmt.Sprintf("%d/%d/%s", k.Registers.Used, k.Registers.Alloc4, paper)
}

func insts(r *benchmarkRow, s benchmarks.Size) string {
	return strings.ReplaceAll(app.Magnitude(float64(r.Sizes[s.String()].WarpInstructions)), " ", "")
}
