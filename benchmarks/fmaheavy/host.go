// Package fmaheavy keeps forty accumulators per thread live through a loop of fused multiply-adds. Its only
// activity is register-file traffic, for measurements of speed and of operand collection.
package fmaheavy

import (
	_ "embed"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "fmaheavy"
	threads = 256
	live    = 40
	reach   = 11 // accumulator j is updated from accumulator j+reach
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:  name,
		Suite: "Kumiko",
		Summary: "Forty live accumulators per thread, each updated from another by a fused multiply-add with three " +
			"register sources.",
		Kernels: []benchmarks.KernelInfo{{Name: "fmaheavy", Block: benchmarks.Dim(threads)}},
		Outputs: []string{"out"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

type load struct{ ctas, iterations int }

var sizes = benchmarks.Sizes[load]{
	Test:  load{2, 15},
	Small: load{16, 40},
	Study: load{200, 40},
	Paper: &load{64, 50},
}

func run(c *benchmarks.Context, l load) error {
	n := l.ctas * threads
	in := c.Floats("in", n, 0, 1.0/64)
	din := host.Upload(c.Device, "in", in)
	dout := c.Alloc("out", 4*n)
	err := c.Launch("fmaheavy", benchmarks.Dim(l.ctas), benchmarks.Dim(threads),
		host.U64(din), host.U64(dout), host.S32(int32(l.iterations)))
	if err != nil {
		return err
	}
	want := make([]float64, n)
	for i := range want {
		x := float64(in[i])
		var a [live]float64
		for j := range a {
			a[j] = x + float64(j)
		}
		for range l.iterations {
			for j := range live - reach {
				a[j] += a[j+reach] * x
			}
			for j := range reach {
				a[live-reach+j] += a[j] * x
			}
		}
		for _, v := range a {
			want[i] += v
		}
	}
	// All terms are positive, so each of the 50 roundings of an accumulator and the 40 of the sum costs at most
	// 2^-24 relative.
	return benchmarks.Close("out", host.Read[float32](c.Device, dout, n), want, benchmarks.Tolerance{Rel: 1e-5})
}
