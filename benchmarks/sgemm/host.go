// Package sgemm is Parboil's dense matrix product: column-major C = alpha A B^T +
// beta C, blocked in registers (sixteen accumulators a thread).
package sgemm

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name  = "sgemm"
	tileM = 128 // rows of C per CTA
	tileN = 16  // columns of C per CTA
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"SG", "mysgemmNT"},
		Suite:   "Parboil",
		Summary: "C = alpha A B^T + beta C; 128 threads make a 128x16 tile, sixteen accumulators each, B staged in " +
			"shared memory.",
		Papers: map[string]string{
			"finereg": "type-R", "sharing": "set-1 (registers)", "ltrf": "register-sensitive (inferred)",
			"gebhart": "stand-in for HPC",
		},
		Kernels: []benchmarks.KernelInfo{{Name: "sgemm", Block: benchmarks.Dim(16, 8), Shared: 512,
			PaperRegisters: 48}},
		Outputs: []string{"C"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// shape is the shape of the product. m is a multiple of 128, n of 16 and k of 8.
type shape struct{ m, n, k int }

// Paper is Parboil's medium input.
var sizes = benchmarks.Sizes[shape]{
	Test:  shape{256, 32, 16},
	Small: shape{256, 128, 64},
	Study: shape{1024, 768, 40},
	Large: &shape{1024, 688, 264}, // 344 CTAs
	Paper: &shape{1024, 992, 1056},
}

func run(c *benchmarks.Context, s shape) error {
	const alpha, beta = 1.25, -0.5
	a := c.Floats("A", s.m*s.k, 0, 1)
	b := c.Floats("B", s.n*s.k, 0, 1)
	before := c.Floats("C", s.m*s.n, 0, 1)
	da := host.Upload(c.Device, "A", a)
	db := host.Upload(c.Device, "B", b)
	dc := host.Upload(c.Device, "C", before)
	err := c.Launch("sgemm", benchmarks.Dim(s.m/tileM, s.n/tileN), benchmarks.Dim(16, 8),
		host.U64(da), host.S32(int32(s.m)), host.U64(db), host.S32(int32(s.n)), host.U64(dc), host.S32(int32(s.m)),
		host.S32(int32(s.k)), host.F32(alpha), host.F32(beta))
	if err != nil {
		return err
	}
	want := make([]float64, s.m*s.n)
	for j := range s.n {
		column := want[j*s.m : (j+1)*s.m]
		for p := range s.k {
			y := float64(b[j+p*s.n])
			for i, x := range a[p*s.m : (p+1)*s.m] {
				column[i] += float64(x) * y
			}
		}
		for i, c := range before[j*s.m : (j+1)*s.m] {
			column[i] = alpha*column[i] + beta*float64(c)
		}
	}
	// k positive terms are added in float32, with an error of at most k * 2^-24 relative, 6e-5 for the longest sum.
	// The difference with beta C is never smaller than 0.1 of either.
	return benchmarks.Close("C", host.Read[float32](c.Device, dc, s.m*s.n), want,
		benchmarks.Tolerance{Rel: 1e-4, Abs: 1e-5})
}
