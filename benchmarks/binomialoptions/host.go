// Package binomialoptions is the CUDA SDK's binomial tree for European calls: a CTA per option, alternating
// shared-memory buffers, and a barrier per time step.
package binomialoptions

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "binomialOptions"
	threads = 256
	years   = 1.0
	rate    = 0.02
	sigma   = 0.3
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"biopt"},
		Suite:   "CUDA SDK",
		Summary: "European calls by backward induction on a binomial tree: two shared buffers in turn, a barrier per " +
			"time step.",
		Papers: map[string]string{"cerf": "cache low, register-limited"},
		Kernels: []benchmarks.KernelInfo{{Name: "binomialOptionsKernel", Block: benchmarks.Dim(threads),
			Shared: 2 * 4 * (threads + 1)}},
		Outputs: []string{"result"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// book is a number of options, valued on trees with steps levels, a multiple of 32.
type book struct{ options, steps int }

var sizes = benchmarks.Sizes[book]{
	Test:  book{2, 64},
	Small: book{4, 256},
	Study: book{200, 96},
	Paper: &book{512, 2048},
}

// option is the kernel's layout of an option: the logarithm of the growth in an up move, and the discounted
// probabilities of up and down.
type option struct{ Price, Strike, Up, PuByDf, PdByDf float32 }

func run(c *benchmarks.Context, b book) error {
	price, strike := c.Floats("price", b.options, 5, 30), c.Floats("strike", b.options, 5, 30)
	dt := years / float64(b.steps)
	up := sigma * math.Sqrt(dt)
	pu := (math.Exp(rate*dt) - math.Exp(-up)) / (math.Exp(up) - math.Exp(-up))
	discount := math.Exp(-rate * dt)
	options := make([]option, b.options)
	for i := range options {
		options[i] = option{price[i], strike[i], float32(up), float32(pu * discount), float32((1 - pu) * discount)}
	}
	if err := c.Constant("option", options); err != nil {
		return err
	}
	dvalues := c.Alloc("values", 4*b.options*(b.steps+16))
	dresult := c.Alloc("result", 4*b.options)
	err := c.Launch("binomialOptionsKernel", benchmarks.Dim(b.options), benchmarks.Dim(threads),
		host.U64(dvalues), host.U64(dresult), host.S32(int32(b.steps)))
	if err != nil {
		return err
	}
	want := make([]float64, b.options)
	for i, o := range options {
		want[i] = tree(o, b.steps)
	}
	// Every step rounds twice: 2 * 2048 * 2^-24 relative. At the leaves the exponential's arguments reach 14 at
	// 2048 steps. This adds 14 * 2^-22, times a price of 30.
	return benchmarks.Close("result", host.Read[float32](c.Device, dresult, b.options), want,
		benchmarks.Tolerance{Rel: 3e-4, Abs: 1e-4})
}

// tree returns the value of an option. It evaluates the whole tree in place.
func tree(o option, steps int) float64 {
	v := make([]float64, steps+1)
	for i := range v {
		v[i] = max(float64(o.Price)*math.Exp(float64(o.Up)*float64(2*i-steps))-float64(o.Strike), 0)
	}
	for level := steps; level > 0; level-- {
		for i := range level {
			v[i] = float64(o.PuByDf)*v[i+1] + float64(o.PdByDf)*v[i]
		}
	}
	return v[0]
}
