// Package bicg is the kernel of Polybench's biconjugate gradient: s = A^T r and
// q = A p.
package bicg

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/benchmarks/internal/polybench"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const name = "bicg"

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"BI", "BiCGStab"},
		Suite:   "Polybench-GPU",
		Summary: "s = A^T r and q = A p: a thread per column, coalesced, then a thread per row with rows apart.",
		Papers:  map[string]string{"finereg": "type-S", "cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "bicg_kernel1", Block: benchmarks.Dim(polybench.Threads)},
			{Name: "bicg_kernel2", Block: benchmarks.Dim(polybench.Threads)},
		},
		Outputs: []string{"s", "q"},
		New:     benchmarks.New(name, source, &polybench.Sizes, run),
	})
}

func run(c *benchmarks.Context, s polybench.Shapes) error {
	tall, dtall := s.Tall(c)
	r, p := c.Floats("r", s.Cols, 0, 1), c.Floats("p", s.Cols, 0, 1)
	dr, dp := host.Upload(c.Device, "r", r), host.Upload(c.Device, "p", p)
	ds, dq := c.Alloc("s", 4*s.Rows), c.Alloc("q", 4*s.Rows)
	wide, dwide := s.Wide(c, tall, dtall)
	grid, block := s.Launch()
	err := c.Launch("bicg_kernel1", grid, block, host.S32(int32(s.Cols)), host.S32(int32(s.Rows)), host.U64(dwide),
		host.U64(dr), host.U64(ds))
	if err != nil {
		return err
	}
	err = c.Launch("bicg_kernel2", grid, block, host.S32(int32(s.Rows)), host.S32(int32(s.Cols)), host.U64(dtall),
		host.U64(dp), host.U64(dq))
	if err != nil {
		return err
	}
	// Sums of up to 4096 positive terms: 4096 * 2^-24 at most.
	tol := benchmarks.Tolerance{Rel: 2.5e-4}
	wantS := polybench.TransposedTimes(wide, s.Cols, s.Rows, benchmarks.Widen(r))
	if err := benchmarks.Close("s", host.Read[float32](c.Device, ds, s.Rows), wantS, tol); err != nil {
		return err
	}
	wantQ := polybench.Times(tall, s.Rows, s.Cols, benchmarks.Widen(p))
	return benchmarks.Close("q", host.Read[float32](c.Device, dq, s.Rows), wantQ, tol)
}
