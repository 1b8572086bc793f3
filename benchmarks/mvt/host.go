// Package mvt is Polybench's pair of matrix-vector products: x1 += A y1 and
// x2 += A^T y2.
package mvt

import (
	"cmp"
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/benchmarks/internal/polybench"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const name = "mvt"

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Suite:   "Polybench-GPU",
		Summary: "x1 += A y1 and x2 += A^T y2: a thread per row with rows apart, then a thread per column, coalesced.",
		Papers:  map[string]string{"cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "mvt_kernel1", Block: benchmarks.Dim(polybench.Threads)},
			{Name: "mvt_kernel2", Block: benchmarks.Dim(polybench.Threads)},
		},
		Outputs: []string{"x1", "x2"},
		New:     benchmarks.New(name, source, &polybench.Sizes, run),
	})
}

func run(c *benchmarks.Context, s polybench.Shapes) error {
	tall, dtall := s.Tall(c)
	x1, x2 := c.Floats("x1", s.Rows, 0, 1), c.Floats("x2", s.Rows, 0, 1)
	y1, y2 := c.Floats("y1", s.Cols, 0, 1), c.Floats("y2", s.Cols, 0, 1)
	dx1, dx2 := host.Upload(c.Device, "x1", x1), host.Upload(c.Device, "x2", x2)
	dy1, dy2 := host.Upload(c.Device, "y1", y1), host.Upload(c.Device, "y2", y2)
	wide, dwide := s.Wide(c, tall, dtall)
	grid, block := s.Launch()
	err := c.Launch("mvt_kernel1", grid, block, host.S32(int32(s.Rows)), host.S32(int32(s.Cols)), host.U64(dtall),
		host.U64(dx1), host.U64(dy1))
	if err != nil {
		return err
	}
	err = c.Launch("mvt_kernel2", grid, block, host.S32(int32(s.Cols)), host.S32(int32(s.Rows)), host.U64(dwide),
		host.U64(dx2), host.U64(dy2))
	if err != nil {
		return err
	}
	want1 := polybench.Times(tall, s.Rows, s.Cols, benchmarks.Widen(y1))
	want2 := polybench.TransposedTimes(wide, s.Cols, s.Rows, benchmarks.Widen(y2))
	for i := range s.Rows {
		want1[i] += float64(x1[i])
		want2[i] += float64(x2[i])
	}
	// Sums of up to 4096 positive terms: 4096 * 2^-24 at most.
	tol := benchmarks.Tolerance{Rel: 2.5e-4}
	return cmp.Or(benchmarks.Close("x1", host.Read[float32](c.Device, dx1, s.Rows), want1, tol),
		benchmarks.Close("x2", host.Read[float32](c.Device, dx2, s.Rows), want2, tol))
}
