package ptx

import (
	"testing"

	"kumiko/kernel/ir"
)

func TestConversions(t *testing.T) {
	check(t, []form{
		{"cvt.rn.f32.s32 %f1, %r1;", "cvt.f32.s32 R1, R0"},
		{"cvt.u64.u32 %d1, %r1;", "cvt.u64.u32 R2:R3, R0"},
		{"cvt.u32.u64 %r1, %d1;", "cvt.u32.u64 R2, R0:R1"},
		{"cvt.u16.u32 %h1, %r1;", "cvt.u16.u32 R1, R0"},
		{"cvt.s16.s8 %h1, %h2;", "cvt.s16.s8 R1, R0"},
		{"cvt.rn.f16.f32 %h1, %f1;", "cvt.f16.f32 R1, R0"},
		{"cvt.rn.f16x2.f32 %r1, %f1, %f2;", "cvt.f16x2.f32 R0, R1, R2"},
		{"cvt.rn.bf16x2.f32 %r1, %f1, %f2;", "cvt.bf16x2.f32 R0, R1, R2"},
		// A wide source is read in its low bits.
		{"cvt.s64.s32 %d1, %d2;", "cvt.s64.s32 R2:R3, R0:R1"},
		// A narrow result is extended to its register.
		{"cvt.u8.u32 %r1, %r2;", "cvt.u8.u32 R1, R0"},
		{"cvt.s8.s32 %r1, %r2;", "cvt.s8.s32 R2, R0\ncvt.s32.s8 R1, R2"},
		{"cvt.u32.u16 %d1, %h1;", "cvt.u32.u16 R4, R0\ncvt.u64.u32 R2:R3, R4"},
	})
}

func TestTheRoundingOfConversions(t *testing.T) {
	for src, want := range map[string]ir.Mods{
		"cvt.rzi.s32.f32 %r1, %f1;":         {Round: ir.RZI},
		"cvt.rni.ftz.f32.f32 %f1, %f2;":     {Round: ir.RNI, Ftz: true},
		"cvt.rmi.sat.u8.f32 %r1, %f2;":      {Round: ir.RMI, Sat: true},
		"cvt.rp.f32.f64 %f1, %g1;":          {Round: ir.RP},
		"cvt.sat.f32.f32 %f1, %f2;":         {Sat: true},
		"cvt.f64.f32 %g1, %f1;":             {},
		"cvt.rn.relu.bf16.f32 %h1, %f1;":    {Round: ir.RN, Relu: true},
		"cvt.rna.bf16x2.f32 %r1, %f1, %f2;": {Round: ir.RNA},
		"cvt.rn.f32.u16 %f1, %h1;":          {Round: ir.RN},
	} {
		if got := kernel(t, src).Insts[0].Mods; got != want {
			t.Errorf("%s: %+v, want %+v", src, got, want)
		}
	}
}

