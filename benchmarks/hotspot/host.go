// Package hotspot is Rodinia's thermal simulation of a chip: a five-point
// stencil with a ghost zone, two time steps per launch.
package hotspot

import (
	"cmp"
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "hotspot"
	doubles = "hotspot.double"
	tile    = 16
	pyramid = 2 // time steps per launch
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"HS"},
		Suite:   "Rodinia",
		Summary: "Transient thermal simulation in two dimensions; 16x16 tiles in shared memory advance two steps a " +
			"launch.",
		Papers: map[string]string{"gebhart": "stand-in for simulation", "finereg": "type-R"},
		Kernels: []benchmarks.KernelInfo{{Name: "hotspot", Block: benchmarks.Dim(tile, tile),
			Shared: 3 * 4 * tile * tile, PaperRegisters: 36}},
		Outputs: []string{"even", "odd"},
		New: benchmarks.New(name, source, &sizes,
			func(c *benchmarks.Context, g grid) error { return run(c, g, "hotspot") }),
	})
	benchmarks.Register(&benchmarks.App{
		Name:    doubles,
		Suite:   "Rodinia",
		Summary: "hotspot with the literals of a step as doubles, as the suite has them.",
		Papers:  map[string]string{"sharing": "set-1 (registers)"},
		Kernels: []benchmarks.KernelInfo{{Name: "hotspotDouble", Block: benchmarks.Dim(tile, tile),
			Shared: 3 * 4 * tile * tile, PaperRegisters: 36}},
		Outputs: []string{"even", "odd"},
		New: benchmarks.New(doubles, source, &sizes,
			func(c *benchmarks.Context, g grid) error { return run(c, g, "hotspotDouble") }),
	})
}

type grid struct{ rows, cols, steps int }

var sizes = benchmarks.Sizes[grid]{
	Test:  grid{20, 28, 3},
	Small: grid{64, 70, 4},
	Study: grid{216, 216, 4},
	Large: &grid{512, 512, 4},
	Paper: &grid{512, 512, 4},
}

// Constants of the model, in units that make one explicit step a contraction: step/cap (2/Rx + 2/Ry + 1/Rz) = 0.45
// < 1.
const (
	timeStep = 0.5
	heatCap  = 1
	rx       = 5
	ry       = 5
	rz       = 10
	ambient  = 80
)

func run(c *benchmarks.Context, g grid, kernel string) error {
	n := g.rows * g.cols
	power := c.Floats("power", n, 0, 1)
	temp := c.Floats("temperature", n, 320, 340)
	dp := host.Upload(c.Device, "power", power)
	// Both buffers are checked: one holds the last state, the other the previous state.
	from, to := host.Upload(c.Device, "even", temp), c.Alloc("odd", 4*n)
	names := [2]string{"even", "odd"}

	state, previous := benchmarks.Widen(temp), make([]float64, n)
	for done := 0; done < g.steps; done += pyramid {
		steps := min(pyramid, g.steps-done)
		inner := tile - 2*steps
		ctas := benchmarks.Dim(benchmarks.CeilDiv(g.cols, inner), benchmarks.CeilDiv(g.rows, inner))
		err := c.Launch(kernel, ctas, benchmarks.Dim(tile, tile),
			host.U64(dp), host.U64(from), host.U64(to), host.S32(int32(g.rows)), host.S32(int32(g.cols)),
			host.S32(int32(steps)), host.S32(int32(steps)),
			host.F32(timeStep), host.F32(heatCap), host.F32(rx), host.F32(ry), host.F32(rz))
		if err != nil {
			return err
		}
		from, to = to, from
		names[0], names[1] = names[1], names[0]
		copy(previous, state)
		for range steps {
			state = step(g, power, state)
		}
	}
	// A step does not amplify errors, and rounds a handful of times.
	tol := benchmarks.Tolerance{Rel: 1e-5}
	return cmp.Or(benchmarks.Close(names[0], host.Read[float32](c.Device, from, n), state, tol),
		benchmarks.Close(names[1], host.Read[float32](c.Device, to, n), previous, tol))
}

// step is one step of the whole field, the edge replicated.
func step(g grid, power []float32, t []float64) []float64 {
	out := make([]float64, len(t))
	at := func(y, x int) float64 {
		return t[min(max(y, 0), g.rows-1)*g.cols+min(max(x, 0), g.cols-1)]
	}
	for y := range g.rows {
		for x := range g.cols {
			now := at(y, x)
			out[y*g.cols+x] = now + timeStep/heatCap*(float64(power[y*g.cols+x])+
				(at(y+1, x)+at(y-1, x)-2*now)/ry+(at(y, x+1)+at(y, x-1)-2*now)/rx+(ambient-now)/rz)
		}
	}
	return out
}
