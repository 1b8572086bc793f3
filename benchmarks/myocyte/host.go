// Package myocyte replaces Rodinia's myocyte: heart cells integrated by an embedded Runge-Kutta-Fehlberg method,
// with a cell per thread, few threads, and long straight-line code. The cell model is Beeler's and Reuter's of
// 1977, with eight equations. The published program has 91.
package myocyte

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name      = "myocyte"
	threads   = 32
	variables = 8
	timeStep  = 0.01 // ms
	stimulus  = 2    // microampere per square centimetre
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:  name,
		Suite: "Rodinia",
		Summary: "Heart cells by an embedded Runge-Kutta-Fehlberg method: a cell per thread, CTAs of one warp, long " +
			"straight-line code with exponentials and divisions, many live values.",
		Papers:  map[string]string{"ltrf": "register-sensitive (inferred)"},
		Kernels: []benchmarks.KernelInfo{{Name: "solver", Block: benchmarks.Dim(threads)}},
		Outputs: []string{"state", "error"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// workload has the number of cells and of time steps.
type workload struct{ cells, steps int }

// Paper has Rodinia's four CTAs and a hundred steps.
var sizes = benchmarks.Sizes[workload]{
	Test:  workload{50, 3},
	Small: workload{64, 30},
	Study: workload{768 * threads, 1},
	Paper: &workload{4 * threads, 100},
}

func run(c *benchmarks.Context, w workload) error {
	state := initial(c, w.cells)
	dstate := host.Upload(c.Device, "state", state)
	derror := c.Alloc("error", 4*w.cells)
	err := c.Launch("solver", benchmarks.Dim(benchmarks.CeilDiv(w.cells, threads)), benchmarks.Dim(threads),
		host.U64(dstate), host.U64(derror), host.S32(int32(w.cells)), host.S32(int32(w.steps)), host.F32(timeStep),
		host.F32(stimulus))
	if err != nil {
		return err
	}
	want, worst := make([]float64, len(state)), make([]float64, w.cells)
	for i := range w.cells {
		var s [variables]float64
		for k := range s {
			s[k] = float64(state[k*w.cells+i])
		}
		s, worst[i] = integrate(s, w.steps)
		for k, v := range s {
			want[k*w.cells+i] = v
		}
	}
	// Exponentials are accurate to a few 1e-6 for arguments below ten, slopes reach some hundreds per ms, and a
	// step is a hundredth of a ms.
	if err := benchmarks.Close("state", host.Read[float32](c.Device, dstate, len(state)), want,
		benchmarks.Tolerance{Rel: 1e-4, Abs: 1e-4}); err != nil {
		return err
	}
	// The error estimate is a difference of slopes of this magnitude.
	return benchmarks.Close("error", host.Read[float32](c.Device, derror, w.cells), worst,
		benchmarks.Tolerance{Rel: 1e-3, Abs: 1e-4})
}

// initial returns cells at all phases of the cycle, stored variable by variable.
func initial(c *benchmarks.Context, cells int) []float32 {
	ranges := [variables][2]float32{{-84, 20}, {1, 50}, {0, 0.5}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0.2, 1}}
	var out []float32
	for k, name := range []string{"potential", "calcium", "x1", "m", "h", "j", "d", "f"} {
		out = append(out, c.Floats(name, cells, ranges[k][0], ranges[k][1])...)
	}
	return out
}