func TestMoves(t *testing.T) {
	check(t, []form{
		{"mov.u32 %r1, 7;", "mov.u32 R0, 0x7"},
		{"mov.b32 %r1, 0f3F800000;", "mov.b32 R0, 0x3f800000"},
		{"mov.f32 %f1, 0f3F800000;", "mov.f32 R0, 0x3f800000"},
		{"mov.u32 %r1, %tid.x;", "mov.u32 R0, %tid.x"},
		{"mov.u32 %r1, %laneid;", "mov.u32 R0, %laneid"},
		{"mov.u64 %d1, %clock64;", "mov.u64 R0:R1, %clock64"},
		{"mov.u32 %r1, WARP_SZ;", "mov.u32 R0, 0x20"},
		{"mov.u32 %r1, %tid.w;", "mov.u32 R0, 0x0"},
		{"mov.u32 %r1, %clusterid.y;", "mov.u32 R0, %clusterid.y"},
		{"mov.u16 %h1, %ctaid.x;", "mov.u16 R0, %ctaid.x"},
		{"mov.pred %p1, %p2;", "mov.pred P0, P1"},
		{"mov.pred %p1, -1;", "mov.pred P0, 0x1"},
		{"mov.b64 %d1, {%r1, %r2};", "pack.b64.b32 R0:R1, R2, R3"},
		{"mov.b64 {%r1, %r2}, %d1;", "unpack.b32.b64 R2, R3, R0:R1"},
		{"mov.b64 {_, %r2}, %d1;", "unpack.b32.b64 R2, R3, R0:R1"},
		{"mov.b32 %r1, {%h1, %h2};", "pack.b32.b16 R0, R1, R2"},
		{"mov.b32 {%h1, %h2}, %r1;", "unpack.b16.b32 R1, R2, R0"},
		{"mov.b64 %d1, {%h1, %h2, %h3, %h4};",
			"pack.b32.b16 R6, R2, R3\npack.b32.b16 R7, R4, R5\npack.b64.b32 R0:R1, R6, R7"},
		{"mov.b64 {%h1, %h2, %h3, %h4}, %d1;",
			"unpack.b32.b64 R6, R7, R0:R1\nunpack.b16.b32 R2, R3, R6\nunpack.b16.b32 R4, R5, R7"},
		{"mov.b64 %d1, %g1;", "mov.b64 R0:R1, R2:R3"},
		{"selp.b32 %r1, %r2, 3, %p1;", "selp.b32 R0, R1, 0x3, P0"},
		{"slct.f32.s32 %f1, %f2, %f3, %r1;", "slct.f32.s32 R0, R1, R2, R3"},
		{"prmt.b32 %r1, %r2, %r3, 0x5410;", "prmt.b32 R0, R1, R2, 0x5410"},
	})
}

func TestAVectorMoveReadsAllItsSourcesFirst(t *testing.T) {
	check(t, []form{
		{"mov.v2.u32 {%r1, %r2}, {%r2, %r1};", "mov.u32 R2, R1\nmov.u32 R3, R0\nmov.u32 R0, R2\nmov.u32 R1, R3"},
		{".reg .v2 .b32 v; mov.v2.b32 v, {v.y, v.x};",
			"mov.b32 R2, R1\nmov.b32 R3, R0\nmov.b32 R0, R2\nmov.b32 R1, R3"},
		// Where no later source is overwritten, the moves need no registers.
		{"mov.v2.u32 {%r1, %r2}, {%r2, %r3};", "mov.u32 R0, R1\nmov.u32 R1, R2"},
	})
}

func TestSpecialRegistersInOtherInstructionsAreMovedFirst(t *testing.T) {
	check(t, []form{
		{"cvt.u32.u16 %r1, %tid.x;", "mov.u16 R0, %tid.x\ncvt.u32.u16 R1, R0"},
		{"mad.lo.u32 %r1, %ctaid.x, %ntid.x, %tid.x;",
			"mov.u32 R1, %ctaid.x\nmov.u32 R2, %ntid.x\nmov.u32 R3, %tid.x\nmad.lo.u32 R0, R1, R2, R3"},
	})
}

