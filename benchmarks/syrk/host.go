// Package syrk is Polybench's symmetric rank-k update: C = beta C + alpha A A^T.
package syrk

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/benchmarks/internal/polybench"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const name = "syrk"

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:  name,
		Suite: "Polybench-GPU",
		Summary: "C = beta C + alpha A A^T, a thread per element: the lanes of a warp read rows of A that lie a row " +
			"apart.",
		Papers:  map[string]string{"cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{{Name: "syrk", Block: benchmarks.Dim(32, 8)}},
		Outputs: []string{"C"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// shape has the sizes of the matrices: C is n x n, A is n x m.
type shape struct{ n, m int }

// Paper is Polybench-GPU's standard size.
var sizes = benchmarks.Sizes[shape]{
	Test:  shape{30, 20},
	Small: shape{72, 64},
	Study: shape{232, 64},
	Paper: &shape{1024, 1024},
}

func run(c *benchmarks.Context, s shape) error {
	const alpha, beta = 1.5, 0.75
	a, before := c.Floats("A", s.n*s.m, 0, 1), c.Floats("C", s.n*s.n, 0, 1)
	da, dc := host.Upload(c.Device, "A", a), host.Upload(c.Device, "C", before)
	grid := benchmarks.Dim(benchmarks.CeilDiv(s.n, 32), benchmarks.CeilDiv(s.n, 8))
	err := c.Launch("syrk", grid, benchmarks.Dim(32, 8), host.S32(int32(s.n)), host.S32(int32(s.m)),
		host.F32(alpha), host.F32(beta), host.U64(da), host.U64(dc))
	if err != nil {
		return err
	}
	want := polybench.TimesTransposed(a, a, s.n, s.m)
	for i := range want {
		want[i] = alpha*want[i] + beta*float64(before[i])
	}
	// Up to 1025 positive terms, two roundings each: 2050 * 2^-24 at most.
	return benchmarks.Close("C", host.Read[float32](c.Device, dc, s.n*s.n), want, benchmarks.Tolerance{Rel: 1.3e-4})
}
