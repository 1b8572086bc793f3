package cuda

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"kumiko/kernel/host"
)

// intrinsic is an expression of 64-bit words a, b and c in CUDA C++, and its value in Go.
type intrinsic struct {
	text string
	want func(a, b, c uint64) uint64
}

func f32(v uint64) float32   { return math.Float32frombits(uint32(v)) }
func word(v float32) uint64  { return uint64(math.Float32bits(v)) }
func f64(v uint64) float64   { return math.Float64frombits(v) }
func long(v float64) uint64  { return math.Float64bits(v) }
func low(v uint64) uint32    { return uint32(v) }
func hi32(a, b int64) uint64 { return uint64(uint32(a * b >> 32)) }

func ffs(n, zeros int) uint64 {
	if zeros == n {
		return 0
	}
	return uint64(zeros + 1)
}

func bytePerm(x, y, s uint32) uint32 {
	all, out := uint64(y)<<32|uint64(x), uint32(0)
	for i := range 4 {
		out |= uint32(all>>(8*(s>>(4*i)&7))&255) << (8 * i)
	}
	return out
}

var intrinsics = []intrinsic{
	{"__popc(a)", func(a, _, _ uint64) uint64 { return uint64(bits.OnesCount32(low(a))) }},
	{"__popcll(a)", func(a, _, _ uint64) uint64 { return uint64(bits.OnesCount64(a)) }},
	{"__clz(a)", func(a, _, _ uint64) uint64 { return uint64(bits.LeadingZeros32(low(a))) }},
	{"__clzll(a)", func(a, _, _ uint64) uint64 { return uint64(bits.LeadingZeros64(a)) }},
	{"__ffs(a)", func(a, _, _ uint64) uint64 { return ffs(32, bits.TrailingZeros32(low(a))) }},
	{"__ffsll(a)", func(a, _, _ uint64) uint64 { return ffs(64, bits.TrailingZeros64(a)) }},
	{"__brev(a)", func(a, _, _ uint64) uint64 { return uint64(bits.Reverse32(low(a))) }},
	{"__brevll(a)", func(a, _, _ uint64) uint64 { return bits.Reverse64(a) }},
	{"__byte_perm(a, b, c)", func(a, b, c uint64) uint64 { return uint64(bytePerm(low(a), low(b), low(c))) }},
	{"__funnelshift_l(a, b, c)", func(a, b, c uint64) uint64 { return (b<<32 | a&0xffffffff) << (c & 31) >> 32 }},
	{"__funnelshift_r(a, b, c)",
		func(a, b, c uint64) uint64 { return (b<<32 | a&0xffffffff) >> (c & 31) & 0xffffffff }},
	{"__funnelshift_lc(a, b, c)",
		func(a, b, c uint64) uint64 { return (b<<32 | a&0xffffffff) << min(c&0xffffffff, 32) >> 32 }},
	{"__funnelshift_rc(a, b, c)",
		func(a, b, c uint64) uint64 { return (b<<32 | a&0xffffffff) >> min(c&0xffffffff, 32) & 0xffffffff }},
	{"(unsigned)__mul24(a, b)",
		func(a, b, _ uint64) uint64 { return uint64(uint32(int32(a<<8) >> 8 * (int32(b<<8) >> 8))) }},
	{"__umul24(a, b)", func(a, b, _ uint64) uint64 { return uint64(low(a) & 0xffffff * (low(b) & 0xffffff)) }},
	{"(unsigned)__mulhi(a, b)", func(a, b, _ uint64) uint64 { return hi32(int64(int32(a)), int64(int32(b))) }},
	{"__umulhi(a, b)", func(a, b, _ uint64) uint64 { return uint64(low(a)) * uint64(low(b)) >> 32 }},
	{"__umul64hi(a, b)", func(a, b, _ uint64) uint64 { h, _ := bits.Mul64(a, b); return h }},
	{"__usad(a, b, c)", func(a, b, c uint64) uint64 {
		return uint64(max(low(a), low(b)) - min(low(a), low(b)) + low(c))
	}},
	{"(unsigned)__hadd((int)a, (int)b)",
		func(a, b, _ uint64) uint64 { return uint64(uint32((int64(int32(a)) + int64(int32(b))) >> 1)) }},
	{"__urhadd(a, b)", func(a, b, _ uint64) uint64 { return (uint64(low(a)) + uint64(low(b)) + 1) >> 1 }},
	{"(unsigned)min((int)a, (int)b)", func(a, b, _ uint64) uint64 { return uint64(uint32(min(int32(a), int32(b)))) }},
	{"max((unsigned)a, (unsigned)b)", func(a, b, _ uint64) uint64 { return uint64(max(low(a), low(b))) }},
	{"(unsigned)abs((int)a)", func(a, _, _ uint64) uint64 { return uint64(uint32(max(int32(a), -int32(a)))) }},
	{"(unsigned)__dp4a((int)a, (int)b, (int)c)", func(a, b, c uint64) uint64 {
		sum := int32(c)
		for i := 0; i < 32; i += 8 {
			sum += int32(int8(a>>i)) * int32(int8(b>>i))
		}
		return uint64(uint32(sum))
	}},
	{"__hiloint2double(__double2hiint(D(a)), __double2loint(D(a))) == D(a)", func(a, _, _ uint64) uint64 {
		if f64(a) == f64(a) {
			return 1
		}
		return 0
	}},
	{"W(__fadd_rn(F(a), F(b)))", func(a, b, _ uint64) uint64 { return word(f32(a) + f32(b)) }},
	{"W(__fsub_rn(F(a), F(b)))", func(a, b, _ uint64) uint64 { return word(f32(a) - f32(b)) }},
	{"W(__fmul_rn(F(a), F(b)))", func(a, b, _ uint64) uint64 { return word(f32(a) * f32(b)) }},
	{"W(__fdiv_rn(F(a), F(b)))", func(a, b, _ uint64) uint64 { return word(f32(a) / f32(b)) }},
	{"W(__frcp_rn(F(a)))", func(a, _, _ uint64) uint64 { return word(1 / f32(a)) }},
	{"W(__fsqrt_rn(F(a)))", func(a, _, _ uint64) uint64 { return word(float32(math.Sqrt(float64(f32(a))))) }},
	{"L(__dadd_rn(D(a), D(b)))", func(a, b, _ uint64) uint64 { return long(f64(a) + f64(b)) }},
	{"L(__fma_rn(D(a), D(b), D(c)))", func(a, b, c uint64) uint64 { return long(math.FMA(f64(a), f64(b), f64(c))) }},
	{"L(sqrt(D(a)))", func(a, _, _ uint64) uint64 { return long(math.Sqrt(f64(a))) }},
	{"W(__saturatef(F(a)))", func(a, _, _ uint64) uint64 {
		if v := f32(a); v > 0 {
			return word(min(v, 1))
		}
		return 0
	}},
	{"W((float)(int)a)", func(a, _, _ uint64) uint64 { return word(float32(int32(a))) }},
	{"W(__double2float_rn(D(a)))", func(a, _, _ uint64) uint64 { return word(float32(f64(a))) }},
	{"(unsigned)__float2int_rz(F(a) * 0 == 0 && fabsf(F(a)) < 1e9f ? F(a) : 7.9f)", func(a, _, _ uint64) uint64 {
		if v := float64(f32(a)); math.Abs(v) < 1e9 {
			return uint64(uint32(int32(v)))
		}
		return 7
	}},
	{"W(__expf(F(a)))", func(a, _, _ uint64) uint64 { return word(exp2(f32(a) * 1.44269504)) }},
	{"W(__logf(F(a)))", func(a, _, _ uint64) uint64 { return word(lg2(f32(a)) * 0.693147181) }},
	{"W(__log2f(F(a)))", func(a, _, _ uint64) uint64 { return word(lg2(f32(a))) }},
	{"W(__powf(F(a), F(b)))", func(a, b, _ uint64) uint64 { return word(exp2(f32(b) * lg2(f32(a)))) }},
	{"W(__sinf(F(a)))", func(a, _, _ uint64) uint64 { return word(float32(math.Sin(float64(f32(a))))) }},
	{"W(__cosf(F(a)))", func(a, _, _ uint64) uint64 { return word(float32(math.Cos(float64(f32(a))))) }},
	{"W(fmaf(F(a), F(b), F(c)))",
		func(a, b, c uint64) uint64 {
			return word(float32(math.FMA(float64(f32(a)), float64(f32(b)), float64(f32(c)))))
		}},
}

