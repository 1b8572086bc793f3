// Package syr2k is Polybench's symmetric rank-2k update: C = beta C +
// alpha A B^T + alpha B A^T.
package syr2k

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/benchmarks/internal/polybench"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const name = "syr2k"

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"SY2"},
		Suite:   "Polybench-GPU",
		Summary: "C = beta C + alpha A B^T + alpha B A^T, a thread per element: four loads a step, two of them with " +
			"lanes a row apart.",
		Papers:  map[string]string{"finereg": "type-S"},
		Kernels: []benchmarks.KernelInfo{{Name: "syr2k", Block: benchmarks.Dim(32, 8)}},
		Outputs: []string{"C"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// shape has the sizes of the matrices: C is n x n, A and B are n x m.
type shape struct{ n, m int }

// Paper is Polybench-GPU's standard size.
var sizes = benchmarks.Sizes[shape]{
	Test:  shape{30, 12},
	Small: shape{72, 48},
	Study: shape{232, 48},
	Paper: &shape{1024, 1024},
}

func run(c *benchmarks.Context, s shape) error {
	const alpha, beta = 1.5, 0.75
	a, b, before := c.Floats("A", s.n*s.m, 0, 1), c.Floats("B", s.n*s.m, 0, 1), c.Floats("C", s.n*s.n, 0, 1)
	da, db, dc := host.Upload(c.Device, "A", a), host.Upload(c.Device, "B", b), host.Upload(c.Device, "C", before)
	grid := benchmarks.Dim(benchmarks.CeilDiv(s.n, 32), benchmarks.CeilDiv(s.n, 8))
	err := c.Launch("syr2k", grid, benchmarks.Dim(32, 8), host.S32(int32(s.n)), host.S32(int32(s.m)),
		host.F32(alpha), host.F32(beta), host.U64(da), host.U64(db), host.U64(dc))
	if err != nil {
		return err
	}
	ab, ba := polybench.TimesTransposed(a, b, s.n, s.m), polybench.TimesTransposed(b, a, s.n, s.m)
	want := make([]float64, s.n*s.n)
	for i := range want {
		want[i] = alpha*(ab[i]+ba[i]) + beta*float64(before[i])
	}
	// Up to 2049 positive terms, two roundings each: 4098 * 2^-24 at most.
	return benchmarks.Close("C", host.Read[float32](c.Device, dc, s.n*s.n), want, benchmarks.Tolerance{Rel: 2.5e-4})
}
