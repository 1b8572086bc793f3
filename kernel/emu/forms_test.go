package emu

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/kernel/emu/softfloat"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// A vector register stands for its elements.
func TestVectorRegistersAreMovedAndPassedWhole(t *testing.T) {
	const funcs = `.func (.reg .v4 .u32 o) turn(.reg .v4 .u32 a) { mov.v4.u32 o, {a.w, a.x, a.y, a.z}; ret; }
.func (.param .v2 .u32 o) swap(.param .v2 .u32 a) { .reg .v2 .u32 x; ld.param.v2.u32 x, [a]; st.param.v2.u32 [o], {x.y, x.x};
ret; }
.func (.reg .v2 .u32 o) down(.reg .v2 .u32 a) { .reg .pred p; setp.eq.u32 p, a.x, 0; mov.v2.u32 o, a; @p ret;
sub.u32 a.x, a.x, 1; add.u32 a.y, a.y, 3; call (o), down, (a); ret; }
`
	for name, c := range map[string]struct {
		body string
		want func(i uint32) uint32
	}{
		"move": {"mov.v4.u32 v, {%r0, 2, 3, 4}; mov.v4.u32 w, v; add.u32 %r1, w.x, w.w;",
			func(i uint32) uint32 { return i + 4 }},
		"pack": {"mov.v2.u32 u, {%r0, 7}; mov.b64 %d4, u; cvt.u32.u64 %r1, %d4;", func(i uint32) uint32 { return i }},
		"unpack": {"cvt.u64.u32 %d4, %r0; shl.b64 %d4, %d4, 32; mov.b64 u, %d4; mov.u32 %r1, u.y;",
			func(i uint32) uint32 { return i }},
		"registers": {"mov.v4.u32 v, {%r0, 2, 3, 4}; call (w), turn, (v); mad.lo.u32 %r1, w.x, 100, w.y;",
			func(i uint32) uint32 { return 400 + i }},
		"parameters": {"mov.v2.u32 u, {%r0, 9}; call (u), swap, (u); mad.lo.u32 %r1, u.x, 100, u.y;",
			func(i uint32) uint32 { return 900 + i }},
		"in recursions": {"mov.v2.u32 u, {%r0, 1}; call (u), down, (u); mov.u32 %r1, u.y;",
			func(i uint32) uint32 { return 1 + 3*i }},
	} {
		t.Run(name, func(t *testing.T) {
			wantRecursive(t, funcs, ".reg .v4 .u32 v, w; .reg .v2 .u32 u; "+c.body, c.want)
		})
	}
}

func TestARegisterWithAnOffsetIsTheirSum(t *testing.T) {
	for body, want := range map[string]func(i uint32) uint32{
		"add.u32 %r1, %r0+5, 1;":               func(i uint32) uint32 { return i + 6 },
		"add.u32 %r1, %r0-5, 1;":               func(i uint32) uint32 { return i - 4 },
		"mad.lo.u32 %r1, %r0+1, %r0+2, %r0+3;": func(i uint32) uint32 { return (i+1)*(i+2) + i + 3 },
		"cvt.u64.u32 %d4, %r0; add.u64 %d4, %d4+-1, %d4; cvt.u32.u64 %r1, %d4;": func(i uint32) uint32 {
			return 2*i - 1
		},
		"setp.gt.u32 %p1, %r0+1, 7; selp.u32 %r1, %r0+2, 0, %p1;": func(i uint32) uint32 {
			return (i + 2) * b2u(i+1 > 7)
		},
	} {
		wantRecursive(t, "", body, want)
	}
}

// comparedHalves has halves of both types with different results of comparisons.
var comparedHalves = []uint16{0, 0x8000, 0x3c00, 0xbc00, 0x3f80, 0x0001, 0x7c00, 0x7e00, 0x7fc0, 0xfc00, 0x4000}

func TestPairsOfHalvesAreComparedHalfByHalf(t *testing.T) {
	for _, typ := range []ir.Type{ir.F16, ir.BF16} {
		one := map[ir.Type]uint32{ir.F16: 0x3c00, ir.BF16: 0x3f80}[typ]
		for c := ir.EQ; c <= ir.NAN; c++ {
			var body strings.Builder
			var want []uint32
			for i, x := range comparedHalves {
				y := comparedHalves[(i*7+int(c))%len(comparedHalves)]
				a, b := uint32(x)|uint32(y)<<16, uint32(y)|uint32(comparedHalves[(i+3)%len(comparedHalves)])<<16
				low := comparedTo(typ, c, uint16(a), uint16(b))
				high := comparedTo(typ, c, uint16(a>>16), uint16(b>>16))
				fmt.Fprintf(&body, "mov.b32 %%r1, %d; mov.b32 %%r2, %d; set.%s.u32.%sx2 %%r3, %%r1, %%r2; "+
					"set.%[3]s.%[4]sx2.%[4]sx2 %%r4, %%r1, %%r2; setp.%[3]s.%[4]sx2 %%p1|%%p2, %%r1, %%r2; "+
					"selp.u32 %%r5, 1, 0, %%p1; selp.u32 %%r6, 2, 0, %%p2; add.u32 %%r5, %%r5, %%r6; "+
					"st.global.u32 [%%rd0+%[5]d], %%r3; st.global.u32 [%%rd0+%[6]d], %%r4; "+
					"st.global.u32 [%%rd0+%[7]d], %%r5;\n",
					a, b, c, typ, 12*i, 12*i+4, 12*i+8)
				want = append(want, low*0xffff|high*0xffff<<16, low*one|high*one<<16, low|high<<1)
			}
			got := results(t, body.String()+"ret;", 1, 1, len(want))
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s of %sx2, result %d of number %d: %#x, want %#x", c, typ, i%3, i/3, got[i], want[i])
				}
			}
		}
	}
}

