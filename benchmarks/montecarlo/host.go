// Package montecarlo is the CUDA SDK's Monte Carlo valuation of European calls: a CTA per
// option, samples shared by all, a reduction at the end.
package montecarlo

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "monteCarlo"
	threads = 256
	rate    = 0.06
	sigma   = 0.10
	years   = 2.0
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:    name,
		Aliases: []string{"MC"},
		Suite:   "CUDA SDK",
		Summary: "European calls by Monte Carlo: a CTA per option strides over samples that all share, one " +
			"exponential each, then a tree sum.",
		Papers: map[string]string{"finereg": "type-S"},
		Kernels: []benchmarks.KernelInfo{{Name: "MonteCarloOneBlockPerOption", Block: benchmarks.Dim(threads),
			Shared: 2 * 4 * threads}},
		Outputs: []string{"value"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

type book struct{ options, samples int }

var sizes = benchmarks.Sizes[book]{
	Test:  book{3, 2100},
	Small: book{32, 8192},
	Study: book{200, 16384},
	Paper: &book{256, 262144},
}

// option is the kernel's layout of an option, with drift and volatility over the option's time.
type option struct{ Price, Strike, Drift, Volatility float32 }

func run(c *benchmarks.Context, b book) error {
	price, strike := c.Floats("price", b.options, 5, 50), c.Floats("strike", b.options, 10, 25)
	options := make([]option, b.options)
	for i := range options {
		options[i] = option{price[i], strike[i], (rate - sigma*sigma/2) * years, float32(sigma * math.Sqrt(years))}
	}
	if err := c.Constant("option", options); err != nil {
		return err
	}
	samples := make([]float32, b.samples)
	r := c.Rand("samples")
	for i := range samples {
		samples[i] = float32(r.NormFloat64())
	}
	dsamples := host.Upload(c.Device, "samples", samples)
	dvalue := c.Alloc("value", 8*b.options)
	err := c.Launch("MonteCarloOneBlockPerOption", benchmarks.Dim(b.options), benchmarks.Dim(threads),
		host.U64(dsamples), host.U64(dvalue), host.S32(int32(b.samples)))
	if err != nil {
		return err
	}
	want := make([]float64, 2*b.options)
	for i, o := range options {
		for _, z := range samples {
			payoff := max(float64(o.Price)*math.Exp(float64(o.Drift)+
				float64(o.Volatility)*float64(z))-float64(o.Strike), 0)
			want[2*i] += payoff
			want[2*i+1] += payoff * payoff
		}
	}
	// Terms are differences of numbers of up to 80, with the exponential accurate to 1e-6. Each of n terms may be
	// off by 1e-4, and its square by 1e-4 times the payoff.
	n := float64(b.samples)
	return benchmarks.Close("value", host.Read[float32](c.Device, dvalue, 2*b.options), want,
		benchmarks.Tolerance{Rel: 1e-4, Abs: 1e-5 * n})
}
