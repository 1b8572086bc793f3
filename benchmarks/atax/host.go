// Package atax is Polybench's product of a matrix, transposed and not, with a vector:
// y = A^T (A x).
package atax

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/benchmarks/internal/ref"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "atax"
	threads = 256
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"AT"},
		Suite:   "Polybench-GPU",
		Summary: "y = A^T (A x): a thread per row with rows apart, then a thread per column; sums kept in global " +
			"memory.",
		Papers: map[string]string{"finereg": "type-R"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "atax_kernel1", Block: benchmarks.Dim(threads)},
			{Name: "atax_kernel2", Block: benchmarks.Dim(threads)},
		},
		Outputs: []string{"tmp", "y"},
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
	x := c.Floats("x", s.cols, 0, 1)
	dtall := host.Upload(c.Device, "A", tall)
	dx := host.Upload(c.Device, "x", x)
	dtmp := c.Alloc("tmp", 4*s.rows)
	dy := c.Alloc("y", 4*s.rows)
	wide, dwide := tall, dtall
	if s.rows != s.cols {
		wide = c.Floats("wide A", s.rows*s.cols, 0, 1)
		dwide = host.Upload(c.Device, "wide A", wide)
	}
	grid, block := benchmarks.Dim(benchmarks.CeilDiv(s.rows, threads)), benchmarks.Dim(threads)
	err := c.Launch("atax_kernel1", grid, block, host.S32(int32(s.rows)), host.S32(int32(s.cols)), host.U64(dtall),
		host.U64(dx), host.U64(dtmp))
	if err != nil {
		return err
	}
	err = c.Launch("atax_kernel2", grid, block, host.S32(int32(s.cols)), host.S32(int32(s.rows)), host.U64(dwide),
		host.U64(dy), host.U64(dtmp))
	if err != nil {
		return err
	}
	tmp := ref.Times(tall, s.rows, s.cols, benchmarks.Widen(x))
	y := ref.TransposedTimes(wide, s.cols, s.rows, tmp)
	// Two sums of up to 4096 positive terms: 2 * 4096 * 2^-24 at most.
	tol := benchmarks.Tolerance{Rel: 5e-4}
	if err := benchmarks.Close("tmp", host.Read[float32](c.Device, dtmp, s.rows), tmp, tol); err != nil {
		return err
	}
	return benchmarks.Close("y", host.Read[float32](c.Device, dy, s.rows), y, tol)
}
