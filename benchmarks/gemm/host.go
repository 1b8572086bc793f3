// Package gemm is Polybench's matrix product without blocking: C = alpha A B +
// beta C, a thread per element.
package gemm

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const name = "gemm"

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Suite:   "Polybench-GPU",
		Summary: "C = alpha A B + beta C, a thread per element and no blocking: all reuse is the cache's.",
		Papers:  map[string]string{"cerf": "cache high", "gebhart": "stand-in for HPC"},
		Kernels: []benchmarks.KernelInfo{{Name: "gemm", Block: benchmarks.Dim(32, 8)}},
		Outputs: []string{"C"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

type shape struct{ ni, nj, nk int }

// Paper is Polybench-GPU's standard size.
var sizes = benchmarks.Sizes[shape]{
	Test:  shape{20, 40, 20},
	Small: shape{64, 96, 64},
	Study: shape{128, 416, 96},
	Paper: &shape{512, 512, 512},
}

func run(c *benchmarks.Context, s shape) error {
	const alpha, beta = 1.5, 0.75
	a, b := c.Floats("A", s.ni*s.nk, 0, 1), c.Floats("B", s.nk*s.nj, 0, 1)
	before := c.Floats("C", s.ni*s.nj, 0, 1)
	da, db, dc := host.Upload(c.Device, "A", a), host.Upload(c.Device, "B", b), host.Upload(c.Device, "C", before)
	grid := benchmarks.Dim(benchmarks.CeilDiv(s.nj, 32), benchmarks.CeilDiv(s.ni, 8))
	err := c.Launch("gemm", grid, benchmarks.Dim(32, 8), host.S32(int32(s.ni)), host.S32(int32(s.nj)),
		host.S32(int32(s.nk)),
		host.F32(alpha), host.F32(beta), host.U64(da), host.U64(db), host.U64(dc))
	if err != nil {
		return err
	}
	want := make([]float64, s.ni*s.nj)
	for i := range s.ni {
		for j := range s.nj {
			var sum float64
			for k := range s.nk {
				sum += float64(a[i*s.nk+k]) * float64(b[k*s.nj+j])
			}
			want[i*s.nj+j] = alpha*sum + beta*float64(before[i*s.nj+j])
		}
	}
	// Up to 513 positive terms, two roundings each: 1026 * 2^-24 at most.
	return benchmarks.Close("C", host.Read[float32](c.Device, dc, s.ni*s.nj), want, benchmarks.Tolerance{Rel: 1e-4})
}
