// Package fft is a batch of Fourier transforms of 256 points, in the style of Parboil's:
// four stages of radix 4 with exchanges through shared memory.
package fft

import (
	_ "embed"
	"math"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
)

//go:embed kernel.ptx
var source []byte

const (
	name    = "fft"
	points  = 256
	threads = points / 4
)

func init() {
	benchmarks.Register(&benchmarks.App{
		Name:  name,
		Suite: "CUDA SDK",
		Summary: "Batched transforms of 256 points: radix-4 butterflies in registers, sines and cosines, exchanges " +
			"through shared memory at strides of powers of four.",
		Papers:  map[string]string{"cerf": "cache low", "gebhart": "stand-in for HPC"},
		Kernels: []benchmarks.KernelInfo{{Name: "GPU_FFT", Block: benchmarks.Dim(threads), Shared: 4 * points}},
		Outputs: []string{"spectrum"},
		New:     benchmarks.New(name, source, &sizes, run),
	})
}

// paper is the number of transforms in the batch at size paper.
var paper = 16384

var sizes = benchmarks.Sizes[int]{Test: 10, Small: 128, Study: 800, Paper: &paper}

func run(c *benchmarks.Context, batch int) error {
	in := c.Floats("signal", 2*points*batch, -1, 1)
	din := host.Upload(c.Device, "signal", in)
	dout := c.Alloc("spectrum", 8*points*batch)
	if err := c.Launch("GPU_FFT", benchmarks.Dim(batch), benchmarks.Dim(threads), host.U64(din),
		host.U64(dout)); err != nil {
		return err
	}
	want, t := make([]float64, len(in)), newTransform()
	for b := range batch {
		t.compute(want[2*points*b:2*points*(b+1)], in[2*points*b:], 1)
	}
	// sin.approx and cos.approx are accurate to 2^-20.9 in (-pi, pi) and to about 1e-6 at 4.7, the largest
	// argument. Three stages multiply by such factors, on values of up to 16 or so.
	return benchmarks.Close("spectrum", host.Read[float32](c.Device, dout, 2*points*batch), want,
		benchmarks.Tolerance{Rel: 1e-5, Abs: 2e-4})
}

// transform has the sines and cosines of a transform's angles.
type transform struct{ sin, cos [points]float64 }

func newTransform() *transform {
	t := &transform{}
	for i := range points {
		t.sin[i], t.cos[i] = math.Sincos(-2 * math.Pi * float64(i) / points)
	}
	return t
}

// compute sets out to the transform of every stride-th complex value of in. Values are pairs of a real and an imaginary
// part, and their number in out is a power of two. The values are split into even and odd ones, where the kernel splits
// them into four.
func (t *transform) compute(out []float64, in []float32, stride int) {
	n := len(out) / 2
	if n == 1 {
		out[0], out[1] = float64(in[0]), float64(in[1])
		return
	}
	even, odd := out[:n], out[n:]
	t.compute(even, in, 2*stride)
	t.compute(odd, in[2*stride:], 2*stride)
	for k := 0; k < n; k += 2 {
		sin, cos := t.sin[k/2*points/n], t.cos[k/2*points/n]
		re, im := odd[k]*cos-odd[k+1]*sin, odd[k]*sin+odd[k+1]*cos
		even[k], even[k+1], odd[k], odd[k+1] = even[k]+re, even[k+1]+im, even[k]-re, even[k+1]-im
	}
}