// comparedTo compares two halves as numbers.
func comparedTo(t ir.Type, c ir.Cmp, x, y uint16) uint32 {
	value := func(v uint16) float64 {
		return f64(softfloat.F64.Round(formatOf(t).Unpack(uint64(v)), softfloat.NearestEven))
	}
	a, b := value(x), value(y)
	ordered := a == a && b == b
	return b2u(map[ir.Cmp]bool{
		ir.EQ: a == b, ir.NE: ordered && a != b, ir.LT: a < b, ir.LE: a <= b, ir.GT: a > b, ir.GE: a >= b,
		ir.EQU: !ordered || a == b, ir.NEU: a != b, ir.LTU: !(a >= b), ir.LEU: !(a > b), ir.GTU: !(a <= b),
		ir.GEU: !(a < b), ir.NUM: ordered, ir.NAN: !ordered}[c])
}

func TestComparisonsThatDoNotExistAreNamed(t *testing.T) {
	m, err := ptx.Parse("t.ptx", []byte(".version 7.0\n.target sm_70\n.address_size 64\n.entry k() { .reg .b32 %r<4>; "+
		".reg .pred %p;\nsetp.lt.u32 %p, %r1, %r2; }"))
	if err != nil {
		t.Fatal(err)
	}
	m.Kernels[0].Insts[0].Mods.Cmp = ir.NAN // as only a recorded program can have it
	_, err = Prepare(m.Kernels[0])
	wantError(t, err, "t.ptx:5:1", "nan", "u32")
}

func TestAQueryOfASamplerGivesItsInitialiser(t *testing.T) {
	m := parseText(t, `.version 8.0
.target sm_80, texmode_independent
.address_size 64
.global .samplerref s = { addr_mode_0 = clamp_to_border, addr_mode_1 = mirror, filter_mode = linear, force_unnormalized_coords = 1 };
.entry k(.param .u64 p0) { .reg .b64 %rd<2>; .reg .b32 %r<5>; ld.param.u64 %rd0, [p0];
txq.addr_mode_0.b32 %r1, [s]; txq.addr_mode_1.b32 %r2, [s]; txq.filter_mode.b32 %r3, [s];
txq.force_unnormalized_coords.b32 %r4, [s]; st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4}; ret; }`)
	var dev mem.Memory
	a := dev.Alloc("out", 16)
	mustRun(t, &Runner{Mem: &dev}, textLaunch(m, 1, 1, a))
	for i, want := range []uint32{4, 1, 1, 1} {
		if got := words(t, &dev, a, 4)[i]; got != want {
			t.Errorf("query %d: %d, want %d", i+1, got, want)
		}
	}
}

func TestWrongQueriesOfSamplersAreRefused(t *testing.T) {
	for line, want := range map[string]string{
		".global .samplerref s = { filter_mode = bilinear };": "t.ptx:4:41: found bilinear as the filter_mode of a " +
			"sampler, expected one of linear, nearest",
		".global .samplerref s = { lod = 1 };": "t.ptx:4:27: found the property lod of a sampler, expected one of " +
			"addr_mode_0, ",
		".global .samplerref s;": "t.ptx:5:57: found no filter_mode in the declaration of the sampler s, expected an " +
			"initialiser such as { filter_mode = ... }",
	} {
		_, err := ptx.Parse("t.ptx", []byte(".version 8.0\n.target sm_80\n.address_size 64\n"+line+
			"\n.entry k() { .reg .b32 %r<3>; txq.filter_mode.b32 %r1, [s]; }"))
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("found %v, want %s", err, want)
		}
	}
}

func TestAFailedAssertionWithoutItsTextIsOneStill(t *testing.T) {
	const body = `{ .param .b64 a; .param .b64 b; .param .b32 c; .param .b64 d; st.param.b64 [a], 0; st.param.b64 [b], 8;
st.param.b32 [c], 3; st.param.b64 [d], 0; call __assertfail, (a, b, c, d); }`
	const function = ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d);\n"
	_, err := recursive(t, function, body, Limits{})
	if err == nil || !strings.HasSuffix(err.Error(), "trap: thread (0,0,0): assertion failed") {
		t.Errorf("found %v", err)
	}
}
