// Package bicg is the kernel of Polybench's biconjugate gradient: s = A^T r and
// q = A p.
package bicg

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/benchmarks/internal/ref"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "bicg"
	threads = 256
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"BI", "BiCGStab"},
		Suite:   "Polybench-GPU",
		Summary: "s = A^T r and q = A p: a thread per column, coalesced, then a thread per row with rows apart.",
		Papers:  map[string]string{"finereg": "type-S", "cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "bicg_kernel1", Block: benchmarks.Dim(threads)},
			{Name: "bicg_kernel2", Block: benchmarks.Dim(threads)},
		},
		Outputs: []string{"s", "q"},
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
	r, p := c.Floats("r", s.cols, 0, 1), c.Floats("p", s.cols, 0, 1)
	dtall := host.Upload(c.Device, "A", tall)
	dr, dp := host.Upload(c.Device, "r", r), host.Upload(c.Device, "p", p)
	ds, dq := c.Alloc("s", 4*s.rows), c.Alloc("q", 4*s.rows)
	wide, dwide := tall, dtall
	if s.rows != s.cols {
		wide = c.Floats("wide A", s.rows*s.cols, 0, 1)
		dwide = host.Upload(c.Device, "wide A", wide)
	}
	grid, block := benchmarks.Dim(benchmarks.CeilDiv(s.rows, threads)), benchmarks.Dim(threads)
	err := c.Launch("bicg_kernel1", grid, block, host.S32(int32(s.cols)), host.S32(int32(s.rows)), host.U64(dwide),
		host.U64(dr), host.U64(ds))
	if err != nil {
		return err
	}
	err = c.Launch("bicg_kernel2", grid, block, host.S32(int32(s.rows)), host.S32(int32(s.cols)), host.U64(dtall),
		host.U64(dp), host.U64(dq))
	if err != nil {
		return err
	}
	// Sums of up to 4096 positive terms: 4096 * 2^-24 at most.
	tol := benchmarks.Tolerance{Rel: 2.5e-4}
	wantS := ref.TransposedTimes(wide, s.cols, s.rows, benchmarks.Widen(r))
	if err := benchmarks.Close("s", host.Read[float32](c.Device, ds, s.rows), wantS, tol); err != nil {
		return err
	}
	wantQ := ref.Times(tall, s.rows, s.cols, benchmarks.Widen(p))
	return benchmarks.Close("q", host.Read[float32](c.Device, dq, s.rows), wantQ, tol)
}
