package cuda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"kumiko/kernel/host"
)

// function is a function of the headers with its reference in double precision.
type function struct {
	one func(float64) float64
	two func(x, y float64) float64
}

// references are the functions of the table in docs/cuda.md.
var references = map[string]function{
	"erff": {one: math.Erf}, "sqrtf": {one: math.Sqrt}, "cbrtf": {one: math.Cbrt},
	"rsqrtf": {one: func(x float64) float64 { return 1 / math.Sqrt(x) }},
	"rcbrtf": {one: func(x float64) float64 { return 1 / math.Cbrt(x) }},
	"expf":   {one: math.Exp}, "exp2f": {one: math.Exp2}, "expm1f": {one: math.Expm1},
	"exp10f": {one: func(x float64) float64 { return math.Pow(10, x) }},
	"logf":   {one: math.Log}, "log2f": {one: log2}, "log10f": {one: math.Log10}, "log1pf": {one: math.Log1p},
	"sinf": {one: math.Sin}, "cosf": {one: math.Cos}, "tanf": {one: math.Tan},
	"sinpif": {one: sinPi},
	"cospif": {one: func(x float64) float64 { return sinPi(math.Abs(math.Remainder(x, 2)) + 0.5) }},
	"asinf":  {one: math.Asin}, "acosf": {one: math.Acos}, "atanf": {one: math.Atan},
	"sinhf": {one: math.Sinh}, "coshf": {one: math.Cosh}, "tanhf": {one: math.Tanh},
	"asinhf": {one: math.Asinh}, "acoshf": {one: math.Acosh}, "atanhf": {one: math.Atanh},
	"powf": {two: math.Pow}, "atan2f": {two: math.Atan2}, "hypotf": {two: math.Hypot}, "fmodf": {two: math.Mod},
	"floorf": {one: math.Floor}, "ceilf": {one: math.Ceil}, "truncf": {one: math.Trunc}, "roundf": {one: math.Round},
	"rintf": {one: math.RoundToEven}, "fabsf": {one: math.Abs},
	"fdimf":     {two: math.Dim},
	"copysignf": {two: math.Copysign},
}

// log2 is math.Log2 with a relative error as small near one.
func log2(x float64) float64 {
	if x > 0.5 && x < 2 {
		return math.Log1p(x-1) * math.Log2E
	}
	return math.Log2(x)
}

// sinPi returns sin πx from an argument near the zero.
func sinPi(x float64) float64 {
	r := math.Remainder(x, 2)
	if math.Abs(r) > 0.5 {
		r = math.Copysign(1, r) - r
	}
	return math.Sin(math.Pi * r)
}

var boundRow = regexp.MustCompile("(?m)^\\| ((?:`\\w+`(?:, )?)+) \\| (exact|[\\d.]+) \\|")

// bounds returns the largest errors in units in the last place, from the table of the documentation.
func bounds(t *testing.T) map[string]float64 {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "..", "docs", "cuda.md"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, m := range boundRow.FindAllStringSubmatch(string(text), -1) {
		bound := 0.5
		if m[2] != "exact" {
			if bound, err = strconv.ParseFloat(m[2], 64); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range strings.Split(m[1], ", ") {
			out[strings.Trim(name, "`")] = bound
		}
	}
	return out
}

// inputs returns a multiple of 128 numbers: edges, all magnitudes, and the range of most uses.
func inputs(rng *rand.Rand, n int) []float32 {
	out := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 0.5, -0.5, 2, -2, 1.5, 2.5, math.MaxFloat32,
		-math.MaxFloat32, math.SmallestNonzeroFloat32, 0x1p-126, 0x1p-127, float32(math.Inf(1)), float32(math.Inf(-1)),
		float32(math.NaN()), math.Pi, math.Pi / 2, 1e5, 105615, 105616, 88.72284, 88.72283, -103.97, -87.33655,
		128, 127, -126, -149, -150, 0.99999994, 1.0000001, 16777216, 8388607.5, 0.41421357, 0.6, 0.33333334, 0.6666667}
	for len(out) < n {
		switch rng.IntN(4) {
		case 0:
			out = append(out, math.Float32frombits(rng.Uint32()))
		case 1:
			out = append(out, float32(rng.NormFloat64()*10))
		case 2:
			out = append(out, float32(2*rng.Float64()-1))
		default:
			out = append(out, float32((2*rng.Float64()-1)*1e4))
		}
	}
	return out
}

// ulps returns the distance of a result from the exact one, in units in the last place of the exact one.
func ulps(got float32, want float64) float64 {
	switch {
	case math.IsNaN(want) || math.IsNaN(float64(got)):
		if math.IsNaN(want) == math.IsNaN(float64(got)) {
			return 0
		}
		return math.Inf(1)
	case float64(got) == want, got == float32(want):
		return min(0.5, math.Abs(float64(got)-want)) // infinities are equal
	}
	_, e := math.Frexp(want)
	unit := math.Ldexp(1, max(e, -125)-24)
	if math.IsInf(float64(got), 0) || math.Abs(want) > math.MaxFloat32 { // the next number beyond the largest
		got, want = float32(math.Copysign(1, float64(got))), want/0x1p128
		unit = 0x1p-24
	}
	return math.Abs(float64(got)-want) / unit
}

func TestMathFunctionsKeepTheirErrorBounds(t *testing.T) {
	limit := bounds(t)
	var text strings.Builder
	for name, f := range references {
		if _, ok := limit[name]; !ok {
			t.Errorf("%s has no bound in docs/cuda.md", name)
		}
		call := name + "(x[i])"
		if f.two != nil {
			call = name + "(x[i], y[i])"
		}
		fmt.Fprintf(&text, "extern \"C\" __global__ void k_%s(const float *x, const float *y, float *out) {\n"+
			"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  out[i] = %s;\n}\n", name, call)
	}
	if len(limit) != len(references) {
		t.Errorf("docs/cuda.md has %d functions, want %d", len(limit), len(references))
	}
	k := load(t, text.String(), &Options{})
	n := 128 * 512
	if testing.Short() {
		n = 128 * 32
	}
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := inputs(rng, n), inputs(rng, n)
	rng.Shuffle(len(y), func(i, j int) { y[i], y[j] = y[j], y[i] })
	px, py := host.Upload(&k.Device, "x", x), host.Upload(&k.Device, "y", y)
	for name, f := range references {
		out := k.Alloc(name, 4*n)
		k.launch("k_"+name, n/128, host.U64(px), host.U64(py), host.U64(out))
		worst, at := 0.0, 0
		got := host.Read[float32](&k.Device, out, n)
		for i, v := range got {
			if u := ulps(v, f.reference(x[i], y[i])); u > worst {
				worst, at = u, i
			}
		}
		t.Logf("%s: %.2f", name, worst)
		if worst > limit[name] {
			t.Errorf("%s(%g, %g) = %g, want %g: %.2f units in the last place, want at most %g", name, x[at], y[at],
				got[at], f.reference(x[at], y[at]), worst, limit[name])
		}
	}
}

func (f *function) reference(x, y float32) float64 {
	if f.two != nil {
		return f.two(float64(x), float64(y))
	}
	return f.one(float64(x))
}
