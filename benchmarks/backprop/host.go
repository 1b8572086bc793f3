// Package backprop is Rodinia's training step of a perceptron with one hidden
// layer of sixteen units and one output.
package backprop

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
	name   = "backprop"
	hidden = 16
	inputs = 16 // per CTA
	ld     = hidden + 1
	rate   = 0.3
	moment = 0.3
	target = 0.1
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:  name,
		Suite: "Rodinia",
		Summary: "One training step of a three-layer perceptron: weighted sums by a tree in shared memory, then " +
			"weight updates with momentum.",
		Papers: map[string]string{"sharing": "adjust_weights set-1 (registers), layerforward set-2 (threads)"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "layerforward", Block: benchmarks.Dim(hidden, inputs), Shared: 4*inputs + 4*inputs*hidden,
				PaperRegisters: 12},
			{Name: "adjust_weights", Block: benchmarks.Dim(hidden, inputs), PaperRegisters: 24},
		},
		Outputs: []string{"partial", "weights", "old weights"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// paper is the number of inputs of the network at size paper, a multiple of 16.
var paper = 65536

var sizes = benchmarks.Sizes[int]{Test: 64, Small: 2048, Study: 4096, Paper: &paper}

// The matrices have a bias row and an unused column before the first, as the
// published program's do.
func run(c *benchmarks.Context, n int) error {
	input := c.Floats("input", n+1, 0, 1)
	weights := c.Floats("weights", (n+1)*ld, -1.0/64, 1.0/64)
	old := c.Floats("old weights", (n+1)*ld, -0.01, 0.01)
	output := c.Floats("output weights", ld, -1, 1)
	dinput := host.Upload(c.Device, "input", input)
	dweights := host.Upload(c.Device, "weights", weights)
	dold := host.Upload(c.Device, "old weights", old)
	dpartial := c.Alloc("partial", 4*n/inputs*hidden)
	grid, block := benchmarks.Dim(1, n/inputs), benchmarks.Dim(hidden, inputs)

	err := c.Launch("layerforward", grid, block, host.U64(dinput), host.U64(dweights), host.U64(dpartial),
		host.S32(hidden))
	if err != nil {
		return err
	}
	products, partial := forward(n, input, weights)
	// Products below 1/64 in size, sixteen to a sum: 16 * 16/64 * 2^-24.
	tol := benchmarks.Tolerance{Rel: 1e-5, Abs: 1e-6}
	if err := benchmarks.Close("weights", host.Read[float32](c.Device, dweights, len(weights)), products,
		tol); err != nil {
		return err
	}

	host.Write(c.Device, dweights, weights) // the products are of no further use
	delta := deltas(weights, output, host.Read[float32](c.Device, dpartial, len(partial)))
	ddelta := host.Upload(c.Device, "delta", delta)
	err = c.Launch("adjust_weights", grid, block, host.U64(ddelta), host.U64(dinput), host.U64(dweights),
		host.U64(dold), host.S32(hidden))
	if err != nil {
		return err
	}
	wantWeights, wantOld := adjust(n, input, weights, old, delta)
	return cmp.Or(benchmarks.Close("partial", host.Read[float32](c.Device, dpartial, len(partial)), partial, tol),
		benchmarks.Close("weights", host.Read[float32](c.Device, dweights, len(weights)), wantWeights, tol),
		benchmarks.Close("old weights", host.Read[float32](c.Device, dold, len(old)), wantOld, tol))
}

// forward returns the weight matrix after the first kernel, and the partial sums. Row r of a CTA's tile holds the
// sum of 2^k rows from r on, where 2^k is the largest power of two that divides r. Row 0 holds the sum of all rows.
func forward(n int, input, weights []float32) (matrix, partial []float64) {
	matrix = benchmarks.Widen(weights)
	partial = make([]float64, n/inputs*hidden)
	for cta := range n / inputs {
		for r := range inputs {
			rows := inputs
			if r != 0 {
				rows = r & -r
			}
			for h := range hidden {
				var sum float64
				for i := r; i < r+rows; i++ {
					at := cta*inputs + i + 1
					sum += float64(weights[at*ld+h+1]) * float64(input[at])
				}
				matrix[(cta*inputs+r+1)*ld+h+1] = sum
				if r == 0 {
					partial[cta*hidden+h] = sum
				}
			}
		}
	}
	return matrix, partial
}

// deltas is the host's part: hidden activations, the output, its error, and the
// error handed back to each hidden unit (element 0 is the bias unit's).
func deltas(weights, output, partial []float32) []float32 {
	squash := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	var unit [ld]float64
	unit[0] = 1
	for h := 1; h <= hidden; h++ {
		sum := float64(weights[h])
		for i := h - 1; i < len(partial); i += hidden {
			sum += float64(partial[i])
		}
		unit[h] = squash(sum)
	}
	var sum float64
	for h, u := range unit {
		sum += u * float64(output[h])
	}
	out := squash(sum)
	outDelta := out * (1 - out) * (target - out)
	delta := make([]float32, ld)
	for h, u := range unit {
		delta[h] = float32(u * (1 - u) * outDelta * float64(output[h]))
	}
	return delta
}

func adjust(n int, input, weights, old, delta []float32) (w, o []float64) {
	w, o = benchmarks.Widen(weights), benchmarks.Widen(old)
	for i := 0; i <= n; i++ {
		x := 1.0
		if i > 0 {
			x = float64(input[i])
		}
		for h := 1; h <= hidden; h++ {
			change := rate*float64(delta[h])*x + moment*float64(old[i*ld+h])
			w[i*ld+h] += change
			o[i*ld+h] = change
		}
	}
	return w, o
}
