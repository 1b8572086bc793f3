package averages

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"
)

func TestAveragesEqualThoseOfGonumToTheBit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(1e-6, 1e12), 2, 40).Draw(t, "x")
		mean, dev := stat.MeanStdDev(x, nil)
		for name, c := range map[string]struct{ got, want float64 }{
			"mean": {Mean(x), mean}, "deviation": {StdDev(x), dev},
			"geometric mean": {GeometricMean(x), stat.GeometricMean(x, nil)},
		} {
			if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
				t.Errorf("%s of %v: %v, want %v", name, x, c.got, c.want)
			}
		}
	})
}

func TestStudentsTEqualsThatOfGonumToTheBit(t *testing.T) {
	for _, p := range []float64{0.6, 0.95, 0.975, 0.999} {
		for free := 1.0; free < 3000; free = math.Ceil(free * 1.3) {
			if got, want := StudentT(free, p), (distuv.StudentsT{Sigma: 1, Nu: free}).Quantile(p); got != want {
				t.Errorf("quantile %v with %v degrees of freedom: %v, want %v", p, free, got, want)
			}
		}
	}
}

func TestStudentsTOfOneDegreeOfFreedomIsThatOfTheTables(t *testing.T) {
	if got := StudentT(1, 0.975); math.Abs(got-12.706) > 0.001 {
		t.Errorf("%v, want 12.706", got)
	}
}
