// Package polybench has what the programs of Polybench-GPU share: the sizes and matrices of the products of a matrix,
// transposed or not, with a vector, and linear algebra in double precision as the reference of their host sides.
package polybench

import (
	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

// Threads is the number of threads of a CTA.
const Threads = 256

// Shapes has the size of the tall matrix (Rows x Cols, a thread per row) and of the wide one (Cols x Rows, a thread
// per column). Polybench uses one square matrix for both, as do the sizes test, small and paper here. 200 CTAs of a
// square matrix would need 51,200 rows, so size study uses two different matrices.
type Shapes struct{ Rows, Cols int }

// Sizes of the benchmarks. Paper is Polybench-GPU's standard size.
var Sizes = benchmarks.Sizes[Shapes]{
	Test:  Shapes{70, 70},
	Small: Shapes{512, 512},
	Study: Shapes{200 * Threads, 64},
	Paper: &Shapes{4096, 4096},
}

// Launch returns the grid and the block with a thread per row of the tall matrix.
func (s Shapes) Launch() (grid, block [3]int) {
	return benchmarks.Dim(benchmarks.CeilDiv(s.Rows, Threads)), benchmarks.Dim(Threads)
}

// Tall makes the tall matrix and uploads it.
func (s Shapes) Tall(c *benchmarks.Context) ([]float32, uint64) {
	m := c.Floats("A", s.Rows*s.Cols, 0, 1)
	return m, host.Upload(c.Device, "A", m)
}

// Wide makes the wide matrix and uploads it. If both matrices are square it returns the tall one.
func (s Shapes) Wide(c *benchmarks.Context, tall []float32, at uint64) ([]float32, uint64) {
	if s.Rows == s.Cols {
		return tall, at
	}
	m := c.Floats("wide A", s.Rows*s.Cols, 0, 1)
	return m, host.Upload(c.Device, "wide A", m)
}