func TestBitOperations(t *testing.T) {
	check(t, []form{
		{"and.b32 %r1, %r2, 0xff;", "and.b32 R0, R1, 0xff"},
		{"or.pred %p1, %p2, %p3;", "or.pred P0, P1, P2"},
		{"xor.b64 %d1, %d2, -1;", "xor.b64 R0:R1, R2:R3, 0xffffffffffffffff"},
		{"not.pred %p1, %p2;", "not.pred P0, P1"},
		{"not.b16 %h1, %h2;", "not.b16 R0, R1"},
		{"cnot.b32 %r1, %r2;", "cnot.b32 R0, R1"},
		{"lop3.b32 %r1, %r2, %r3, %r4, 0x80;", "lop3.b32 R0, R1, R2, R3, 0x80"},
		{"shl.b64 %d1, %d2, %r1;", "shl.b64 R0:R1, R2:R3, R4"},
		{"shr.s16 %h1, %h2, 3;", "shr.s16 R0, R1, 0x3"},
		{"shf.r.clamp.b32 %r1, %r2, %r3, 7;", "shf.b32 R0, R1, R2, 0x7"},
		{"bfe.u64 %d1, %d2, %r1, 8;", "bfe.u64 R0:R1, R2:R3, R4, 0x8"},
		{"bfi.b32 %r1, %r2, %r3, 4, 8;", "bfi.b32 R0, R1, R2, 0x4, 0x8"},
		{"bfind.s64 %r1, %d1;", "bfind.s64 R0, R2:R3"},
		{"brev.b32 %r1, %r2;", "brev.b32 R0, R1"},
		{"clz.b64 %r1, %d1;", "clz.b64 R0, R2:R3"},
		{"popc.b32 %r1, %r2;", "popc.b32 R0, R1"},
		{"fns.b32 %r1, %r2, 0, %r3;", "fns.b32 R0, R1, 0x0, R2"},
		{"bmsk.clamp.b32 %r1, %r2, %r3;", "bmsk.b32 R0, R1, R2"},
		{"szext.wrap.s32 %r1, %r2, %r3;", "szext.s32 R0, R1, R2"},
		{"vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4;", "video.u32 R0, R1, R2, R3"},
	})
}

func TestComparisons(t *testing.T) {
	check(t, []form{
		{"setp.lt.s32 %p1, %r1, 5;", "setp.lt.s32 P0, R0, 0x5"},
		{"setp.lo.u32 %p1, %r1, %r2;", "setp.lt.u32 P0, R0, R1"},
		{"setp.geu.f32 %p1, %f1, %f2;", "setp.geu.f32 P0, R0, R1"},
		{"setp.num.f64 %p1, %g1, %g2;", "setp.num.f64 P0, R0:R1, R2:R3"},
		{"setp.eq.u32 %p1|%p2, %r1, %r2;", "setp.eq.u32 P0, P1, R0, R1"},
		{"setp.eq.u32 %p1|_, %r1, %r2;", "setp.eq.u32 P0, R0, R1"},
		{"setp.ne.and.b64 %p1|%p2, %d1, %d2, !%p3;", "setp.ne.and.b64 P0, P1, R0:R1, R2:R3, !P2"},
		{"set.gt.u32.f32 %r1, %f1, %f2;", "set.gt.u32.f32 R0, R1, R2"},
		{"set.le.xor.f32.s32 %f1, %r1, %r2, %p1;", "set.le.xor.f32.s32 R0, R1, R2, P0"},
	})
}

func TestCvtaAddsAndSubtractsWindows(t *testing.T) {
	check(t, []form{
		{"cvta.to.global.u64 %d1, %d2;", "mov.u64 R0:R1, R2:R3"},
		{"cvta.global.u64 %d1, %d2;", "mov.u64 R0:R1, R2:R3"},
		{"cvta.shared.u64 %d1, %d2;", "add.u64 R0:R1, R2:R3, 0x1000000"},
		{"cvta.to.shared.u64 %d1, %d2;", "sub.u64 R0:R1, R2:R3, 0x1000000"},
		{"cvta.local.u64 %d1, %d2;", "add.u64 R0:R1, R2:R3, 0x3000000"},
		{"cvta.to.const.u64 %d1, %d2;", "sub.u64 R0:R1, R2:R3, 0x5000000"},
		{"cvta.param.u64 %d1, a;", "mov.u64 R0:R1, 0x6000000"},
		{".shared .b32 s[4]; cvta.shared.u64 %d1, s+4;", "mov.u64 R0:R1, 0x1000004"},
		{"isspacep.shared %p1, %d1;", "sub.u64 R2:R3, R0:R1, 0x1000000\nsetp.lt.u64 P0, R2:R3, 0x1000000"},
		{"isspacep.global %p1, %d1;", "setp.ge.u64 P0, R0:R1, 0x10000000"},
	})
}
