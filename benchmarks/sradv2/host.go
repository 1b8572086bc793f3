// Package sradv2 is Rodinia's speckle-reducing anisotropic diffusion, version 2:
// two kernels on 16x16 tiles in shared memory, statistics on the host.
package sradv2

import (
	"cmp"
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name   = "sradv2"
	tile   = 16
	lambda = 0.5
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"SR", "SR2", "srad_v2"},
		Suite:   "Rodinia",
		Summary: "Speckle-reducing diffusion of an image: 16x16 tiles with their surroundings in five to six shared " +
			"arrays, many boundary branches.",
		Papers: map[string]string{"gebhart": "stand-in for image processing", "finereg": "type-R"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "srad_cuda_1", Block: benchmarks.Dim(tile, tile), Shared: 6 * 4 * tile * tile},
			{Name: "srad_cuda_2", Block: benchmarks.Dim(tile, tile), Shared: 5 * 4 * tile * tile},
		},
		Outputs: []string{"image", "coefficient", "north derivative", "south derivative", "east derivative",
			"west derivative"},
		New: benchmarks.New(name, source, &sizes, run),
	})
}

// workload has rows and columns in multiples of 16.
type workload struct{ rows, cols, iterations int }

var sizes = benchmarks.Sizes[workload]{
	Test:  workload{32, 48, 1},
	Small: workload{64, 80, 2},
	Study: workload{224, 224, 2},
	Paper: &workload{2048, 2048, 2},
}

var sides = [4]string{"north", "south", "east", "west"}

func run(c *benchmarks.Context, w workload) error {
	n := w.rows * w.cols
	image := c.Floats("image", n, 1, 2.7)
	dimage := host.Upload(c.Device, "image", image)
	dcoefficient := c.Alloc("coefficient", 4*n)
	var d [4]uint64
	for i, side := range sides {
		d[i] = c.Alloc(side+" derivative", 4*n)
	}
	m := model{workload: w, image: benchmarks.Widen(image), coefficient: make([]float64, n)}
	for i := range m.d {
		m.d[i] = make([]float64, n)
	}
	grid, block := benchmarks.Dim(w.cols/tile, w.rows/tile), benchmarks.Dim(tile, tile)
	for range w.iterations {
		q0 := m.statistics(benchmarks.Widen(host.Read[float32](c.Device, dimage, n)))
		err := c.Launch("srad_cuda_1", grid, block, host.U64(d[2]), host.U64(d[3]), host.U64(d[0]), host.U64(d[1]),
			host.U64(dimage), host.U64(dcoefficient), host.S32(int32(w.cols)), host.S32(int32(w.rows)),
			host.F32(float32(q0)))
		if err != nil {
			return err
		}
		err = c.Launch("srad_cuda_2", grid, block, host.U64(d[2]), host.U64(d[3]), host.U64(d[0]), host.U64(d[1]),
			host.U64(dimage), host.U64(dcoefficient), host.S32(int32(w.cols)), host.S32(int32(w.rows)),
			host.F32(lambda))
		if err != nil {
			return err
		}
		m.iterate()
	}
	// Numbers of order one go through some thirty operations. The quotient in the coefficient magnifies errors by
	// up to 1/q0, about 20.
	tol := benchmarks.Tolerance{Rel: 1e-4, Abs: 1e-5}
	for i, side := range sides {
		if err := benchmarks.Close(side+" derivative", host.Read[float32](c.Device, d[i], n), m.d[i], tol); err != nil {
			return err
		}
	}
	return cmp.Or(benchmarks.Close("coefficient", host.Read[float32](c.Device, dcoefficient, n), m.coefficient, tol),
		benchmarks.Close("image", host.Read[float32](c.Device, dimage, n), m.image, tol))
}

// model is the host's computation, in double precision on the whole image.
type model struct {
	workload
	image, coefficient []float64
	d                  [4][]float64 // derivatives: north, south, east, west
}

// statistics returns the variance divided by the squared mean in the region of interest, the upper left quarter.
func (m *model) statistics(image []float64) float64 {
	var sum, square, n float64
	for y := range m.rows / 2 {
		for x := range m.cols / 2 {
			v := image[y*m.cols+x]
			sum += v
			square += v * v
			n++
		}
	}
	mean := sum / n
	return (square/n - mean*mean) / (mean * mean)
}

func (m *model) index(y, x int) int {
	return min(max(y, 0), m.rows-1)*m.cols + min(max(x, 0), m.cols-1)
}

func (m *model) iterate() {
	q0 := m.statistics(m.image)
	for y := range m.rows {
		for x := range m.cols {
			i := m.index(y, x)
			v := m.image[i]
			var g2, l float64
			for k, j := range [4]int{m.index(y-1, x), m.index(y+1, x), m.index(y, x+1), m.index(y, x-1)} {
				d := m.image[j] - v
				m.d[k][i] = d
				g2 += d * d / (v * v)
				l += d / v
			}
			q := (g2/2 - l*l/16) / ((1 + l/4) * (1 + l/4))
			m.coefficient[i] = min(max(1/(1+(q-q0)/(q0*(1+q0))), 0), 1)
		}
	}
	for y := range m.rows {
		for x := range m.cols {
			i := m.index(y, x)
			here, below, right := m.coefficient[i], m.coefficient[m.index(y+1, x)], m.coefficient[m.index(y, x+1)]
			m.image[i] += lambda / 4 * (here*(m.d[0][i]+m.d[3][i]) + below*m.d[1][i] + right*m.d[2][i])
		}
	}
}