func exp2(x float32) float32 { return float32(math.Exp2(float64(x))) }
func lg2(x float32) float32  { return float32(log2(float64(x))) }

// twice matches the functions whose references are rounded twice.
var twice = regexp.MustCompile(`__powf|__sinf|__cosf|fmaf|__expf|__log`)

// equalOrNext reports whether two words are equal, numbers in them that are no numbers, or the next single-precision
// numbers if the function is one of twice.
func equalOrNext(text string, got, want uint64) bool {
	switch {
	case got == want:
		return true
	case strings.HasPrefix(text, "L("):
		return math.IsNaN(f64(got)) && math.IsNaN(f64(want))
	case !strings.HasPrefix(text, "W("):
		return false
	}
	a, b := f32(got), f32(want)
	return a != a && b != b || twice.MatchString(text) && (got-want == 1 || want-got == 1)
}

func TestIntrinsicsComputeWhatTheirNamesSay(t *testing.T) {
	var text strings.Builder
	text.WriteString("typedef unsigned long long u64;\n" +
		"#define F(x) __uint_as_float((unsigned)(x))\n#define W(x) __float_as_uint(x)\n" +
		"#define D(x) __longlong_as_double((long long)(x))\n#define L(x) (u64)__double_as_longlong(x)\n")
	for i, f := range intrinsics {
		fmt.Fprintf(&text, "extern \"C\" __global__ void k%d(const u64 *pa, const u64 *pb, const u64 *pc, "+
			"u64 *out) {\n"+
			"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"+
			"  u64 a = pa[i], b = pb[i], c = pc[i];\n  out[i] = %s;\n}\n", i, f.text)
	}
	k := load(t, text.String(), &Options{})
	const n = 128 * 16
	rng := rand.New(rand.NewPCG(3, 4))
	var in [3][]uint64
	var p [3]host.Arg
	for i := range in {
		in[i] = words(rng, n)
		p[i] = host.U64(host.Upload(&k.Device, "in", in[i]))
	}
	for i, f := range intrinsics {
		out := k.Alloc("out", 8*n)
		k.launch(fmt.Sprintf("k%d", i), n/128, p[0], p[1], p[2], host.U64(out))
		wrong := 0
		for j, got := range host.Read[uint64](&k.Device, out, n) {
			a, b, c := in[0][j], in[1][j], in[2][j]
			if want := f.want(a, b, c); !equalOrNext(f.text, got, want) {
				if wrong++; wrong == 1 {
					t.Errorf("%s of %#x, %#x, %#x is %#x, want %#x", f.text, a, b, c, got, want)
				}
			}
		}
		if wrong > 1 {
			t.Errorf("%s: %d of %d results are wrong", f.text, wrong, n)
		}
	}
}

// words returns edges, small numbers, floating-point numbers and random bits.
func words(rng *rand.Rand, n int) []uint64 {
	out := []uint64{0, 1, math.MaxUint32, math.MaxUint64, 1 << 31, 1 << 63, 31, 32, 33}
	for len(out) < n {
		switch rng.IntN(4) {
		case 0:
			out = append(out, rng.Uint64())
		case 1:
			out = append(out, rng.Uint64N(64))
		case 2:
			out = append(out, word(float32(rng.NormFloat64()*4)))
		default:
			out = append(out, long(rng.NormFloat64()*100))
		}
	}
	rng.Shuffle(n, func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
