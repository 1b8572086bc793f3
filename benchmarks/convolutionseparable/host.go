// Package convolutionseparable is the CUDA SDK's separable convolution: rows, then
// columns, seventeen taps from shared memory.
package convolutionseparable

import (
	"cmp"
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name   = "convolutionSeparable"
	radius = 8
	taps   = 2*radius + 1
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"CS"},
		Suite:   "CUDA SDK",
		Summary: "Separable convolution of an image with seventeen taps: eight tiles and two halos per CTA in shared " +
			"memory, fully unrolled.",
		Papers: map[string]string{"finereg": "type-S", "gebhart": "stand-in for image processing"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "convolutionRowsKernel", Block: benchmarks.Dim(16, 4), Shared: 2560},
			{Name: "convolutionColumnsKernel", Block: benchmarks.Dim(16, 8), Shared: 5184},
		},
		Outputs: []string{"rows", "image"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// image has a width in multiples of 128 and a height in multiples of 64. The second kernel processes only the first
// columns columns. The others stay zero.
type image struct{ w, h, columns int }

var sizes = benchmarks.Sizes[image]{
	Test:  image{128, 64, 48},
	Small: image{384, 192, 384},
	Study: image{512, 768, 512},
	Paper: &image{3072, 3072, 3072},
}

func run(c *benchmarks.Context, m image) error {
	n := m.w * m.h
	in := c.Floats("input", n, 0, 1)
	filter := c.Floats("filter", taps, 0, 1)
	if err := c.Constant("filter", filter); err != nil {
		return err
	}
	din := host.Upload(c.Device, "input", in)
	drows, dout := c.Alloc("rows", 4*n), c.Alloc("image", 4*n)
	err := c.Launch("convolutionRowsKernel", benchmarks.Dim(m.w/128, m.h/4), benchmarks.Dim(16, 4),
		host.U64(drows), host.U64(din), host.S32(int32(m.w)), host.S32(int32(m.w)))
	if err != nil {
		return err
	}
	err = c.Launch("convolutionColumnsKernel", benchmarks.Dim(m.columns/16, m.h/64), benchmarks.Dim(16, 8),
		host.U64(dout), host.U64(drows), host.S32(int32(m.h)), host.S32(int32(m.w)))
	if err != nil {
		return err
	}
	rows, out := make([]float64, n), make([]float64, n)
	for y := range m.h {
		for x := range m.w {
			for k, f := range filter {
				if from := x + radius - k; from >= 0 && from < m.w {
					rows[y*m.w+x] += float64(f) * float64(in[y*m.w+from])
				}
			}
		}
	}
	for y := range m.h {
		for x := range m.columns {
			for k, f := range filter {
				if from := y + radius - k; from >= 0 && from < m.h {
					out[y*m.w+x] += float64(f) * rows[from*m.w+x]
				}
			}
		}
	}
	// Twice seventeen positive terms: 34 * 2^-24.
	tol := benchmarks.Tolerance{Rel: 5e-6}
	return cmp.Or(benchmarks.Close("rows", host.Read[float32](c.Device, drows, n), rows, tol),
		benchmarks.Close("image", host.Read[float32](c.Device, dout, n), out, tol))
}
