// Package dct8x8 is the CUDA SDK's JPEG pipeline: the cosine transform of 8x8 blocks,
// quantisation, and back.
package dct8x8

import (
	"cmp"
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name  = "dct8x8"
	side  = 8
	tileW = 32
	tileH = 16
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"dct"},
		Suite:   "CUDA SDK",
		Summary: "Cosine transform of 8x8 blocks by butterflies on rows and columns in padded shared memory, " +
			"quantisation, and the inverse.",
		Papers: map[string]string{"cerf": "cache low", "gebhart": "stand-in for image processing"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "CUDAkernel2DCT", Block: benchmarks.Dim(8, 4, 2), Shared: 4 * tileH * (tileW + 1)},
			{Name: "CUDAkernelQuantizationFloat", Block: benchmarks.Dim(8, 8)},
			{Name: "CUDAkernel2IDCT", Block: benchmarks.Dim(8, 4, 2), Shared: 4 * tileH * (tileW + 1)},
		},
		Outputs: []string{"coefficients", "decoded"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// picture has a width in multiples of 32 and a height in multiples of 16.
type picture struct{ w, h int }

var sizes = benchmarks.Sizes[picture]{
	Test:  picture{96, 32},
	Small: picture{256, 256},
	Study: picture{768, 512},
	Paper: &picture{512, 512},
}

func run(c *benchmarks.Context, p picture) error {
	n := p.w * p.h
	in := c.Floats("picture", n, -128, 127)
	quantum := c.Floats("quantum", side*side, 3, 40)
	if err := c.Constant("quantum", quantum); err != nil {
		return err
	}
	din := host.Upload(c.Device, "picture", in)
	dcoef, dout := c.Alloc("coefficients", 4*n), c.Alloc("decoded", 4*n)
	tiles, stride := benchmarks.Dim(p.w/tileW, p.h/tileH), host.S32(int32(p.w))
	block := benchmarks.Dim(8, 4, 2)
	// Coefficients reach 1024. Sixteen terms in each direction are rounded at this magnitude.
	tol := benchmarks.Tolerance{Abs: 2e-3}

	if err := c.Launch("CUDAkernel2DCT", tiles, block, host.U64(dcoef), host.U64(din), stride); err != nil {
		return err
	}
	coef := host.Read[float32](c.Device, dcoef, n)
	if err := benchmarks.Close("coefficients", coef, transform(p, in, false), tol); err != nil {
		return err
	}

	err := c.Launch("CUDAkernelQuantizationFloat", benchmarks.Dim(p.w/side, p.h/side), benchmarks.Dim(side, side),
		host.U64(dcoef), stride)
	if err != nil {
		return err
	}
	// The kernel does an IEEE division, a rounding to even and a product in float32. The host does the same to the
	// device's coefficients, and gets the same bits.
	for i, v := range coef {
		q := quantum[i/p.w%side*side+i%side]
		coef[i] = float32(math.RoundToEven(float64(v/q))) * q
	}

	if err := c.Launch("CUDAkernel2IDCT", tiles, block, host.U64(dout), host.U64(dcoef), stride); err != nil {
		return err
	}
	return cmp.Or(benchmarks.Equal("coefficients", host.Read[float32](c.Device, dcoef, n), coef),
		benchmarks.Close("decoded", host.Read[float32](c.Device, dout, n), transform(p, coef, true), tol))
}

// transform returns the orthonormal DCT-II of each block, or its inverse, by the definition: rows and then columns
// times the matrix of cosines.
func transform(p picture, in []float32, inverse bool) []float64 {
	var basis [side][side]float64
	for k := range side {
		for x := range side {
			scale := math.Sqrt(2.0 / side)
			if k == 0 {
				scale = math.Sqrt(1.0 / side)
			}
			v := scale * math.Cos(float64(2*x+1)*float64(k)*math.Pi/(2*side))
			if inverse {
				basis[x][k] = v
			} else {
				basis[k][x] = v
			}
		}
	}
	rows, out := make([]float64, len(in)), make([]float64, len(in))
	for i := range in {
		x := i % p.w % side
		for k := range side {
			rows[i] += basis[x][k] * float64(in[i-x+k])
		}
	}
	for i := range in {
		y := i / p.w % side
		for k := range side {
			out[i] += basis[y][k] * rows[i+(k-y)*p.w]
		}
	}
	return out
}
