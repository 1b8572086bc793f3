package fft

import (
	"math"
	"math/rand/v2"
	"testing"

	"kumiko/benchmarks/benchtest"
)

func TestFft(t *testing.T) { benchtest.Run(t, name) }

func TestTheTransformIsTheSumOfItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	in := make([]float64, 2*points)
	for i := range in {
		in[i] = 2*r.Float64() - 1
	}
	got := dft(in)
	for k := range points {
		var re, im float64
		for i := range points {
			sin, cos := math.Sincos(-2 * math.Pi * float64(k*i%points) / points)
			re += in[2*i]*cos - in[2*i+1]*sin
			im += in[2*i]*sin + in[2*i+1]*cos
		}
		if math.Hypot(got[2*k]-re, got[2*k+1]-im) > 1e-12 {
			t.Fatalf("value %d is %v + %vi, want %v + %vi", k, got[2*k], got[2*k+1], re, im)
		}
	}
}
