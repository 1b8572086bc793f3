// Package atax is Polybench's product y = A^T (A x) of a matrix, its transpose and a vector.
package atax

import (
	"cmp"
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/benchmarks/internal/polybench"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const name = "atax"

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"AT"},
		Suite:   "Polybench-GPU",
		Summary: "y = A^T (A x): a thread per row with rows apart, then a thread per column; sums kept in global " +
			"memory.",
		Papers: map[string]string{"finereg": "type-R"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "atax_kernel1", Block: benchmarks.Dim(polybench.Threads)},
			{Name: "atax_kernel2", Block: benchmarks.Dim(polybench.Threads)},
		},
		Outputs: []string{"tmp", "y"},
		New:     benchmarks.New(name, source, &polybench.Sizes, run),
	})
}

func run(c *benchmarks.Context, s polybench.Shapes) error {
	tall, dtall := s.Tall(c)
	x := c.Floats("x", s.Cols, 0, 1)
	dx := host.Upload(c.Device, "x", x)
	dtmp := c.Alloc("tmp", 4*s.Rows)
	dy := c.Alloc("y", 4*s.Rows)
	wide, dwide := s.Wide(c, tall, dtall)
	grid, block := s.Launch()
	err := c.Launch("atax_kernel1", grid, block, host.S32(int32(s.Rows)), host.S32(int32(s.Cols)), host.U64(dtall),
		host.U64(dx), host.U64(dtmp))
	if err != nil {
		return err
	}
	err = c.Launch("atax_kernel2", grid, block, host.S32(int32(s.Cols)), host.S32(int32(s.Rows)), host.U64(dwide),
		host.U64(dy), host.U64(dtmp))
	if err != nil {
		return err
	}
	tmp := polybench.Times(tall, s.Rows, s.Cols, benchmarks.Widen(x))
	y := polybench.TransposedTimes(wide, s.Cols, s.Rows, tmp)
	// Two sums of up to 4096 positive terms: 2 * 4096 * 2^-24 at most.
	tol := benchmarks.Tolerance{Rel: 5e-4}
	return cmp.Or(benchmarks.Close("tmp", host.Read[float32](c.Device, dtmp, s.Rows), tmp, tol),
		benchmarks.Close("y", host.Read[float32](c.Device, dy, s.Rows), y, tol))
}
