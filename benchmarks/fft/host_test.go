package fft

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestTheTransformIsTheSumOfItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	in, got := make([]float32, 2*points), make([]float64, 2*points)
	for i := range in {
		in[i] = 2*r.Float32() - 1
	}
	newTransform().compute(got, in, 1)
	for k := range points {
		var re, im float64
		for i := range points {
			sin, cos := math.Sincos(-2 * math.Pi * float64(k*i%points) / points)
			x, y := float64(in[2*i]), float64(in[2*i+1])
			re, im = re+x*cos-y*sin, im+x*sin+y*cos
		}
		if math.Hypot(got[2*k]-re, got[2*k+1]-im) > 1e-12 {
			t.Fatalf("value %d is %v + %vi, want %v + %vi", k, got[2*k], got[2*k+1], re, im)
		}
	}
}
