package ptx

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

func TestLoadsAndStores(t *testing.T) {
	check(t, []form{
		{"ld.global.f32 %f1, [%d1+16];", "ld.global.f32 R2, [R0:R1+16]"},
		{"ld.global.f32 %f1, [%d1+-16];", "ld.global.f32 R2, [R0:R1-16]"},
		{"ld.shared.u32 %r1, [%r2-4];", "ld.shared.u32 R1, [R0-4]"},
		{"ld.u64 %d1, [%d2];", "ld.generic.u64 R2:R3, [R0:R1]"},
		{"ld.global.v2.f64 {%g1, %g2}, [%d1];", "ld.global.f64 R2:R3, R4:R5, [R0:R1]"},
		{"ld.global.v4.u32 {%r1, _, %r2, _}, [%d1];", "ld.global.u32 R2, _, R3, _, [R0:R1]"},
		{"ld.global.u32 %r1, [0x10000010];", "ld.global.u32 R0, [0x10000010]"},
		{"st.global.f32 [%d1], 0f3F800000;", "st.global.f32 [R0:R1], 0x3f800000"},
		{"st.shared.v4.f32 [%r1], {%f1, %f2, %f3, %f4};", "st.shared.f32 [R0], R1, R2, R3, R4"},
		{"ldu.global.u32 %r1, [%d1];", "ld.global.u32 R2, [R0:R1]"},
		{"prefetch.global.L1 [%d1];", "prefetch.global [R0:R1]"},
		{"prefetchu.L1 [%d1];", "prefetch.generic [R0:R1]"},
		{"membar.gl; fence.acq_rel.gpu;", "membar\nmembar"},
		{"cp.async.ca.shared.global [%r1], [%d1], 8; cp.async.commit_group; cp.async.wait_group 0;",
			"ld.global.b32 R0, R1, [R2:R3]\nst.shared.b32 [R4], R0, R1"},
	})
}

func TestALoadIntoAWiderRegisterExtends(t *testing.T) {
	for _, c := range []struct {
		src       string
		typ, wide ir.Type
	}{
		{"ld.global.s8 %r1, [%d1];", ir.S8, ir.S32},
		{"ld.global.s8 %h1, [%d1];", ir.S8, ir.S16},
		{"ld.global.u8 %d2, [%d1];", ir.U8, ir.U64},
		{"ld.global.b16 %r1, [%d1];", ir.U16, ir.U32},
		{"ld.global.s32 %d2, [%d1];", ir.S32, ir.S64},
		{"ld.global.f32 %r1, [%d1];", ir.F32, ir.TypeNone},
	} {
		if in := kernel(t, c.src).Insts[0]; in.Type != c.typ || in.SrcType != c.wide {
			t.Errorf("%s: %s to %s, want %s to %s", c.src, in.Type, in.SrcType, c.typ, c.wide)
		}
	}
}

func TestParametersAreReadThroughTheConstantBank(t *testing.T) {
	src := header + `.visible .entry k(.param .u8 c, .param .align 8 .b8 s[24], .param .u32 n) {
		.reg .b32 %r<9>; .reg .b64 %d<4>; .reg .b16 %h<3>; .reg .f32 %f<3>;
		ld.param.u8 %h1, [c];
		ld.param.s8 %r1, [c];
		ld.param.u64 %d1, [s+8];
		ld.param.v2.f32 {%f1, %f2}, [s+16];
		ld.param.u32 %r2, [n];
		ld.param.u32 %d2, [n];
		mov.b64 %d3, s;
		ld.param.u32 %r3, [%d3+4];
		ret;
	}`
	k := parsed(t, src).Kernels[0]
	want := `mov.u8 R0, c[param+0]
cvt.s32.s8 R1, c[param+0]
mov.u64 R2:R3, c[param+16]
mov.f32 R4, c[param+24]
mov.f32 R5, c[param+28]
mov.u32 R6, c[param+32]
cvt.u64.u32 R8:R9, c[param+32]
mov.b64 R10:R11, 0x8
ld.param.u32 R12, [R10:R11+4]`
	if d := cmp.Diff(want, text(k)); d != "" {
		t.Error(d)
	}
	params := []ir.ParamDecl{
		{Name: "c", Type: ir.U8, Count: 1, Offset: 0, Size: 1, Align: 1},
		{Name: "s", Type: ir.B8, Count: 24, Array: true, Offset: 8, Size: 24, Align: 8},
		{Name: "n", Type: ir.U32, Count: 1, Offset: 32, Size: 4, Align: 4},
	}
	if d := cmp.Diff(params, k.Params); d != "" || k.ParamBytes != 36 {
		t.Errorf("%d bytes\n%s", k.ParamBytes, d)
	}
}

func TestTheAlignmentOfAPointeeIsNotThePointers(t *testing.T) {
	k := parsed(t, header+".entry k(.param .u32 n, .param .u64 .ptr .global .align 64 p) { ret; }").Kernels[0]
	if p := k.Params[1]; p.Offset != 8 || p.Align != 8 {
		t.Errorf("%+v", p)
	}
}

