// Package transpose is the matrix transposition of the CUDA SDK: 32x32 tiles
// through shared memory, padded by one column against bank conflicts.
package transpose

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name = "transpose"
	tile = 32
	rows = 8 // rows of threads
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"TR", "TP"},
		Suite:   "CUDA SDK",
		Summary: "Transposes a matrix by 32x32 tiles in padded shared memory (32x33 words); memory traffic and " +
			"nothing else.",
		Papers: map[string]string{"finereg": "type-R"},
		Kernels: []benchmarks.KernelInfo{{Name: "transpose", Block: benchmarks.Dim(tile, rows),
			Shared: 4 * tile * (tile + 1)}},
		Outputs: []string{"out"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

type shape struct{ rows, cols int }

// Test has partial tiles on both edges.
var sizes = benchmarks.Sizes[shape]{
	Test:  shape{70, 90},
	Small: shape{384, 416},
	Study: shape{768, 736},
	Paper: &shape{1024, 1024},
}

func run(c *benchmarks.Context, s shape) error {
	n := s.rows * s.cols
	in := c.Floats("in", n, -1, 1)
	din := host.Upload(c.Device, "in", in)
	dout := c.Alloc("out", 4*n)
	grid := benchmarks.Dim(benchmarks.CeilDiv(s.cols, tile), benchmarks.CeilDiv(s.rows, tile))
	err := c.Launch("transpose", grid, benchmarks.Dim(tile, rows),
		host.U64(din), host.U64(dout), host.S32(int32(s.rows)), host.S32(int32(s.cols)))
	if err != nil {
		return err
	}
	want := make([]float32, n)
	for y := range s.rows {
		for x := range s.cols {
			want[x*s.rows+y] = in[y*s.cols+x]
		}
	}
	return benchmarks.Equal("out", host.Read[float32](c.Device, dout, n), want)
}
