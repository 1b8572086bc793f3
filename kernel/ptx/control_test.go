package ptx

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

func TestBranchesAndGuards(t *testing.T) {
	check(t, []form{
		{"$A: @%p1 bra $A; @!%p1 bra $B; add.s32 %r1, %r1, 1; $B: bra.uni $A;",
			"@P0 bra -> 0\n@!P0 bra -> 3\nadd.s32 R0, R0, 0x1\nbra -> 0"},
		{"@%p1 add.s32 %r1, %r1, 1; @!%p2 exit; @%p1 ret; trap;", "@P0 add.s32 R0, R0, 0x1\n@!P1 exit\n@P0 exit\ntrap"},
	})
}

func TestLabelsOfANestedBlockAreItsOwn(t *testing.T) {
	// Both blocks have a label L; the branches stay within their block.
	got := text(kernel(t, "{ bra L; L: add.s32 %r1, %r1, 1; } { bra L; L: sub.s32 %r1, %r1, 1; }"))
	if want := "bra -> 1\nadd.s32 R0, R0, 0x1\nbra -> 3\nsub.s32 R0, R0, 0x1"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestRegistersOfANestedBlockShadow(t *testing.T) {
	got := text(kernel(t, "mov.u32 %r1, 1; { .reg .b32 %r1; mov.u32 %r1, 2; { .reg .b64 %r<4>; mov.u64 %r1, 3; } } "+
		"mov.u32 %r1, 4;"))
	if want := "mov.u32 R0, 0x1\nmov.u32 R1, 0x2\nmov.u64 R2:R3, 0x3\nmov.u32 R0, 0x4"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestAnIndexedBranchHasAListOfTargets(t *testing.T) {
	k := kernel(t, "tab: .branchtargets A, B, A; brx.idx %r1, tab; A: add.s32 %r2, %r2, 1; B: exit;")
	if in := k.Insts[0]; in.Op != ir.OpBrx || cmp.Diff([]int{1, 2, 1}, in.Targets) != "" || in.Src[0] != ir.R(0, 1) {
		t.Errorf("%+v", in)
	}
}

func TestAKernelEndsWithAnExit(t *testing.T) {
	for _, c := range []struct {
		src  string
		want int
	}{{"", 1}, {"ret;", 1}, {"@%p1 ret;", 2}, {"L: bra L;", 1}, {"bra L; L:", 2}, {"@%p1 bra L; ret; L:", 3}} {
		k := kernel(t, c.src)
		if n := len(k.Insts); n != c.want || k.Insts[n-1].Op != ir.OpExit && c.src != "L: bra L;" {
			t.Errorf("%q: %s", c.src, text(k))
		}
	}
}

func TestBarriers(t *testing.T) {
	check(t, []form{
		{"bar.sync 0;", "bar 0x0"},
		{"bar.sync 1, 64;", "bar 0x1, 0x40"},
		{"barrier.sync.aligned 2;", "bar 0x2"},
		{"barrier.cta.sync %r1, %r2;", "bar R0, R1"},
		{"bar.arrive 1, 64;", "bar 0x1, 0x40"},
		{"bar.red.popc.u32 %r1, 0, %p1;", "bar R0, 0x0, _, P0"},
		{"bar.red.and.pred %p1, 3, 64, !%p2;", "bar P0, 0x3, 0x40, !P1"},
		{"bar.warp.sync 0xffffffff;", "bar.warp 0xffffffff"},
	})
	for src, want := range map[string]ir.Bar{"bar.sync 0;": ir.BarSync, "bar.arrive 0, 32;": ir.BarArrive,
		"bar.red.popc.u32 %r1, 0, %p1;": ir.BarRedPopc,
		"bar.red.and.pred %p1, 0, %p2;": ir.BarRedAnd, "barrier.red.or.aligned.pred %p1, 0, %p2;": ir.BarRedOr} {
		if in := kernel(t, src).Insts[0]; in.Mods.Bar != want || in.Op != ir.OpBar || in.Mods.Sync {
			t.Errorf("%s: %+v", src, in.Mods)
		}
	}
}

func TestWarpOperations(t *testing.T) {
	check(t, []form{
		{"shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;", "shfl.bfly.b32 R0, R1, 0x1, 0x1f, 0xffffffff"},
		{"shfl.sync.up.b32 %f1|%p1, %f2, %r1, 0, %r2;", "shfl.up.b32 R0, P0, R1, R2, 0x0, R3"},
		{"shfl.idx.b32 %r1, %r2, %r3, 0x1f;", "shfl.idx.b32 R0, R1, R2, 0x1f, 0xffffffff"},
		{"shfl.down.b32 %r1|%p1, %r2, %r3, 31;", "shfl.down.b32 R0, P0, R1, R2, 0x1f, 0xffffffff"},
		{"vote.sync.ballot.b32 %r1, %p1, -1;", "vote.ballot.b32 R0, P0, 0xffffffff"},
		{"vote.all.pred %p1, !%p2;", "vote.all.pred P0, !P1, 0xffffffff"},
		{"vote.sync.uni.pred %p1, %p2, %r1;", "vote.uni.pred P0, P1, R0"},
		{"vote.ballot.b32 %r1, %p1;", "vote.ballot.b32 R0, P0, 0xffffffff"},
		{"match.any.sync.b32 %r1, %r2, %r3;", "match.any.b32 R0, R1, R2"},
		{"match.all.sync.b64 %r1|%p1, %d1, %r3;", "match.all.b64 R0, P0, R2:R3, R4"},
		{"activemask.b32 %r1;", "activemask.b32 R0"},
		{"redux.sync.add.s32 %r1, %r2, %r3;", "redux.add.s32 R0, R1, R2"},
	})
	for src, want := range map[string]bool{"vote.all.pred %p1, %p2;": false, "vote.sync.all.pred %p1, %p2, -1;": true,
		"shfl.idx.b32 %r1, %r2, %r3, 31;": false, "shfl.sync.idx.b32 %r1, %r2, %r3, 31, -1;": true} {
		if in := kernel(t, src).Insts[0]; in.Mods.Sync != want {
			t.Errorf("%s: sync %v", src, in.Mods.Sync)
		}
	}
}

func TestKernelDirectives(t *testing.T) {
	k := parsed(t, header+`.file 1 "a.cu"
.pragma "nounroll";
.visible .entry k(.param .u32 n)
.maxntid 128, 2
.minnctapersm 3
.maxnreg 40
.reqntid 64
{
	.loc 1 3 4
	.pragma "nounroll";
	ret;
}
.section .debug_info { .b8 1, 2 }
`).Kernels[0]
	if k.MaxThreads != [3]int{128, 2, 1} || k.ReqThreads != [3]int{64, 1, 1} || k.MinCTAs != 3 || k.MaxRegs != 40 {
		t.Errorf("%+v", k)
	}
}

func TestInstructionsKnowTheirPlace(t *testing.T) {
	body := "  .reg .b32 %r<3>;\n\n  /* two\n lines */ mov.u32 %r1, 3; // x\n\tret;\n"
	k := parsed(t, header+".entry k() {\n"+body+"}\n").Kernels[0]
	if a, b := k.Insts[0], k.Insts[1]; a.Line != 8 || a.Col != 11 || b.Line != 9 || b.Col != 2 {
		t.Errorf("%d:%d and %d:%d", a.Line, a.Col, b.Line, b.Col)
	}
}

func TestVectorRegistersOfOldSources(t *testing.T) {
	check(t, []form{
		{".reg .v4 .f32 %v; ld.global.v4.f32 %v, [%d1]; add.f32 %f1, %v.x, %v.w; mov.v4.f32 %v, {%f1, %f1, %f1, %f1};",
			"ld.global.f32 R2, R3, R4, R5, [R0:R1]\nadd.f32 R6, R2, R5\nmov.f32 R2, R6\nmov.f32 R3, R6\nmov.f32 R4, " +
				"R6\nmov.f32 R5, R6"},
	})
}

func TestOldVersionsAreRead(t *testing.T) {
	m := parsed(t, ".version 1.4\n.target sm_13, map_f64_to_f32\n.entry k (.param .u32 p) {\n.reg .u32 %r<4>; .reg "+
		".u16 %rh<4>;\n"+
		"mov.u16 %rh1, %ctaid.x; mul.wide.u16 %r1, %rh1, %rh1; ld.param.u32 %r2, [p]; st.global.u32 [%r2+0], %r1; "+
		"exit; }")
	if m.Version != "1.4" || m.Target != "sm_13" {
		t.Errorf("%s %s", m.Version, m.Target)
	}
}

func TestFormsBeforePTX14(t *testing.T) {
	// Parameters in the body, registers of module scope.
	k := parsed(t, ".version 1.3\n.target sm_10\n.reg .u32 %ra<3>;\n.entry k {\n.reg .u32 %r<3>;\n.param .u32 p;\n"+
		".param .u64 q;\n"+
		"ld.param.u32 %r1, [p];\nmov.u32 %ra1, %r1;\nexit;\nEND: }\n").Kernels[0]
	if got, want := text(k), "mov.u32 R0, c[param+0]\nmov.u32 R1, R0"; got != want || len(k.Params) != 2 ||
		k.Params[1].Offset != 8 {
		t.Errorf("%+v\n%s", k.Params, got)
	}
}

func TestDeclarationsOfFunctionsMayEndWithoutASemicolon(t *testing.T) {
	m := parsed(t, ".version 2.1\n.target sm_20\n.visible .func (.param .s32 o) f (.param .s32 i)\n.visible .func g "+
		"()\n"+
		".visible .func g () { membar.gl; ret; }\n.entry k() { call g; exit; }")
	if got := text(m.Kernels[0]); got != "membar" {
		t.Error(got)
	}
}

func TestAddressesWithoutAnAddressSizeHaveTheSizeOfTheirRegister(t *testing.T) {
	m := parsed(t, ".version 2.1\n.target sm_20\n.func f() { membar.gl; ret; }\n.entry k() { .reg .u64 %d<3>; .reg "+
		".pred %p<2>;\n"+
		"mov.u64 %d1, f; P: .callprototype _ (); call %d1, (), P; isspacep.shared %p1, %d2; exit; }")
	if got := text(m.Kernels[0]); !strings.Contains(got, "setp.eq.b64 P0, R0:R1, 0x800000") ||
		!strings.Contains(got, "sub.u64") {
		t.Error(got)
	}
}