func TestAtomics(t *testing.T) {
	check(t, []form{
		{"atom.global.add.u32 %r1, [%d1], 1;", "atom.global.add.u32 R0, [R2:R3], 0x1"},
		{"atom.add.f64 %g1, [%d1+8], %g2;", "atom.generic.add.f64 R0:R1, [R2:R3+8], R4:R5"},
		{"atom.shared.cas.b64 %d1, [%r1], %d2, %d3;", "atom.shared.cas.b64 R0:R1, [R2], R4:R5, R6:R7"},
		{"atom.shared.exch.b32 %r1, [%r2], %r3;", "atom.shared.exch.b32 R0, [R1], R2"},
		{"atom.global.add.noftz.f16x2 %r1, [%d1], %r2;", "atom.global.add.f16x2 R0, [R2:R3], R4"},
		{"atom.global.inc.u32 %r1, [%d1], %r2;", "atom.global.inc.u32 R0, [R2:R3], R4"},
		{"atom.global.min.s64 %d1, [%d2], %d3;", "atom.global.min.s64 R0:R1, [R2:R3], R4:R5"},
		{"red.global.add.f32 [%d1], %f1;", "red.global.add.f32 [R0:R1], R2"},
		{"red.relaxed.gpu.global.or.b32 [%d1], 4;", "red.global.or.b32 [R0:R1], 0x4"},
		{"atom.global.max.u32 _, [%d1], 4;", "red.global.max.u32 [R0:R1], 0x4"},
		{"atom.global.exch.b32 _, [%d1], 4;", "atom.global.exch.b32 R0, [R2:R3], 0x4"},
	})
}

func TestVariablesHaveAddressesInModuleOrder(t *testing.T) {
	m := parsed(t, header+`
.global .align 4 .b8 one[300];
.const .align 1 .b8 c1[3] = {1, 2};
.global .u64 two = one;
.const .f64 c2 = 1.5;
.visible .entry k() {
	.reg .b32 %r<4>; .reg .b64 %d<4>; .reg .f64 %g<2>;
	ld.global.u32 %r1, [one+8];
	mov.u64 %d1, two;
	ld.const.f64 %g1, [c2];
	mov.u64 %d2, c2;
	ld.global.b32 %r2, one[4];
	ret;
}`)
	// 0x10000000 + 300 + 256 of gap, rounded up to 256: 0x10000300.
	vars := []ir.Var{
		{Name: "one", Space: ir.Global, Size: 300, Align: 4, Address: 0x10000000},
		{Name: "c1", Space: ir.Const, Size: 3, Align: 1, Address: 0, Init: []byte{1, 2}},
		{Name: "two", Space: ir.Global, Size: 8, Align: 8, Address: 0x10000300, Init: []byte{0, 0, 0, 16, 0, 0, 0, 0}},
		{Name: "c2", Space: ir.Const, Size: 8, Align: 8, Address: 8, Init: []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x3f}},
	}
	if d := cmp.Diff(vars, m.Vars); d != "" {
		t.Error(d)
	}
	want := `ld.global.u32 R0, [0x10000008]
mov.u64 R2:R3, 0x10000300
ld.const.f64 R4:R5, [0x8]
mov.u64 R6:R7, 0x8
ld.global.b32 R8, [0x10000004]`
	if d := cmp.Diff(want, text(m.Kernels[0])); d != "" {
		t.Error(d)
	}
}

