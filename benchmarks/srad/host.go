// Package srad is Rodinia's speckle-reducing anisotropic diffusion, version 1: streaming kernels with neighbours
// found through index arrays, and a tree reduction.
package srad

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "srad"
	threads = 512
	lambda  = 0.5
)

func init() {
	kernel := func(name string, shared int) benchmarks.KernelInfo {
		return benchmarks.KernelInfo{Name: name, Block: benchmarks.Dim(threads), Shared: shared}
	}
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"srad_v1"},
		Suite:   "Rodinia",
		Summary: "Speckle-reducing diffusion of an image, a thread per pixel: two streaming kernels per iteration " +
			"after a reduction to mean and variance.",
		Papers: map[string]string{"gebhart": "stand-in for image processing", "cerf": "cache high"},
		Kernels: []benchmarks.KernelInfo{
			kernel("srad", 0), kernel("srad2", 0), kernel("reduce", 2*4*threads), kernel("extract", 0),
			kernel("prepare", 0), kernel("compress", 0),
		},
		Outputs: []string{"image", "coefficient", "north derivative", "south derivative", "east derivative",
			"west derivative"},
		New: benchmarks.New(name, source, &sizes, run),
	})
}

type workload struct{ rows, cols, iterations int }

var sizes = benchmarks.Sizes[workload]{
	Test:  workload{21, 25, 1},
	Small: workload{64, 66, 2},
	Study: workload{224, 224, 2},
	Paper: &workload{502, 458, 100},
}

// field is a set of device buffers.
type field struct {
	image, sums, squares, coefficient uint64
	north, south, east, west          uint64 // index arrays
	d                                 [4]uint64
}

var sides = [4]string{"north", "south", "east", "west"}

func run(c *benchmarks.Context, w workload) error {
	n := w.rows * w.cols
	image := c.Floats("image", n, 0, 255)
	f := upload(c, w, image)
	m := newModel(w, image)
	grid, block := benchmarks.Dim(benchmarks.CeilDiv(n, threads)), benchmarks.Dim(threads)
	size, rows := host.S32(int32(n)), host.S32(int32(w.rows))

	if err := c.Launch("extract", grid, block, host.U64(f.image), size); err != nil {
		return err
	}
	for range w.iterations {
		if err := c.Launch("prepare", grid, block, host.U64(f.image), host.U64(f.sums), host.U64(f.squares),
			size); err != nil {
			return err
		}
		q0, err := reduce(c, f, n)
		if err != nil {
			return err
		}
		err = c.Launch("srad", grid, block, rows, size, host.U64(f.north), host.U64(f.south), host.U64(f.east),
			host.U64(f.west),
			host.U64(f.d[0]), host.U64(f.d[1]), host.U64(f.d[2]), host.U64(f.d[3]), host.F32(q0),
			host.U64(f.coefficient), host.U64(f.image))
		if err != nil {
			return err
		}
		err = c.Launch("srad2", grid, block, host.F32(lambda), rows, size, host.U64(f.south), host.U64(f.east),
			host.U64(f.d[0]), host.U64(f.d[1]), host.U64(f.d[2]), host.U64(f.d[3]), host.U64(f.coefficient),
			host.U64(f.image))
		if err != nil {
			return err
		}
		m.iterate()
	}
	if err := c.Launch("compress", grid, block, host.U64(f.image), size); err != nil {
		return err
	}
	return check(c, f, m, w.iterations)
}

func upload(c *benchmarks.Context, w workload, image []float32) *field {
	n := w.rows * w.cols
	f := &field{image: host.Upload(c.Device, "image", image)}
	f.sums, f.squares = c.Alloc("sums", 4*n), c.Alloc("squares", 4*n)
	f.coefficient = c.Alloc("coefficient", 4*n)
	shifted := func(name string, n, by int) uint64 {
		index := make([]int32, n)
		for i := range index {
			index[i] = int32(min(max(i+by, 0), n-1))
		}
		return host.Upload(c.Device, name, index)
	}
	f.north, f.south = shifted("row north", w.rows, -1), shifted("row south", w.rows, 1)
	f.east, f.west = shifted("column east", w.cols, 1), shifted("column west", w.cols, -1)
	for i, side := range sides {
		f.d[i] = c.Alloc(side+" derivative", 4*n)
	}
	return f
}

// reduce sums the two arrays, 512 elements per CTA and level. It returns the variance divided by the squared mean.
func reduce(c *benchmarks.Context, f *field, n int) (float32, error) {
	left, stride := n, 1
	for left > 1 {
		ctas := benchmarks.CeilDiv(left, threads)
		err := c.Launch("reduce", benchmarks.Dim(ctas), benchmarks.Dim(threads),
			host.U64(f.sums), host.U64(f.squares), host.S32(int32(left)), host.S32(int32(stride)))
		if err != nil {
			return 0, err
		}
		left, stride = ctas, stride*threads
	}
	mean := float64(host.Read[float32](c.Device, f.sums, 1)[0]) / float64(n)
	square := float64(host.Read[float32](c.Device, f.squares, 1)[0]) / float64(n)
	return float32((square - mean*mean) / (mean * mean)), nil
}

func check(c *benchmarks.Context, f *field, m *model, iterations int) error {
	n := len(m.image)
	for i := range m.image {
		m.image[i] = math.Log(m.image[i]) * 255
	}
	// The image is 1 to e. q0 loses three digits in the difference of moments. The coefficient inherits this error
	// with a factor of 1/q0, which grows as the speckle decreases. Derivatives are differences of numbers near 2.
	tol := benchmarks.Tolerance{Rel: 1e-3, Abs: 1e-4 * float64(iterations)}
	if err := benchmarks.Close("coefficient", host.Read[float32](c.Device, f.coefficient, n), m.coefficient,
		tol); err != nil {
		return err
	}
	for i, side := range sides {
		if err := benchmarks.Close(side+" derivative", host.Read[float32](c.Device, f.d[i], n), m.d[i],
			tol); err != nil {
			return err
		}
	}
	return benchmarks.Close("image", host.Read[float32](c.Device, f.image, n), m.image,
		benchmarks.Tolerance{Rel: 1e-3, Abs: 1e-2})
}
