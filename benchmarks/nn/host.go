// Package nn is the neural network of ISPASS-2009 to recognise digits: two convolutional and two full layers, with
// CTAs of 169, 25 and one thread.
package nn

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name   = "nn"
	image  = 29
	side1  = 13
	maps1  = 6
	side2  = 5
	maps2  = 50
	taps   = 5
	units3 = 100
	units4 = 10
	out1   = maps1 * side1 * side1
	out2   = maps2 * side2 * side2
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:  name,
		Suite: "ISPASS-2009",
		Summary: "Digit recognition by a neural network of four layers, a CTA per map and image; CTAs are smaller " +
			"than a warp but in the first layer.",
		Papers: map[string]string{"sharing": "executeSecondLayer set-2 (blocks)",
			"ltrf": "register-sensitive (inferred)"},
		Kernels: []benchmarks.KernelInfo{
			{Name: "executeSecondLayer", Block: benchmarks.Dim(side2, side2), PaperRegisters: 24},
			{Name: "executeFirstLayer", Block: benchmarks.Dim(side1, side1)},
			{Name: "executeThirdLayer", Block: benchmarks.Dim(1)},
			{Name: "executeFourthLayer", Block: benchmarks.Dim(1)},
		},
		Outputs: []string{"layer 1", "layer 2", "layer 3", "layer 4"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// batch has the number of images through the two convolutional layers, the numbers of their maps and of the hundred
// units of layer 3 to compute, and the number of images through the full layers. Other units stay zero, since a
// unit costs 7,000 instructions of one lane.
type batch struct{ images, first, second, units, full int }

var sizes = benchmarks.Sizes[batch]{
	Test:  batch{1, 1, 3, 1, 1},
	Small: batch{2, maps1, maps2, 10, 1},
	Study: batch{16, maps1, maps2, units3, 1},
	Paper: &batch{28, maps1, maps2, units3, 28},
}

func run(c *benchmarks.Context, b batch) error {
	in := c.Floats("image", b.images*image*image, -1, 1)
	// With these weights the sums of 25 to 1250 terms stay of order one.
	w := [4][]float32{
		c.Floats("weights 1", maps1*(1+taps*taps), -0.3, 0.3),
		c.Floats("weights 2", maps2*(1+maps1*taps*taps), -0.15, 0.15),
		c.Floats("weights 3", units3*(1+out2), -0.05, 0.05),
		c.Floats("weights 4", units4*(1+units3), -0.2, 0.2),
	}
	from := host.Upload(c.Device, "image", in)
	layers := []struct {
		kernel      string
		ctas        int
		images      int
		block       [3]int
		name        string
		out         int
		hostVersion func(in, w []float64) []float64
	}{
		{"executeFirstLayer", b.first, b.images, benchmarks.Dim(side1, side1), "layer 1", out1,
			func(in, w []float64) []float64 { return convolve(in, w, 1, image, b.first, maps1, side1) }},
		{"executeSecondLayer", b.second, b.images, benchmarks.Dim(side2, side2), "layer 2", out2,
			func(in, w []float64) []float64 { return convolve(in, w, maps1, side1, b.second, maps2, side2) }},
		{"executeThirdLayer", b.units, b.full, benchmarks.Dim(1), "layer 3", units3,
			func(in, w []float64) []float64 { return full(in, w, b.units, units3) }},
		{"executeFourthLayer", units4, b.full, benchmarks.Dim(1), "layer 4", units4,
			func(in, w []float64) []float64 { return full(in, w, units4, units4) }},
	}
	want := make([][]float64, b.images)
	for i := range want {
		want[i] = benchmarks.Widen(in[i*image*image : (i+1)*image*image])
	}
	var addrs [4]uint64
	wants := make([][]float64, len(layers))
	for i, l := range layers {
		weights := host.Upload(c.Device, "weights of "+l.name, w[i])
		addrs[i] = c.Alloc(l.name, 4*l.images*l.out)
		if err := c.Launch(l.kernel, benchmarks.Dim(l.ctas, l.images), l.block, host.U64(from), host.U64(weights),
			host.U64(addrs[i])); err != nil {
			return err
		}
		for k := range l.images {
			want[k] = l.hostVersion(want[k], benchmarks.Widen(w[i]))
			wants[i] = append(wants[i], want[k]...)
		}
		from = addrs[i]
	}
	// Sums have up to 1250 terms of order 0.05, with values of order one. Errors shrink in the flat parts of the
	// activation.
	for i, l := range layers {
		got := host.Read[float32](c.Device, addrs[i], l.images*l.out)
		if err := benchmarks.Close(l.name, got, wants[i], benchmarks.Tolerance{Rel: 1e-4, Abs: 1e-4}); err != nil {
			return err
		}
	}
	return nil
}

func activate(x float64) float64 { return 1.7159 * math.Tanh(0.66666667*x) }

// convolve applies 5x5 filters two pixels apart for the first `maps` of the outputs. The weights of a map are a
// bias and, for each tap, a weight per input map.
func convolve(in, w []float64, inMaps, inSide, maps, outputs, side int) []float64 {
	out := make([]float64, 0, outputs*side*side)
	for m := range maps {
		filter := w[m*(1+inMaps*taps*taps):]
		for y := range side {
			for x := range side {
				sum := filter[0]
				for k := range inMaps * taps * taps {
					from, ky, kx := k%inMaps, k/inMaps/taps, k/inMaps%taps
					sum += filter[1+k] * in[from*inSide*inSide+(2*y+ky)*inSide+2*x+kx]
				}
				out = append(out, activate(sum))
			}
		}
	}
	return out[:cap(out)]
}

// full connects all inputs with the first `units` of the outputs.
func full(in, w []float64, units, outputs int) []float64 {
	out := make([]float64, outputs)
	for u := range units {
		weights := w[u*(1+len(in)):]
		sum := weights[0]
		for i, v := range in {
			sum += v * weights[1+i]
		}
		out[u] = activate(sum)
	}
	return out
}
