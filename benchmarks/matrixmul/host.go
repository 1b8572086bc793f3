// Package matrixmul is the CUDA SDK's matrix product in tiles of 32x32 in shared memory.
package matrixmul

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name = "matrixMul"
	tile = 32
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"mmul"},
		Suite:   "CUDA SDK",
		Summary: "C = A B in tiles of 32x32 in shared memory: CTAs of 1024 threads, two barriers a tile, unrolled " +
			"products.",
		Papers: map[string]string{"gebhart": "stand-in for HPC", "cerf": "cache low"},
		Kernels: []benchmarks.KernelInfo{{Name: "matrixMul", Block: benchmarks.Dim(tile, tile),
			Shared: 2 * 4 * tile * tile}},
		Outputs: []string{"C"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// shape has the sizes of the matrices, in multiples of 32: A is h x k, B k x w.
type shape struct{ h, w, k int }

// Paper is the SDK's default.
var sizes = benchmarks.Sizes[shape]{
	Test:  shape{32, 64, 64},
	Small: shape{96, 128, 128},
	Study: shape{192, 320, 128},
	Paper: &shape{320, 640, 320},
}

func run(c *benchmarks.Context, s shape) error {
	a, b := c.Floats("A", s.h*s.k, 0, 1), c.Floats("B", s.k*s.w, 0, 1)
	da, db, dc := host.Upload(c.Device, "A", a), host.Upload(c.Device, "B", b), c.Alloc("C", 4*s.h*s.w)
	err := c.Launch("matrixMul", benchmarks.Dim(s.w/tile, s.h/tile), benchmarks.Dim(tile, tile),
		host.U64(da), host.U64(db), host.U64(dc), host.S32(int32(s.k)), host.S32(int32(s.w)))
	if err != nil {
		return err
	}
	want := make([]float64, s.h*s.w)
	for i := range s.h {
		for k := range s.k {
			for j := range s.w {
				want[i*s.w+j] += float64(a[i*s.k+k]) * float64(b[k*s.w+j])
			}
		}
	}
	// At most 320 positive terms: 320 * 2^-24.
	return benchmarks.Close("C", host.Read[float32](c.Device, dc, s.h*s.w), want, benchmarks.Tolerance{Rel: 2e-5})
}
