// Package lud is Rodinia's blocked LU decomposition in place. Each step processes a diagonal tile, the panels to
// the right of it and below it, and the remainder.
package lud

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name = "lud"
	tile = 16
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"lud_perimeter"},
		Suite:   "Rodinia",
		Summary: "Blocked LU decomposition: half-warp diagonal tiles, panels by warps split in two, the rest by " +
			"products in shared memory.",
		Papers: map[string]string{"sharing": "lud_perimeter set-2 (blocks)"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "lud_perimeter", Block: benchmarks.Dim(2 * tile), Shared: 3 * 4 * tile * tile, PaperRegisters: 36},
			{Name: "lud_diagonal", Block: benchmarks.Dim(tile), Shared: 4 * tile * tile},
			{Name: "lud_internal", Block: benchmarks.Dim(tile, tile), Shared: 2 * 4 * tile * tile},
		},
		Outputs: []string{"m"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// paper is the number of rows at size paper, a multiple of 16. At size study the widest launch of the panels has
// n/16-1 CTAs, and the widest launch of the remainder the square of this number. The algorithm has no more
// parallelism.
var paper = 256

var sizes = benchmarks.Sizes[int]{Test: 32, Small: 96, Study: 256, Paper: &paper}

func run(c *benchmarks.Context, n int) error {
	m := c.Floats("m", n*n, -1, 1)
	for i := range n {
		m[i*n+i] += float32(n) // strictly dominant: stable without pivoting
	}
	dm := host.Upload(c.Device, "m", m)
	args := func(at int) []host.Arg { return []host.Arg{host.U64(dm), host.S32(int32(n)), host.S32(int32(at))} }
	for at := 0; at < n; at += tile {
		if err := c.Launch("lud_diagonal", benchmarks.Dim(1), benchmarks.Dim(tile), args(at)...); err != nil {
			return err
		}
		rest := (n-at)/tile - 1
		if rest == 0 {
			break
		}
		if err := c.Launch("lud_perimeter", benchmarks.Dim(rest), benchmarks.Dim(2*tile), args(at)...); err != nil {
			return err
		}
		if err := c.Launch("lud_internal", benchmarks.Dim(rest, rest), benchmarks.Dim(tile, tile),
			args(at)...); err != nil {
			return err
		}
	}
	// As for Gaussian elimination: at most n updates by terms below 1/n of a
	// diagonal of about n.
	return benchmarks.Close("m", host.Read[float32](c.Device, dm, n*n), factor(n, benchmarks.Widen(m)),
		benchmarks.Tolerance{Rel: 1e-5, Abs: 1e-4})
}

// factor is Doolittle's algorithm. It returns L below the diagonal and U elsewhere. The diagonal of L is one.
func factor(n int, a []float64) []float64 {
	for t := range n - 1 {
		for row := t + 1; row < n; row++ {
			a[row*n+t] /= a[t*n+t]
			for col := t + 1; col < n; col++ {
				a[row*n+col] -= a[row*n+t] * a[t*n+col]
			}
		}
	}
	return a
}
