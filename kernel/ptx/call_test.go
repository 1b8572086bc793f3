package ptx

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// calls parses functions and a kernel body calling them.
func calls(t *testing.T, funcs, body string) string {
	t.Helper()
	return text(parsed(t, header+funcs+".visible .entry k(.param .u64 a, .param .f32 b)\n{\n"+registers+body+
		"\nret; }\n").Kernels[0])
}

const square = `.visible .func (.param .b32 out) square(.param .b32 x) {
	.reg .f32 %f<3>; .reg .pred %p<2>;
	ld.param.f32 %f1, [x];
	setp.lt.f32 %p1, %f1, 0f00000000;
	@%p1 bra L;
	mul.f32 %f2, %f1, %f1;
	st.param.f32 [out+0], %f2;
	ret;
L:	st.param.f32 [out], %f1;
	ret;
}
`

func TestACallIsInlinedWithItsParametersInRegisters(t *testing.T) {
	got := calls(t, square, `{ .param .b32 p0; .param .b32 r0;
		st.param.f32 [p0], %f1;
		call.uni (r0), square, (p0);
		ld.param.f32 %f2, [r0]; }
		st.global.f32 [%d1], %f2;`)
	// R0 = %f1; R1, R2 = square's %f1, %f2; R6 = x, R7 = out. The first ret
	// jumps behind the body, the last falls through.
	want := `mov.f32 R6, R0
mov.f32 R1, R6
setp.lt.f32 P0, R1, 0x0
@P0 bra -> 7
mul.f32 R2, R1, R1
mov.f32 R7, R2
bra -> 8
mov.f32 R7, R1
mov.f32 R3, R7
st.global.f32 [R4:R5], R3`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestEachCallHasRegistersOfItsOwn(t *testing.T) {
	m := parsed(t, header+".func (.reg .f32 %o) twice(.reg .f32 %i) { add.f32 %o, %i, %i; ret; }\n"+
		".entry k() { .reg .f32 %f<4>; call (%f1), twice, (%f2); call (%f3), twice, (0f3F800000); ret; }")
	got := text(m.Kernels[0])
	if strings.Count(got, "add.f32") != 2 || strings.Count(got, "mov.f32") != 4 {
		t.Errorf("got:\n%s\nwant two additions between four moves", got)
	}
	a, b := m.Kernels[0].Insts[1], m.Kernels[0].Insts[4]
	if a.Src[0] == b.Src[0] || a.Dst[0] == b.Dst[0] {
		t.Errorf("both calls use %v and %v", a.Src[0], a.Dst[0])
	}
}

func TestStructuresWithMixedPiecesGoThroughLocalMemory(t *testing.T) {
	m := parsed(t, header+`.func (.param .b32 o) f(.param .align 4 .b8 s[8]) {
	.reg .b32 %r<4>;
	ld.param.u8 %r1, [s+1];
	ld.param.u32 %r2, [s+4];
	add.u32 %r3, %r1, %r2;
	st.param.b32 [o], %r3;
	ret; }
.entry k() { .reg .b32 %r<4>; .param .align 4 .b8 p[8]; .param .b32 r;
	st.param.b32 [p], %r1; st.param.b32 [p+4], %r2;
	call (r), f, (p);
	ld.param.b32 %r3, [r]; ret; }`)
	k := m.Kernels[0]
	want := `st.local.b32 [0x0], R0
st.local.b32 [0x4], R1
ld.local.u8.u32 R2, [0x1]
ld.local.u32 R3, [0x4]
add.u32 R4, R2, R3
mov.b32 R6, R4
mov.b32 R5, R6`
	if text(k) != want || k.LocalBytes != 8 {
		t.Errorf("%d bytes\n%s", k.LocalBytes, text(k))
	}
}

func TestAParameterWhoseAddressIsTakenIsLocalMemory(t *testing.T) {
	m := parsed(t, header+`.func (.param .b32 o) f(.param .align 4 .b8 s[8], .param .u64 i) {
	.reg .b32 %r<4>; .reg .b64 %d<4>;
	mov.b64 %d1, s;
	ld.param.u64 %d2, [i];
	add.u64 %d3, %d1, %d2;
	ld.param.u32 %r1, [%d3];
	st.param.b32 [o], %r1;
	ret; }
.entry k() { .reg .b32 %r<4>; .param .align 4 .b8 p[8]; .param .b32 r; .param .b64 i;
	st.param.v2.b32 [p], {%r1, %r2}; st.param.b64 [i], 4;
	call (r), f, (p, i);
	ld.param.b32 %r3, [r]; ret; }`)
	got := text(m.Kernels[0])
	for _, want := range []string{"st.local.b32 [0x0], R0, R1", "mov.b64 R2:R3, 0x0", "ld.local.u32 "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

func TestSmallParametersAreTruncated(t *testing.T) {
	m := parsed(t, header+".func f(.param .b8 x) { .reg .b32 %r<2>; ld.param.s8 %r1, [x]; ret; }\n"+
		".entry k() { .reg .b16 %h<2>; .param .b8 p; st.param.b8 [p], %h1; call f, (p); ret; }")
	if got, want := text(m.Kernels[0]), "cvt.u8 R2, R0\ncvt.s32.s8 R1, R2"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestAGuardedCallIsJumpedOver(t *testing.T) {
	got := calls(t, ".func f() { membar.gl; ret; }\n", "@%p1 call f;")
	if want := "@!P0 bra -> 2\nmembar"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestLocalMemoryOfCallsThatFollowEachOtherIsShared(t *testing.T) {
	m := parsed(t, header+".func leaf() { .local .b64 x[2]; st.local.u32 [x], 1; ret; }\n.func mid() { .local .b64 "+
		"y; st.local.u32 [y], 2; call leaf; ret; }\n"+
		".entry k() { call mid; call leaf; ret; }")
	if got, want := text(m.Kernels[0]),
		"st.local.u32 [0x0], 0x2\nst.local.u32 [0x8], 0x1\nst.local.u32 [0x0], 0x1"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	if m.Kernels[0].LocalBytes != 24 {
		t.Errorf("%d bytes, want 24", m.Kernels[0].LocalBytes)
	}
}

const indirectFuncs = `.func (.reg .u32 %o) one(.reg .u32 %i) { add.u32 %o, %i, 1; ret; }
.func (.reg .u32 %o) two(.reg .u32 %i) { add.u32 %o, %i, 2; ret; }
.func (.reg .u32 %o) unused(.reg .u32 %i) { add.u32 %o, %i, 3; ret; }
.func other(.reg .u32 %i) { ret; }
.global .u64 table[3] = {one, two, other};
`

func TestAnIndirectCallComparesWithTheFunctionsOfItsSignature(t *testing.T) {
	got := calls(t, indirectFuncs, "P: .callprototype (.reg .u32 _) _ (.reg .u32 _);\ncall (%r1), %d1, (%r2), P;")
	for _, want := range []string{"setp.eq.b64 P0, R0:R1, 0x800000", "setp.eq.b64 P1, R0:R1, 0x800010", "0x1", "0x2",
		"trap"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if strings.Contains(got, "0x3\n") || strings.Count(got, "setp") != 2 {
		t.Errorf("a function whose address is not taken, or of another signature, is called:\n%s", got)
	}
}

func TestCallTargetsNameTheFunctions(t *testing.T) {
	got := calls(t, indirectFuncs, "T: .calltargets unused;\ncall (%r1), %d1, (%r2), T;")
	if strings.Count(got, "setp") != 1 || !strings.Contains(got, "0x800020") {
		t.Errorf("got:\n%s", got)
	}
}

func TestARecursiveFunctionHasOneCopyThatIsBranchedTo(t *testing.T) {
	for name, src := range map[string]string{
		"direct": ".func f() { call f; ret; } .entry k() { call f; ret; }",
		"mutual": ".func g(); .func f() { call g; ret; } .func g() { call f; ret; } .entry k() { call f; ret; }",
		"indirect": ".func f() { .reg .u64 %d; P: .callprototype _ (); mov.u64 %d, f; call %d, (), P; ret; } .entry " +
			"k() { call f; ret; }",
	} {
		got := text(parsed(t, header+src).Kernels[0])
		if strings.Count(got, "brx") != 1 || !strings.Contains(got, "%stack_base") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

func TestPrintfTakesTheFormatAndTheArguments(t *testing.T) {
	got := calls(t, ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n", `{ .param .b64 p0; .param .b64 p1; .param .b32 r;
		st.param.b64 [p0], %d1; st.param.b64 [p1], %d2; call.uni (r), vprintf, (p0, p1); ld.param.b32 %r1, [r]; }`)
	want := "mov.b64 R10:R11, R0:R1\nmov.b64 R12:R13, R2:R3\nmov.b64 R4:R5, R10:R11\nmov.b64 R6:R7, R12:R13\n" +
		"printf R8, R4:R5, R6:R7\nmov.b32 R14, R8\nmov.b32 R9, R14"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestAFailedAssertionTraps(t *testing.T) {
	if got := calls(t, ".extern .func __assertfail(.param .b64 a);\n",
		"{ .param .b64 p; st.param.b64 [p], 0; call __assertfail, (p); }"); !strings.Contains(got, "trap") {
		t.Error(got)
	}
}

func TestAnAliasStandsForItsFunction(t *testing.T) {
	m := parsed(t, header+".func g(); .func f() { membar.gl; ret; }\n.alias g, f;\n.entry k() { call g; ret; }")
	if got := text(m.Kernels[0]); got != "membar" {
		t.Error(got)
	}
}
