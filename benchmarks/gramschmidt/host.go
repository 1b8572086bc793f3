// Package gramschmidt is Polybench's QR decomposition by modified Gram-Schmidt:
// three launches per column, the first of one thread.
package gramschmidt

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
	name    = "gramschmidt"
	threads = 256
)

func init() {
	kernel := func(name string) benchmarks.KernelInfo {
		return benchmarks.KernelInfo{Name: name, Block: benchmarks.Dim(threads)}
	}
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"grams"},
		Suite:   "Polybench-GPU",
		Summary: "QR decomposition by modified Gram-Schmidt: per column a norm by a single thread, a scaling, and " +
			"the projection of the rest.",
		Papers: map[string]string{"cerf": "cache low"},
		Kernels: []benchmarks.KernelInfo{kernel("gramschmidt_kernel1"), kernel("gramschmidt_kernel2"),
			kernel("gramschmidt_kernel3")},
		Outputs: []string{"A", "R", "Q"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// matrix has the size of the matrix, rows x cols, and the number of columns to make orthonormal. At size study only
// a few columns of a wide matrix are processed, for 200 CTAs.
type matrix struct{ rows, cols, steps int }

// Paper is Polybench-GPU's standard size, cut to four columns of 2048.
var sizes = benchmarks.Sizes[matrix]{
	Test:  matrix{16, 12, 6},
	Small: matrix{64, 64, 64},
	Study: matrix{24, 200 * threads, 2},
	Paper: &matrix{2048, 2048, 4},
}

func run(c *benchmarks.Context, m matrix) error {
	a := c.Floats("A", m.rows*m.cols, -1, 1)
	for k := range min(m.steps, m.rows) {
		a[k*m.cols+k] += 4 // well apart from each other
	}
	da := host.Upload(c.Device, "A", a)
	dr, dq := c.Alloc("R", 4*m.steps*m.cols), c.Alloc("Q", 4*m.rows*m.cols)
	rows, cols := host.S32(int32(m.rows)), host.S32(int32(m.cols))
	byRow, byColumn := benchmarks.Dim(benchmarks.CeilDiv(m.rows, threads)),
		benchmarks.Dim(benchmarks.CeilDiv(m.cols, threads))
	block := benchmarks.Dim(threads)
	for k := range m.steps {
		step := host.S32(int32(k))
		if err := c.Launch("gramschmidt_kernel1", benchmarks.Dim(1), block, host.U64(da), host.U64(dr), rows, cols,
			step); err != nil {
			return err
		}
		if err := c.Launch("gramschmidt_kernel2", byRow, block, host.U64(da), host.U64(dr), host.U64(dq), rows, cols,
			step); err != nil {
			return err
		}
		if err := c.Launch("gramschmidt_kernel3", byColumn, block, host.U64(da), host.U64(dr), host.U64(dq), rows, cols,
			step); err != nil {
			return err
		}
	}
	wa, wr, wq := orthogonalise(m, benchmarks.Widen(a))
	// Sums have as many terms of order one as there are rows, with an error of 2048 * 2^-24, and the error
	// propagates to the later columns.
	tol := benchmarks.Tolerance{Rel: 1e-3, Abs: 1e-3}
	return cmp.Or(benchmarks.Close("A", host.Read[float32](c.Device, da, len(wa)), wa, tol),
		benchmarks.Close("R", host.Read[float32](c.Device, dr, len(wr)), wr, tol),
		benchmarks.Close("Q", host.Read[float32](c.Device, dq, len(wq)), wq, tol))
}

// orthogonalise returns the remaining matrix, the computed rows of R and the computed columns of Q.
func orthogonalise(m matrix, a []float64) (rest, r, q []float64) {
	r, q = make([]float64, m.steps*m.cols), make([]float64, m.rows*m.cols)
	for k := range m.steps {
		var square float64
		for i := range m.rows {
			square += a[i*m.cols+k] * a[i*m.cols+k]
		}
		length := math.Sqrt(square)
		r[k*m.cols+k] = length
		for i := range m.rows {
			q[i*m.cols+k] = a[i*m.cols+k] / length
			for j := k + 1; j < m.cols; j++ {
				r[k*m.cols+j] += q[i*m.cols+k] * a[i*m.cols+j]
			}
		}
		for i := range m.rows {
			for j := k + 1; j < m.cols; j++ {
				a[i*m.cols+j] -= q[i*m.cols+k] * r[k*m.cols+j]
			}
		}
	}
	return a, r, q
}
