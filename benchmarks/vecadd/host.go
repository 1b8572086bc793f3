// Package vecadd adds two vectors. It is the smallest memory-bound application, for first steps and sanity checks.
package vecadd

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "vecadd"
	threads = 256
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Suite:   "Kumiko",
		Summary: "c = a + b with an odd number of elements, so that the last warp is partial.",
		Kernels: []benchmarks.KernelInfo{{Name: "vecadd", Block: benchmarks.Dim(threads)}},
		Outputs: []string{"c"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// Numbers of elements, odd. The largest has 4096 CTAs of 256 threads, a common size of bandwidth tests.
var large = 1<<20 - 1

var sizes = benchmarks.Sizes[int]{Test: 2021, Small: 150_001, Study: 600_001, Paper: &large}

func run(c *benchmarks.Context, n int) error {
	a := c.Floats("a", n, -1, 1)
	b := c.Floats("b", n, -1, 1)
	da := host.Upload(c.Device, "a", a)
	db := host.Upload(c.Device, "b", b)
	dc := c.Alloc("c", 4*n)
	err := c.Launch("vecadd", benchmarks.Dim(benchmarks.CeilDiv(n, threads)), benchmarks.Dim(threads),
		host.U64(da), host.U64(db), host.U64(dc), host.S32(int32(n)))
	if err != nil {
		return err
	}
	want := make([]float32, n)
	for i := range want {
		want[i] = a[i] + b[i] // one IEEE addition: equal to the bit
	}
	return benchmarks.Equal("c", host.Read[float32](c.Device, dc, n), want)
}
