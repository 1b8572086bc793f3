// Command loaduse prints the table "From load to use" of lab/docs/validation/peers.md: the number of instructions from
// a load to the first use of its value in the same straight run of instructions, in real SASS and, for each mode of
// instruction scheduling, in the built-in kernels. Run it from the repository's root:
//
//	go run ./lab/validation/loaduse ../shared/data/cfg/*.dot ../shared/data/modern/sm75-static/*.cuasm
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"

	"kumiko/benchmarks"
	_ "kumiko/benchmarks/all"
	"kumiko/gpus/config"
	"kumiko/kernel/compiler"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "loaduse:", err)
		os.Exit(1)
	}
}

func run(files []string) error {
	fmt.Println("| code | loads | median | mean | within 3 | within 8 |")
	fmt.Println("|---|---|---|---|---|---|")
	var all []float64
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		d := sassDistances(string(text))
		row(filepath.Base(f), d)
		all = append(all, d...)
	}
	if len(all) > 0 {
		row("SASS, all", all)
	}
	cfg, err := config.Load(config.Request{GPU: "gtx980"})
	if err != nil {
		return err
	}
	for _, schedule := range []string{"pressure", "latency"} {
		var d []float64
		for _, app := range benchmarks.List() {
			more, err := ours(app, cfg, schedule)
			if err != nil {
				return fmt.Errorf("%s: %w", app.Name, err)
			}
			d = append(d, more...)
			if app.Name == "hotspot" || app.Name == "bfs" {
				row(app.Name+" of these, schedule "+schedule, more)
			}
		}
		row("built-in kernels, schedule "+schedule, d)
	}
	return nil
}

func row(name string, d []float64) {
	sort.Float64s(d)
	within := func(n float64) float64 { return stat.CDF(n, stat.Empirical, d, nil) * 100 }
	fmt.Printf("| %s | %d | %.0f | %.1f | %.0f %% | %.0f %% |\n", name, len(d),
		stat.Quantile(0.5, stat.Empirical, d, nil), stat.Mean(d, nil), within(3), within(8))
}

// ours returns the load-to-use distances in the kernels launched by an application. Each kernel counts once.
func ours(app *benchmarks.App, cfg *config.Config, schedule string) ([]float64, error) {
	p, err := app.New(benchmarks.Test)
	if err != nil {
		return nil, err
	}
	var l launches
	err = p.Run(&host.Device{Mem: &mem.Memory{}, Runner: &l})
	if err != nil && !errors.As(err, new(*host.CheckError)) {
		return nil, err
	}
	var out []float64
	for name, first := range l {
		o := cfg.CompilerOptions(0, first.Threads())
		o.Ahead = schedule == "latency"
		k, err := compiler.Compile(first.Module.Kernel(name), o)
		if err != nil {
			return nil, err
		}
		out = append(out, distances(k)...)
	}
	return out, nil
}

// launches records the first launch of each kernel and runs none.
type launches map[string]*host.Launch

func (l *launches) Launch(x *host.Launch) error {
	if *l == nil {
		*l = launches{}
	}
	if (*l)[x.Kernel] == nil {
		c := *x
		(*l)[x.Kernel] = &c
	}
	return nil
}

// distances returns the load-to-use distances of a kernel.
func distances(k *ir.Kernel) []float64 {
	starts := make([]bool, len(k.Insts)+1)
	for i := range k.Insts {
		starts[k.Insts[i].Target] = starts[k.Insts[i].Target] || k.Insts[i].Op == ir.OpBra
		for _, t := range k.Insts[i].Targets {
			starts[t] = true
		}
	}
	var out []float64
	for i := range k.Insts {
		if in := &k.Insts[i]; in.Op != ir.OpLd || in.Space == ir.Const || in.Space == ir.Param {
			continue
		}
		for j := i + 1; j < len(k.Insts) && !starts[j]; j++ {
			if reads(&k.Insts[j].T, &k.Insts[i].T) {
				out = append(out, float64(j-i))
				break
			}
			if op := k.Insts[j].Op; op == ir.OpBra || op == ir.OpBrx || op == ir.OpExit {
				break
			}
		}
	}
	return out
}

// reads reports whether instruction t reads a register written by load.
func reads(t, load *ir.Timing) bool {
	for _, d := range load.Dst[:load.NDst] {
		if slices.Contains(t.Src[:t.NSrc], d) {
			return true
		}
	}
	return false
}
