// Package gaussian is Rodinia's Gaussian elimination without pivoting: two small
// launches per column, and back-substitution on the host.
package gaussian

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name = "gaussian"
	line = 512 // threads of Fan1
	side = 4   // Fan2's CTAs are side x side threads
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"gauss", "Fan1", "Fan2"},
		Suite:   "Rodinia",
		Summary: "Gaussian elimination of a dense system: multipliers of a column, then the update of the rest with " +
			"CTAs of sixteen threads.",
		Papers: map[string]string{"sharing": "Fan1 set-2 (threads)", "cerf": "cache low"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "Fan1", Block: benchmarks.Dim(line), PaperRegisters: 12},
			{Name: "Fan2", Block: benchmarks.Dim(side, side)},
		},
		Outputs: []string{"m", "a", "b"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// paper is the number of unknowns at size paper: the largest input named in the suite's papers besides 1024.
var paper = 208

var sizes = benchmarks.Sizes[int]{Test: 18, Small: 48, Study: 112, Paper: &paper}

func run(c *benchmarks.Context, n int) error {
	a := c.Floats("a", n*n, -1, 1)
	for i := range n {
		a[i*n+i] += float32(n) // strictly dominant: stable without pivoting
	}
	b := c.Floats("b", n, -1, 1)
	dm := c.Alloc("m", 4*n*n)
	da := host.Upload(c.Device, "a", a)
	db := host.Upload(c.Device, "b", b)
	across := benchmarks.CeilDiv(n, side)
	for t := range n - 1 {
		err := c.Launch("Fan1", benchmarks.Dim(benchmarks.CeilDiv(n, line)), benchmarks.Dim(line),
			host.U64(dm), host.U64(da), host.S32(int32(n)), host.S32(int32(t)))
		if err != nil {
			return err
		}
		err = c.Launch("Fan2", benchmarks.Dim(across, across), benchmarks.Dim(side, side),
			host.U64(dm), host.U64(da), host.U64(db), host.S32(int32(n)), host.S32(int32(t)))
		if err != nil {
			return err
		}
	}
	wm, wa, wb := eliminate(n, benchmarks.Widen(a), benchmarks.Widen(b))
	gm := host.Read[float32](c.Device, dm, n*n)
	ga := host.Read[float32](c.Device, da, n*n)
	gb := host.Read[float32](c.Device, db, n)
	// An element is updated at most n times by terms below 1/n of the diagonal. The diagonal is about n, so errors
	// stay below n * 2^-24 * n / n.
	tol := benchmarks.Tolerance{Rel: 1e-5, Abs: 1e-4}
	if err := benchmarks.Close("m", gm, wm, tol); err != nil {
		return err
	}
	if err := benchmarks.Close("a", ga, wa, tol); err != nil {
		return err
	}
	if err := benchmarks.Close("b", gb, wb, tol); err != nil {
		return err
	}
	return substitute(n, a, b, ga, gb)
}

// eliminate returns the multipliers, and the matrix and the right side after elimination.
func eliminate(n int, a, b []float64) (m, upper, right []float64) {
	m = make([]float64, n*n)
	for t := range n - 1 {
		for row := t + 1; row < n; row++ {
			f := a[row*n+t] / a[t*n+t]
			m[row*n+t] = f
			for col := t; col < n; col++ {
				a[row*n+col] -= f * a[t*n+col]
			}
			b[row] -= f * b[t]
		}
	}
	return m, a, b
}

// substitute solves the triangular system computed by the device, and checks the solution in the original
// equations.
func substitute(n int, a, b, upper, right []float32) error {
	x := make([]float64, n)
	for i := n - 1; i >= 0; i-- {
		sum := float64(right[i])
		for j := i + 1; j < n; j++ {
			sum -= float64(upper[i*n+j]) * x[j]
		}
		x[i] = sum / float64(upper[i*n+i])
	}
	got := make([]float32, n)
	for i := range n {
		var sum float64
		for j := range n {
			sum += float64(a[i*n+j]) * x[j]
		}
		got[i] = float32(sum)
	}
	return benchmarks.Close("b of the solution", got, benchmarks.Widen(b), benchmarks.Tolerance{Abs: 1e-3})
}
