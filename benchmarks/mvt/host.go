// Package mvt is Polybench's pair of matrix-vector products: x1 += A y1 and
// x2 += A^T y2.
package mvt

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/benchmarks/internal/ref"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "mvt"
	threads = 256
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Suite:   "Polybench-GPU",
		Summary: "x1 += A y1 and x2 += A^T y2: a thread per row with rows apart, then a thread per column, coalesced.",
		Papers:  map[string]string{"cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "mvt_kernel1", Block: benchmarks.Dim(threads)},
			{Name: "mvt_kernel2", Block: benchmarks.Dim(threads)},
		},
		Outputs: []string{"x1", "x2"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// shapes are of the tall matrix (rows x cols, a thread per row) and the wide one
// (cols x rows, a thread per column). Polybench uses one square matrix for both,
// as sizes test, small and paper do here; 200 CTAs of that would need 51,200
// rows, so at size study the two products are of two matrices.
type shapes struct{ rows, cols int }

// Paper is Polybench-GPU's standard size.
var sizes = benchmarks.Sizes[shapes]{
	Test:  shapes{70, 70},
	Small: shapes{512, 512},
	Study: shapes{200 * threads, 64},
	Paper: &shapes{4096, 4096},
}

func run(c *benchmarks.Context, s shapes) error {
	tall := c.Floats("A", s.rows*s.cols, 0, 1)
	x1, x2 := c.Floats("x1", s.rows, 0, 1), c.Floats("x2", s.rows, 0, 1)
	y1, y2 := c.Floats("y1", s.cols, 0, 1), c.Floats("y2", s.cols, 0, 1)
	dtall := host.Upload(c.Device, "A", tall)
	dx1, dx2 := host.Upload(c.Device, "x1", x1), host.Upload(c.Device, "x2", x2)
	dy1, dy2 := host.Upload(c.Device, "y1", y1), host.Upload(c.Device, "y2", y2)
	wide, dwide := tall, dtall
	if s.rows != s.cols {
		wide = c.Floats("wide A", s.rows*s.cols, 0, 1)
		dwide = host.Upload(c.Device, "wide A", wide)
	}
	grid, block := benchmarks.Dim(benchmarks.CeilDiv(s.rows, threads)), benchmarks.Dim(threads)
	err := c.Launch("mvt_kernel1", grid, block, host.S32(int32(s.rows)), host.S32(int32(s.cols)), host.U64(dtall),
		host.U64(dx1), host.U64(dy1))
	if err != nil {
		return err
	}
	err = c.Launch("mvt_kernel2", grid, block, host.S32(int32(s.cols)), host.S32(int32(s.rows)), host.U64(dwide),
		host.U64(dx2), host.U64(dy2))
	if err != nil {
		return err
	}
	want1 := ref.Times(tall, s.rows, s.cols, benchmarks.Widen(y1))
	want2 := ref.TransposedTimes(wide, s.cols, s.rows, benchmarks.Widen(y2))
	for i := range s.rows {
		want1[i] += float64(x1[i])
		want2[i] += float64(x2[i])
	}
	// Sums of up to 4096 positive terms: 4096 * 2^-24 at most.
	tol := benchmarks.Tolerance{Rel: 2.5e-4}
	if err := benchmarks.Close("x1", host.Read[float32](c.Device, dx1, s.rows), want1, tol); err != nil {
		return err
	}
	return benchmarks.Close("x2", host.Read[float32](c.Device, dx2, s.rows), want2, tol)
}
