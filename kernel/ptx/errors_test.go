package ptx

import (
	"fmt"
	"strings"
	"testing"
)

func TestMistakesInAKernelAreNamedWithTheirPlace(t *testing.T) {
	// The body begins in line 7: header, entry, brace, registers.
	for _, c := range []struct{ name, src, want string }{
		{"unknown opcode", "frobnicate.u32 %r1, %r2;", "t.ptx:7:1: found the instruction frobnicate.u32, which is not supported or does not exist"},
		{"unsupported opcode", "ret;\n wmma.load.a.sync.f16 %r1, [%d1];", "t.ptx:8:2: found the instruction wmma.load.a.sync.f16, which is not supported"},
		{"unknown modifier", "add.rq.f32 %f1, %f2, %f3;", "t.ptx:7:4: found the modifier .rq of add.rq.f32"},
		{"wrong type", "add.b32 %r1, %r2, %r3;", "t.ptx:7:1: found add.b32, expected a type of .u16 .u32 .u64 .s16 .s32 .s64 .f16"},
		{"missing type", "add %r1, %r2, %r3;", "t.ptx:7:1: found add, expected a type of"},
		{"missing modifier", "mul.s32 %r1, %r2, %r3;", "t.ptx:7:1: found mul.s32, expected a part of the product"},
		{"too few operands", "add.u32 %r1, %r2;", "t.ptx:7:1: found 2 operands of add.u32, expected 3"},
		{"too many operands", "add.u32 %r1, %r2, %r3, %r4;", "t.ptx:7:1: found 4 operands of add.u32, expected 3"},
		{"undeclared register", "add.u32 %r1, %r2, %r99;", "t.ptx:7:19: found %r99, which is not declared; expected a register"},
		{"register past its range", "mov.u32 %r16, 1;", "t.ptx:7:9: found %r16, which is not declared"},
		{"register too wide", "add.u32 %r1, %r2, %d1;", "t.ptx:7:19: found the .b64 register %d1, expected an operand of type .u32"},
		{"register too narrow", "ld.global.u64 %r1, [%d1];", "t.ptx:7:15: found the .b32 register %r1, expected an operand of type .u64"},
		{"predicate for a register", "add.u32 %r1, %p1, 1;", "t.ptx:7:14: found the .pred register %p1, expected an operand of type .u32"},
		{"register for a predicate", "@%r1 ret;", "t.ptx:7:2: found the .b32 register %r1, expected an operand of type .pred"},
		{"constant as destination", "mov.u32 5, %r1;", "t.ptx:7:9: found a constant, expected a register"},
		{"special register as destination", "mov.u32 %tid.x, %r1;", "t.ptx:7:9: found the special register %tid.x, expected a register that can be written"},
		{"unknown component", "mov.u32 %r1, %tid.q;", "t.ptx:7:14: found the special register %tid.q, expected one with a component"},
		{"negated register", "add.u32 %r1, %r2, !%r3;", "t.ptx:7:19: found a negated register"},
		{"float for an integer", "add.u32 %r1, %r2, 1.5;", "t.ptx:7:19: found a constant, expected one of type .u32"},
		{"integer for a float", "add.f32 %f1, %f2, 1;", "t.ptx:7:19: found a constant, expected one of type .f32"},
		{"undefined label", "bra NOWHERE;", "t.ptx:7:5: found NOWHERE, expected a label of this function"},
		{"label of an inner block", "bra IN; { IN: ret; }", "t.ptx:7:5: found IN, expected a label of this function"},
		{"duplicate label", "L: ret;\nL: ret;", "t.ptx:8:1: found a second label L, the first is in line 7"},
		{"duplicate register", ".reg .u32 x; .reg .u32 x;", "t.ptx:7:24: found a second declaration of x in this scope"},
		{"undeclared variable", "ld.global.u32 %r1, [nowhere];", "t.ptx:7:21: found nowhere, which is not declared"},
		{"wrong space", ".shared .u32 s; ld.global.u32 %r1, [s];", "t.ptx:7:37: found s of .shared space, expected a variable of .global space"},
		{"short address", "ld.global.u32 %r1, [%h1];", "t.ptx:7:21: found the .b16 register %h1, expected an address of 32 or 64 bits"},
		{"no brackets", "ld.global.u32 %r1, %d1;", "t.ptx:7:20: found %d1, expected an address in brackets"},
		{"past the parameter", "ld.param.u64 %d1, [b];", "t.ptx:7:19: found bytes 0 to 7 of b, expected at most its 4"},
		{"store to a parameter", "st.param.u64 [%d1], %d1; st.const.u32 [%d1], %r1;", "found st.const.u32, expected a store to memory that can be written"},
		{"vector of the wrong length", "ld.global.v2.u32 {%r1, %r2, %r3}, [%d1];", "t.ptx:7:18: found 3 elements in ld.global.v2.u32, expected 2"},
		{"vector too long", "ld.global.v4.f64 {%g1, %g2, %g3, %g4}, [%d1];", "t.ptx:7:1: found ld.global.v4.f64, expected at most 16 bytes"},
		{"cas without its value", "atom.global.cas.b32 %r1, [%d1], %r2;", "t.ptx:7:1: found 3 operands of atom.global.cas.b32, expected 4"},
		{"atomic of the wrong type", "atom.global.inc.s32 %r1, [%d1], %r2;", "t.ptx:7:1: found atom.global.inc.s32, expected a type of .u32"},
		{"red that returns", "red.global.exch.b32 [%d1], %r2;", "t.ptx:7:1: found red.global.exch.b32, expected atom"},
		{"barrier out of range", "bar.sync 16;", "t.ptx:7:10: found barrier 16, expected 0 to 15"},
		{"barrier of no threads", "bar.sync 1, 0;", "t.ptx:7:13: found a barrier of 0 threads, expected a multiple of 32 up to 1024"},
		{"barrier of part of a warp", "bar.arrive 1, 48;", "t.ptx:7:15: found a barrier of 48 threads, expected a multiple of 32 up to 1024"},
		{"barrier of more than a CTA", "barrier.sync %r1, 1056;", "t.ptx:7:19: found a barrier of 1056 threads, expected a multiple of 32 up to 1024"},
		{"barrier of 2^21 threads and a warp", "bar.red.popc.u32 %r1, 0, 2097184, %p1;", "t.ptx:7:26: found a barrier of 2097184 threads, expected a multiple of 32 up to 1024"},
		{"ballot of a predicate", "vote.ballot.pred %p1, %p2;", "expected .ballot.b32 or a mode with .pred"},
		{"undefined function", "call nowhere;", "t.ptx:7:6: found nowhere, expected a function or a register"},
		{"shuffle without its mask", "shfl.sync.idx.b32 %r1, %r2, 0, 31;", "t.ptx:7:1: found 4 operands of shfl.sync.idx.b32, expected 5"},
		{"texture that is none", "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%nothing, {%f1,%f2}];", "t.ptx:7:39: found %nothing, expected a texture"},
		{"division by zero", "mov.u32 %r1, (1/0);", "t.ptx:7:16: found a division by zero"},
		{"bad float", "mov.f32 %f1, 0f12;", `t.ptx:7:14: found "0f12", expected 8 hexadecimal digits behind "0f"`},
		{"bad character", "mov.u32 %r1, `;", "t.ptx:7:14: found the character '`', expected PTX"},
		{"missing semicolon", "mov.u32 %r1, 1\nret;", `t.ptx:8:1: found "ret", expected "," or ";" behind the operands of mov`},
		{"missing operand", "add.u32 %r1, , %r2;", `t.ptx:7:14: found ",", expected an operand`},
		{"huge local array", ".local .b8 s[1073741824];", "t.ptx:7:12: found s end at byte 1073741824 of the local memory of a thread, expected at most 524288"},
		{"local arrays that are too large together", ".local .b8 s[524287]; .local .align 4 .b8 q[4];", "t.ptx:7:43: found q end at byte 524292 of the local memory of a thread"},
		{"local array of an inner block", ".local .b8 s[524288]; { .local .b8 q[1]; }", "t.ptx:7:36: found q end at byte 524289 of the local memory of a thread"},
		{"huge argument", "{ .param .b8 q[524289]; .reg .b64 %a; mov.u64 %a, q; }", "t.ptx:7:14: found q end at byte 524289 of the local memory of a thread"},
		{"too many registers", ".reg .b32 %x<99999999999>;", "expected fewer than a million"},
		{"huge array", ".shared .b8 s[4096][4096][4096];", "found s with more than 2 GiB, expected less"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := refusal(t, c.src); !strings.Contains(got, c.want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestMistakesOfModuleScope(t *testing.T) {
	const f = ".func (.param .b32 o) f(.param .b32 i) { ret; }\n.entry k() { .reg .b32 %r<3>; "
	for _, c := range []struct{ name, src, want string }{
		{"empty", "", "t.ptx:1:1: found no .version directive"},
		{"no PTX", "int main() {}", "t.ptx:1:1: found \"int\", expected a directive"},
		{"truncated kernel", header + ".entry k() { ret;", `found the end of the file, expected "}" to close the block of line 4`},
		{"truncated head", header + ".entry k(.param .u32", "t.ptx:4:21: found the end of the file, expected a name"},
		{"truncated instruction", header + ".entry k() { add.u32 %r1,", "t.ptx:4:26: found the end of the file, expected an operand"},
		{"open comment", header + "/* here", "t.ptx:4:1: found the end of the file, expected */"},
		{"open string", header + ".file 1 \"x", `t.ptx:4:9: found the end of the file, expected " to close the string`},
		{"second kernel of a name", header + ".entry k() { ret; }\n.entry k() { ret; }", "t.ptx:5:8: found a second definition of k, the first is in line 4"},
		{"second variable of a name", header + ".global .u32 x;\n.global .u32 x;", "t.ptx:5:14: found a second declaration of x, the first is in line 4"},
		{"unknown type", header + ".global .u33 x;", `t.ptx:4:9: found ".u33", expected a type`},
		{"alignment", header + ".global .align 3 .u32 x;", "t.ptx:4:16: found the alignment 3, expected a power of two"},
		{"too many values", header + ".global .u32 x[2] = {1, 2, 3};", "t.ptx:4:28: found more values than x has room for (8 bytes)"},
		{"initialised shared", header + ".shared .u32 x = 1;", "t.ptx:4:16: found an initialiser of x, expected one of global and constant variables only"},
		{"unknown symbol in a value", header + ".global .u64 x = y;", `t.ptx:4:18: found "y", expected a variable of global or constant space or a function`},
		{"global memory", header + ".global .b8 x[2147483647];\n.global .b8 y[2147482881];\n.global .b8 z;\n.global .b8 w[4096];", "t.ptx:6:13: found z end at byte 4294967297 of global memory, expected at most 4294967296"},
		{"constant bank", header + ".const .b8 x[65537];", "t.ptx:4:12: found x end at byte 65537 of constant space, expected at most 65536"},
		{"extern without definition", header + ".extern .global .u32 x; .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [x]; ret; }", "found x, which is declared but nowhere defined"},
		{"call with too few arguments", header + f + "call (%r1), f, (); ret; }", "found 0 arguments and 1 results, expected 1 and 1 of f"},
		{"call of a declaration", header + ".extern .func g(); .entry k() { call g; ret; }", "found a call of g, which is declared but nowhere defined"},
		{"indirect call of nothing", header + ".entry k() { .reg .b64 %d<2>; P: .callprototype _ (); call %d1, (), P; ret; }", "found no function that this call can reach"},
		{"indirect call without targets", header + ".entry k() { .reg .b64 %d<2>; call %d1, (); ret; }", "found a call through %d1 without targets"},
		{"unsupported in a function that nothing calls", header + ".func g() { wgmma.fence; ret; }", "t.ptx:4:13: found the instruction wgmma.fence, which is not supported"},
		{"address size", header + ".address_size 16", "found the address size 16, expected 32 or 64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := refused(t, c.src); !strings.Contains(got, c.want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestAllMistakesAreReportedAtOnceInOrder(t *testing.T) {
	got := refusal(t, "frob %r1;\nadd.u32 %r1, %r2;\nmov.u32 %r1, %q;\nbra X;")
	var lines []string
	for _, l := range strings.Split(got, "\n") {
		lines = append(lines, strings.Join(strings.Split(l, ":")[:2], ":"))
	}
	if want := "t.ptx:7 t.ptx:8 t.ptx:9 t.ptx:10"; strings.Join(lines, " ") != want {
		t.Errorf("got:\n%s", got)
	}
}

func TestAMistakeInAnInlinedBodyIsReportedOnce(t *testing.T) {
	got := refused(t, header+".func f() { frob; ret; }\n.entry k() { call f; call f; ret; }\n.entry l() { call f; ret; }")
	if strings.Count(got, "\n") != 0 {
		t.Errorf("got:\n%s", got)
	}
}

func TestSyntaxErrorsDoNotHideLaterOnes(t *testing.T) {
	got := refusal(t, "mov.u32 %r1 %r2;\nadd.u32 , %r2;\n} .entry l() { ret; @ ret; }\n.entry m() {")
	if n := strings.Count(got, "\n") + 1; n < 3 {
		t.Errorf("%d errors:\n%s", n, got)
	}
}

func TestALongListOfErrorsIsCutShort(t *testing.T) {
	got := refusal(t, strings.Repeat("frob;\n", 100))
	if !strings.HasSuffix(got, "t.ptx: and 60 more errors") {
		t.Errorf("ends: %s", got[max(0, len(got)-80):])
	}
}

func TestInliningThatGrowsWithoutBoundIsRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString(header + ".func f0() { membar.gl; membar.gl; ret; }\n")
	for i := 1; i < 21; i++ {
		fmt.Fprintf(&b, ".func f%d() { call f%d; call f%d; ret; }\n", i, i-1, i-1)
	}
	b.WriteString(".entry k() { call f20; ret; }")
	if got := refused(t, b.String()); !strings.Contains(got, "found more than 131072 instructions in k after inlining") {
		t.Error(got)
	}
}