func TestInitialisers(t *testing.T) {
	m := parsed(t, header+`
.global .b32 a[4] = {1, -1, 0x10};
.global .f32 f[2] = {0f3F800000, 2.0};
.global .b16 g[2][2] = {{1, 2}, {3, 4}};
.global .b16 flat[2][2] = {1, 2, 3, 4};
.const .b32 c = 5;
.global .u64 p[3] = {a+4, generic(c), c};
.global .b8 byte[4] = {0xFF(a), 0xFF00(a), 0xFF0000(a), 0xFF000000(a+8)};
.global .b8 open[] = {7, 8};
.global .v2 .f32 v = {1.0, 2.0};
.global .u64 fn = f1;
.global .u32 e = (1 << 4) | (7 > 3 ? 2 : 4);
.global .align 8 .f64 d = 0d4000000000000000;
.func f1() { ret; }
`)
	want := map[string][]byte{
		"a":    {1, 0, 0, 0, 255, 255, 255, 255, 16, 0, 0, 0},
		"f":    {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40},
		"g":    {1, 0, 2, 0, 3, 0, 4, 0},
		"flat": {1, 0, 2, 0, 3, 0, 4, 0},
		"c":    {5, 0, 0, 0},
		"p":    {4, 0, 0, 16, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		"byte": {0, 0, 0, 16},
		"open": {7, 8},
		"v":    {0, 0, 0x80, 0x3f, 0, 0, 0, 0x40},
		"fn":   {0, 0, 0x80, 0, 0, 0, 0, 0},
		"e":    {18, 0, 0, 0},
		"d":    {0, 0, 0, 0, 0, 0, 0, 0x40},
	}
	for _, v := range m.Vars {
		if d := cmp.Diff(want[v.Name], v.Init); d != "" {
			t.Errorf("%s: %s", v.Name, d)
		}
	}
	if len(m.Vars) != len(want) {
		t.Errorf("%d variables, want %d", len(m.Vars), len(want))
	}
}

func TestSharedMemoryIsStaticThenDynamic(t *testing.T) {
	m := parsed(t, header+`
.shared .align 4 .b8 used[6];
.shared .align 4 .b8 unused[1000];
.extern .shared .align 4 .b8 dyn[];
.func f() { .reg .b32 %r<2>; .shared .f64 inner; ld.shared.u32 %r1, [inner]; ret; }
.visible .entry both() {
	.reg .b32 %r<4>;
	.shared .b32 own[3];
	mov.u32 %r1, used; mov.u32 %r2, own; mov.u32 %r3, dyn;
	call f;
	ret;
}
.visible .entry none() { .reg .b64 %d<2>; mov.u64 %d1, used; ret; }
`)
	// used at 0, own at 8, inner at 24 (aligned to 8), dynamic at 32.
	both, none := m.Kernels[0], m.Kernels[1]
	want := "mov.u32 R0, 0x0\nmov.u32 R1, 0x8\nmov.u32 R2, 0x20\nld.shared.u32 R3, [0x18]"
	if text(both) != want || both.SharedBytes != 32 {
		t.Errorf("%d bytes\n%s", both.SharedBytes, text(both))
	}
	if none.SharedBytes != 6 {
		t.Errorf("%d bytes of a kernel that uses one variable, want 6", none.SharedBytes)
	}
}

func TestLocalVariablesHaveOffsetsPerThread(t *testing.T) {
	k := kernel(t, `.local .align 8 .b8 depot[20]; .local .f64 next;
		mov.u64 %d1, depot; cvta.local.u64 %d2, %d1; st.local.u32 [depot+4], %r1; mov.u64 %d3, next;`)
	want := "mov.u64 R0:R1, 0x0\nadd.u64 R2:R3, R0:R1, 0x3000000\nst.local.u32 [0x4], R4\nmov.u64 R6:R7, 0x18"
	if text(k) != want || k.LocalBytes != 32 {
		t.Errorf("%d bytes\n%s", k.LocalBytes, text(k))
	}
}

func TestTextures(t *testing.T) {
	m := parsed(t, header+`.global .texref img; .global .samplerref smp; .tex .u64 old;
.visible .entry k() {
	.reg .f32 %f<9>; .reg .b32 %r<9>; .reg .b64 %d<3>;
	tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [img, {%f5, %f6}];
	tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [old, {%r5}];
	tex.a2d.v4.f32.f32 {%f1, _, _, _}, [img, smp, {%r1, %f5, %f6, %f6}];
	tex.3d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5, %f6, %f7, %f7}];
	tex.level.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [img, {%f5, %f6}], %f7;
	mov.u64 %d1, old;
	ret;
}`)
	k := m.Kernels[0]
	want := `tex.2d.f32 R0, R1, R2, R3, [img], R4, R5
tex.1d.u32.s32 R6, R7, R8, R9, [old], R10
tex.a2d.f32 R0, _, _, _, [img], R6, R4, R5
tex.3d.f32 R0, R1, R2, R3, [R12:R13], R4, R5, R14
tex.2d.f32 R0, R1, R2, R3, [img], R4, R5, R14
mov.u64 R12:R13, 0x7000001`
	if d := cmp.Diff(want, text(k)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"img", "old"}, k.Textures); d != "" {
		t.Error(d)
	}
	for i, want := range []struct {
		sym  string
		geom ir.Tex
		base ir.Kind
	}{{"img", ir.Tex2D, 0}, {"old", ir.Tex1D, 0}, {"img", ir.TexA2D, 0}, {"", ir.Tex3D, ir.KindReg},
		{"img", ir.Tex2D, 0}} {
		if in := &k.Insts[i]; in.Sym != want.sym || in.Mods.Tex != want.geom || in.Addr.Base.Kind != want.base ||
			in.Space != ir.Texture {
			t.Errorf("%d: %q %d %+v", i, in.Sym, in.Mods.Tex, in.Addr)
		}
	}
}

func TestWhatIsNoTextureIsRefused(t *testing.T) {
	for _, c := range []struct{ module, in, want string }{
		{".global .samplerref smp;", "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [smp, {%f5}];",
			"found smp, expected a texture or a register with its handle"},
		{".global .samplerref smp;", "mov.u64 %d1, smp;", "found the texture, sampler or surface smp"},
		{".extern .global .texref far;", "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [far, {%f5}];",
			"found far, which is not a texture of this module"},
		{".global .texref img;", "ld.global.u64 %d1, [img+8];", "found the texture, sampler or surface img"},
	} {
		if got := refused(t, header+c.module+"\n.visible .entry k() { .reg .f32 %f<9>; .reg .b64 %d<3>; "+c.in+
			" ret; }"); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %q", c.in, got, c.want)
		}
	}
}
