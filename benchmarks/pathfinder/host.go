// Package pathfinder is Rodinia's dynamic program over a grid: the cheapest way
// from the bottom row to each cell of the top, several rows per launch.
package pathfinder

import (
	"cmp"
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "pathfinder"
	threads = 256
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"pfind"},
		Suite:   "Rodinia",
		Summary: "Cheapest path through a grid, row by row; 256 columns in shared memory advance several rows a " +
			"launch.",
		Papers:  map[string]string{"cerf": "cache low", "gebhart": "stand-in for simulation"},
		Kernels: []benchmarks.KernelInfo{{Name: "pathfinder", Block: benchmarks.Dim(threads), Shared: 2 * 4 * threads}},
		Outputs: []string{"even", "odd"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// wall has rows x cols cells. A launch processes pyramid rows.
type wall struct{ cols, rows, pyramid int }

var sizes = benchmarks.Sizes[wall]{
	Test:  wall{500, 8, 4},
	Small: wall{4096, 20, 20},
	Study: wall{236 * 210, 21, 10},
	Paper: &wall{100_000, 100, 20},
}

func run(c *benchmarks.Context, w wall) error {
	cells := c.Ints("wall", w.rows*w.cols, 0, 9)
	dwall := host.Upload(c.Device, "wall", cells)
	from, to := host.Upload(c.Device, "even", cells[:w.cols]), c.Alloc("odd", 4*w.cols)
	names := [2]string{"even", "odd"}

	state := append([]int32(nil), cells[:w.cols]...)
	previous := state
	for row := 0; row < w.rows-1; row += w.pyramid {
		steps := min(w.pyramid, w.rows-1-row)
		grid := benchmarks.Dim(benchmarks.CeilDiv(w.cols, threads-2*steps))
		err := c.Launch("pathfinder", grid, benchmarks.Dim(threads), host.U64(dwall), host.U64(from), host.U64(to),
			host.S32(int32(w.cols)), host.S32(int32(row)), host.S32(int32(steps)))
		if err != nil {
			return err
		}
		from, to = to, from
		names[0], names[1] = names[1], names[0]
		previous = state
		for t := row + 1; t <= row+steps; t++ {
			state = step(state, cells[t*w.cols:(t+1)*w.cols])
		}
	}
	return cmp.Or(benchmarks.Equal(names[0], host.Read[int32](c.Device, from, w.cols), state),
		benchmarks.Equal(names[1], host.Read[int32](c.Device, to, w.cols), previous))
}

// step returns the least costs after one more row.
func step(cost, row []int32) []int32 {
	out := make([]int32, len(row))
	for x, v := range row {
		out[x] = v + min(cost[max(x-1, 0)], cost[x], cost[min(x+1, len(cost)-1)])
	}
	return out
}
