package ptx

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/kernel/ir"
)

func TestMistakesInAKernelAreNamedWithTheirPlace(t *testing.T) {
	// The body begins in line 7: header, entry, brace, registers.
	for _, c := range []struct{ name, src, want string }{
		{"unknown opcode", "frobnicate.u32 %r1, %r2;",
			"t.ptx:7:1: found the instruction frobnicate.u32, which PTX up to 9.4 does not have"},
		{"unsupported opcode", "ret;\n wgmma.fence.sync.aligned;",
			"t.ptx:8:2: found the instruction wgmma.fence.sync.aligned, which is not supported (matrix operations of " +
				"a warpgroup, in PTX since 8.0)"},
		{"unsupported form", "cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%d1], [%r1];",
			"t.ptx:7:1: found the instruction cp.async.bulk.tensor.1d.global.shared::cta.bulk_group, which is not " +
				"supported (copies of tensors, in PTX since 8.0)"},
		{"part of a vector in an integer", "vadd4.u32.u32.u32 %r1, %r2.b0123, %r3, %r4;",
			"t.ptx:7:24: found the selection .b0123 of parts, which is not supported: select them with prmt"},
		{"unsupported type", "cvt.rn.e2m1x2.f32 %h1, %f1, %f2;",
			"t.ptx:7:7: found the type .e2m1x2 in cvt.rn.e2m1x2.f32, which is not supported (in PTX since 8.6)"},
		{"unknown type", "add.u33 %r1, %r2, %r3;",
			"t.ptx:7:4: found .u33 in add.u33, which is neither a type nor a modifier that is known"},
		{"unknown modifier", "add.rq.f32 %f1, %f2, %f3;",
			"t.ptx:7:4: found .rq in add.rq.f32, which is neither a type nor a modifier that is known"},
		{"wrong type", "add.b32 %r1, %r2, %r3;",
			"t.ptx:7:1: found add.b32, whose type .b32 it does not take, expected one of .u16 .u32 .u64 .s16 .s32 " +
				".s64 .f16"},
		{"missing type", "add %r1, %r2, %r3;", "t.ptx:7:1: found add, expected a type of"},
		{"modifier twice", "add.rn.rn.f32 %f1, %f2, %f3;",
			"t.ptx:7:7: found the modifier .rn as a second one of its kind in add.rn.rn.f32, expected one"},
		{"rounded approximation", "div.rn.full.f32 %f1, %f2, %f3;",
			"t.ptx:7:7: found the modifier .full as a second one of its kind"},
		{"two state spaces", "ld.global.shared.u32 %r1, [%d1];",
			"t.ptx:7:10: found the modifier .shared as a second one of its kind"},
		{"two operations of a barrier", "bar.sync.arrive 1, 32;",
			"t.ptx:7:9: found the modifier .arrive as a second one of its kind"},
		{"two lengths of a vector", "ld.global.v2.v4.u32 {%r1, %r2, %r3, %r4}, [%d1];",
			"t.ptx:7:13: found a second length of a vector in ld.global.v2.v4.u32, expected one"},
		{"fma without rounding", "fma.f32 %f1, %f2, %f3, %f4;", "t.ptx:7:1: found fma.f32, expected a rounding mode"},
		{"fma of halves without rounding", "fma.f16 %h1, %h2, %h3, %h4;",
			"t.ptx:7:1: found fma.f16, expected a rounding mode"},
		{"mad without rounding", "mad.f32 %f1, %f2, %f3, %f4;", "t.ptx:7:1: found mad.f32, expected a rounding mode"},
		{"division without precision", "div.f32 %f1, %f2, %f3;",
			"t.ptx:7:1: found div.f32, expected a rounding mode, .approx or .full"},
		{"double division without rounding", "div.f64 %g1, %g2, %g3;",
			"t.ptx:7:1: found div.f64, expected a rounding mode"},
		{"root without precision", "sqrt.f32 %f1, %f2;",
			"t.ptx:7:1: found sqrt.f32, expected a rounding mode or .approx"},
		{"approximate double root", "sqrt.approx.f64 %g1, %g2;",
			"t.ptx:7:5: found the modifier .approx of sqrt.approx.f64, which is not supported there"},
		{"full root", "sqrt.full.f32 %f1, %f2;", "t.ptx:7:5: found the modifier .full of sqrt.full.f32"},
		{"reciprocal without precision", "rcp.f64 %g1, %g2;",
			"t.ptx:7:1: found rcp.f64, expected a rounding mode or .approx"},
		{"sine without .approx", "sin.f32 %f1, %f2;", "t.ptx:7:1: found sin.f32, expected .approx"},
		{"conversion from a pair", "cvt.f32.f16x2 %f1, %r1;",
			"t.ptx:7:1: found cvt.f32.f16x2, expected a second type of one value"},
		{"conversion of integers to a pair", "cvt.rn.f16x2.u32 %r1, %r2, %r3;",
			"t.ptx:7:1: found cvt.rn.f16x2.u32, expected .f32 as its second type"},
		{"conversion without rounding", "cvt.f32.f64 %f1, %g1;",
			"t.ptx:7:1: found cvt.f32.f64, expected a rounding mode such as .rn"},
		{"conversion to an integer without rounding", "cvt.u32.f32 %r1, %f1;",
			"t.ptx:7:1: found cvt.u32.f32, expected a rounding mode such as .rzi"},
		{"conversion to an integer rounded as a float", "cvt.rn.u32.f32 %r1, %f1;",
			"t.ptx:7:1: found cvt.rn.u32.f32, expected one of .rni .rzi .rmi .rpi"},
		{"conversion of an integer rounded as one", "cvt.rni.f32.u32 %f1, %r1;",
			"t.ptx:7:1: found cvt.rni.f32.u32, expected one of .rn .rz .rm .rp"},
		{"rounded conversion that is exact", "cvt.rn.f64.f32 %g1, %f1;",
			"t.ptx:7:1: found cvt.rn.f64.f32, expected no rounding mode"},
		{"rounded conversion of integers", "cvt.rzi.u32.u64 %r1, %d1;",
			"t.ptx:7:1: found cvt.rzi.u32.u64, expected no rounding mode"},
		{"rounded conversion to the same type", "cvt.rz.f32.f32 %f1, %f2;",
			"t.ptx:7:1: found cvt.rz.f32.f32, expected no rounding mode, or one of .rni .rzi .rmi .rpi"},
		{"table of lop3 beyond a byte", "lop3.b32 %r1, %r2, %r3, %r4, 256;",
			"t.ptx:7:30: found a constant as the table of lop3.b32, expected a constant from 0 to 255"},
		{"table of lop3 in a register", "lop3.b32 %r1, %r2, %r3, %r4, %r5;",
			"t.ptx:7:30: found %r5 as the table of lop3.b32, expected a constant from 0 to 255"},
		{"missing modifier", "mul.s32 %r1, %r2, %r3;", "t.ptx:7:1: found mul.s32, expected a part of the product"},
		{"too few operands", "add.u32 %r1, %r2;", "t.ptx:7:1: found 2 operands of add.u32, expected 3"},
		{"too many operands", "add.u32 %r1, %r2, %r3, %r4;", "t.ptx:7:1: found 4 operands of add.u32, expected 3"},
		{"undeclared register", "add.u32 %r1, %r2, %r99;",
			"t.ptx:7:19: found %r99, which is not declared; expected a register"},
		{"register past its range", "mov.u32 %r16, 1;", "t.ptx:7:9: found %r16, which is not declared"},
		{"register too wide", "add.u32 %r1, %r2, %d1;",
			"t.ptx:7:19: found the .b64 register %d1, expected an operand of type .u32"},
		{"register too narrow", "ld.global.u64 %r1, [%d1];",
			"t.ptx:7:15: found the .b32 register %r1, expected an operand of type .u64"},
		{"predicate for a register", "add.u32 %r1, %p1, 1;",
			"t.ptx:7:14: found the .pred register %p1, expected an operand of type .u32"},
		{"register for a predicate", "@%r1 ret;",
			"t.ptx:7:2: found the .b32 register %r1, expected an operand of type .pred"},
		{"constant as destination", "mov.u32 5, %r1;", "t.ptx:7:9: found a constant, expected a register"},
		{"special register as destination", "mov.u32 %tid.x, %r1;",
			"t.ptx:7:9: found the special register %tid.x, expected a register that can be written"},
		{"unknown component", "mov.u32 %r1, %tid.q;",
			"t.ptx:7:14: found the special register %tid.q, expected one with a component"},
		{"negated register", "add.u32 %r1, %r2, !%r3;", "t.ptx:7:19: found a negated register"},
		{"float for an integer", "add.u32 %r1, %r2, 1.5;", "t.ptx:7:19: found a constant, expected one of type .u32"},
		{"integer for a float", "add.f32 %f1, %f2, 1;", "t.ptx:7:19: found a constant, expected one of type .f32"},
		{"undefined label", "bra NOWHERE;", "t.ptx:7:5: found NOWHERE, expected a label of this function"},
		{"label of an inner block", "bra IN; { IN: ret; }", "t.ptx:7:5: found IN, expected a label of this function"},
		{"duplicate label", "L: ret;\nL: ret;", "t.ptx:8:1: found a second label L, the first is in line 7"},
		{"duplicate range", ".reg .b32 %x<5>;\n.reg .b32 %x<3>;",
			"t.ptx:8:11: found a second declaration of %x<3> in this scope, the first is in line 7"},
		{"register of a range", ".reg .b32 %x<5>; .reg .b32 %x4;",
			"t.ptx:7:28: found a second declaration of %x4 in this scope"},
		{"range over a register", ".reg .b32 %x4, %x1; .reg .b32 %x<2>;",
			"t.ptx:7:31: found a second declaration of %x<2> in this scope"},
		{"range within a range", ".reg .b32 %x<20>; .reg .b32 %x1<3>;",
			"t.ptx:7:29: found a second declaration of %x1<3> in this scope"},
		{"range over a range", ".reg .b32 %x1<3>; .reg .b32 %x<11>;",
			"t.ptx:7:29: found a second declaration of %x<11> in this scope"},
		{"variable of a register's name", ".reg .b32 x; .local .b32 x;",
			"t.ptx:7:26: found a second declaration of x in this scope"},
		{"special register declared", ".reg .u32 %laneid;",
			"t.ptx:7:11: found a declaration of %laneid, expected a name that is not a special register's"},
		{"counter declared", ".reg .u64 %pm7_64, %envreg31;",
			"t.ptx:7:11: found a declaration of %pm7_64, expected a name"},
		{"duplicate register", ".reg .u32 x; .reg .u32 x;",
			"t.ptx:7:24: found a second declaration of x in this scope"},
		{"undeclared variable", "ld.global.u32 %r1, [nowhere];", "t.ptx:7:21: found nowhere, which is not declared"},
		{"wrong space", ".shared .u32 s; ld.global.u32 %r1, [s];",
			"t.ptx:7:37: found s of .shared space, expected a variable of .global space"},
		{"short address", "ld.global.u32 %r1, [%h1];",
			"t.ptx:7:21: found the .b16 register %h1, expected an address of 32 or 64 bits"},
		{"no brackets", "ld.global.u32 %r1, %d1;", "t.ptx:7:20: found %d1, expected an address in brackets"},
		{"past the parameter", "ld.param.u64 %d1, [b];", "t.ptx:7:19: found bytes 0 to 7 of b, expected at most its 4"},
		{"store to a parameter", "st.param.u64 [%d1], %d1; st.const.u32 [%d1], %r1;",
			"found st.const.u32, expected a store to memory that can be written"},
		{"vector of the wrong length", "ld.global.v2.u32 {%r1, %r2, %r3}, [%d1];",
			"t.ptx:7:18: found 3 elements in ld.global.v2.u32, expected 2"},
		{"vector too long", "ld.shared.v4.f64 {%g1, %g2, %g3, %g4}, [%d1];",
			"t.ptx:7:1: found ld.shared.v4.f64, expected .v2 or .v4 of at most 16 bytes, or in .global space"},
		{"cas without its value", "atom.global.cas.b32 %r1, [%d1], %r2;",
			"t.ptx:7:1: found 3 operands of atom.global.cas.b32, expected 4"},
		{"atomic of the wrong type", "atom.global.inc.s32 %r1, [%d1], %r2;",
			"t.ptx:7:1: found atom.global.inc.s32, expected a type of .u32"},
		{"red that returns", "red.global.exch.b32 [%d1], %r2;", "t.ptx:7:1: found red.global.exch.b32, expected atom"},
		{"barrier out of range", "bar.sync 16;", "t.ptx:7:10: found barrier 16, expected 0 to 15"},
		{"barrier of no threads", "bar.sync 1, 0;",
			"t.ptx:7:13: found a barrier of 0 threads, expected a multiple of 32 up to 1024"},
		{"barrier of part of a warp", "bar.arrive 1, 48;",
			"t.ptx:7:15: found a barrier of 48 threads, expected a multiple of 32 up to 1024"},
		{"barrier of more than a CTA", "barrier.sync %r1, 1056;",
			"t.ptx:7:19: found a barrier of 1056 threads, expected a multiple of 32 up to 1024"},
		{"barrier of 2^21 threads and a warp", "bar.red.popc.u32 %r1, 0, 2097184, %p1;",
			"t.ptx:7:26: found a barrier of 2097184 threads, expected a multiple of 32 up to 1024"},
		{"ballot of a predicate", "vote.ballot.pred %p1, %p2;", "expected .ballot.b32 or a mode with .pred"},
		{"undefined function", "call nowhere;", "t.ptx:7:6: found nowhere, expected a function or a register"},
		{"shuffle without its mask", "shfl.sync.idx.b32 %r1, %r2, 0, 31;",
			"t.ptx:7:1: found 4 operands of shfl.sync.idx.b32, expected 5"},
		{"texture that is none", "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%nothing, {%f1,%f2}];",
			"t.ptx:7:39: found %nothing, expected a texture"},
		{"division by zero", "mov.u32 %r1, (1/0);", "t.ptx:7:16: found a division by zero"},
		{"bad float", "mov.f32 %f1, 0f12;", `t.ptx:7:14: found "0f12", expected 8 hexadecimal digits behind "0f"`},
		{"bad character", "mov.u32 %r1, `;", "t.ptx:7:14: found the character '`', expected PTX"},
		{"missing semicolon", "mov.u32 %r1, 1\nret;",
			`t.ptx:8:1: found "ret", expected "," or ";" behind the operands of mov`},
		{"missing operand", "add.u32 %r1, , %r2;", `t.ptx:7:14: found ",", expected an operand`},
		{"huge local array", ".local .b8 s[1073741824];",
			"t.ptx:7:12: found s end at byte 1073741824 of the local memory of a thread, expected at most 524288"},
		{"local arrays that are too large together", ".local .b8 s[524287]; .local .align 4 .b8 q[4];",
			"t.ptx:7:43: found q end at byte 524292 of the local memory of a thread"},
		{"local array of an inner block", ".local .b8 s[524288]; { .local .b8 q[1]; }",
			"t.ptx:7:36: found q end at byte 524289 of the local memory of a thread"},
		{"huge argument", "{ .param .b8 q[524289]; .reg .b64 %a; mov.u64 %a, q; }",
			"t.ptx:7:14: found q end at byte 524289 of the local memory of a thread"},
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
		{"truncated kernel", header + ".entry k() { ret;",
			`found the end of the file, expected "}" to close the block of line 4`},
		{"truncated head", header + ".entry k(.param .u32", "t.ptx:4:21: found the end of the file, expected a name"},
		{"truncated instruction", header + ".entry k() { add.u32 %r1,",
			"t.ptx:4:26: found the end of the file, expected an operand"},
		{"open comment", header + "/* here", "t.ptx:4:1: found the end of the file, expected */"},
		{"open string", header + ".file 1 \"x", `t.ptx:4:9: found the end of the file, expected " to close the string`},
		{"version of the future", ".version 99.9\n.target sm_52\n",
			"t.ptx:1:10: found version 99.9 of PTX, expected one from 1.0 to 9.4"},
		{"version that never was", ".version 5.1\n.target sm_52\n",
			"t.ptx:1:10: found version 5.1 of PTX, expected one from 1.0 to 9.4"},
		{"version zero", ".version 0.9\n.target sm_52\n",
			"t.ptx:1:10: found version 0.9 of PTX, expected one from 1.0 to 9.4"},
		{"version without a minor one", ".version 6\n", `t.ptx:1:10: found "6", expected a version such as 6.3`},
		{"version with an exponent", ".version 6.3e1\n", `t.ptx:1:10: found "6.3e1", expected a version such as 6.3`},
		{"unknown target", ".version 6.3\n.target foo\n",
			`t.ptx:2:9: found "foo", expected a target such as sm_52 or sm_90a`},
		{"target of no number", ".version 6.3\n.target sm_x\n", `t.ptx:2:9: found "sm_x", expected a target`},
		{"target of two suffixes", ".version 8.8\n.target sm_100fa\n",
			`t.ptx:2:9: found "sm_100fa", expected a target`},
		{"unknown target option", ".version 6.3\n.target sm_52, texmode\n",
			`t.ptx:2:16: found "texmode", expected a target option (texmode_unified,`},
		{"register limit of zero", header + ".entry k() .maxnreg 0 { ret; }",
			"t.ptx:4:21: found 0, expected a number of registers from 1 on"},
		{"negative number of CTAs", header + ".entry k() .minnctapersm -1 { ret; }",
			"t.ptx:4:26: found -1, expected a number of CTAs from 1 on"},
		{"UTF-8 with a mark", "\xef\xbb\xbf" + header,
			"t.ptx:1:1: found a byte-order mark (UTF-8), expected PTX, which is plain text"},
		{"UTF-16", ".\x00v\x00e\x00r\x00", "t.ptx:1:1: found UTF-16, expected PTX"},
		{"cubin", "\x7fELF\x02\x01\x01", "t.ptx:1:1: found an ELF file, as cubins are, expected PTX"},
		{"binary data", header + "/*\x00*/", "t.ptx:4:3: found binary data (the byte 0x00), expected PTX"},
		{"second kernel of a name", header + ".entry k() { ret; }\n.entry k() { ret; }",
			"t.ptx:5:8: found a second definition of k, the first is in line 4"},
		{"second variable of a name", header + ".global .u32 x;\n.global .u32 x;",
			"t.ptx:5:14: found a second declaration of x, the first is in line 4"},
		{"unknown type", header + ".global .u33 x;", `t.ptx:4:9: found ".u33", expected a type`},
		{"alignment", header + ".global .align 3 .u32 x;",
			"t.ptx:4:16: found the alignment 3, expected a power of two"},
		{"too many values", header + ".global .u32 x[2] = {1, 2, 3};",
			"t.ptx:4:28: found more values than x has room for (8 bytes)"},
		{"initialised shared", header + ".shared .u32 x = 1;",
			"t.ptx:4:16: found an initialiser of x, expected one of global and constant variables only"},
		{"unknown symbol in a value", header + ".global .u64 x = y;",
			`t.ptx:4:18: found "y", expected a variable of global or constant space or a function`},
		{"global memory", header + ".global .b8 x[2147483647];\n.global .b8 y[2147482881];\n.global .b8 z;\n.global " +
			".b8 w[4096];", "t.ptx:6:13: found z end at byte 4294967297 of global memory, expected at most 4294967296"},
		{"constant bank", header + ".const .b8 x[65537];",
			"t.ptx:4:12: found x end at byte 65537 of constant space, expected at most 65536"},
		{"extern without definition", header +
			".extern .global .u32 x; .entry k() { .reg .b32 %r<2>; ld.global.u32 %r1, [x]; ret; }",
			"found x, which is declared but nowhere defined"},
		{"call with too few arguments", header + f + "call (%r1), f, (); ret; }",
			"found 0 arguments and 1 results, expected 1 and 1 of f"},
		{"call of a declaration", header + ".extern .func g(); .entry k() { call g; ret; }",
			"found a call of g, which is declared but nowhere defined"},
		{"indirect call of nothing", header +
			".entry k() { .reg .b64 %d<2>; P: .callprototype _ (); call %d1, (), P; ret; }",
			"found no function that this call can reach"},
		{"indirect call without targets", header + ".entry k() { .reg .b64 %d<2>; call %d1, (); ret; }",
			"found a call through %d1 without targets"},
		{"unsupported in a function that nothing calls", header + ".func g() { wgmma.fence; ret; }",
			"t.ptx:4:13: found the instruction wgmma.fence, which is not supported"},
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

func TestOneMistakeThatHidesTheRestIsTheOnlyOne(t *testing.T) {
	deep := strings.Repeat
	for _, c := range []struct{ name, src, want string }{
		{"binary", deep("\x00\x01\n.)", 1000),
			"t.ptx:1:1: found binary data (the byte 0x00), expected PTX, which is plain text"},
		{"blocks", header + ".entry k() {" + deep("{", 100_000),
			`t.ptx:4:212: found "{" nested too deep, expected fewer braces or operators in each other`},
		{"expressions", header + ".entry k() { mov.u32 %r1, " + deep("(", 100_000),
			`t.ptx:4:126: found "(" nested too deep, expected fewer`},
		{"complements", header + ".entry k() { mov.u32 %r1, " + deep("!", 1_000_000),
			`t.ptx:4:224: found "!" nested too deep, expected fewer`},
		{"initialisers", header + ".global .u32 x[2] = " + deep("{", 100_000),
			`t.ptx:4:221: found "{" nested too deep, expected fewer`},
		{"end of the file", header + ".entry k() " + deep("{", 100),
			`t.ptx:4:112: found the end of the file, expected "}" to close the block of line 4`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := refused(t, c.src); !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

func TestALongNameIsShortenedInTheMessage(t *testing.T) {
	long := strings.Repeat("x", 1_000_000)
	for _, c := range []struct{ src, want string }{
		{"bra " + long + ";", "t.ptx:7:5: found " + long[:80] +
			"... (1000000 bytes), expected a label of this function"},
		{"mov.u32 %r1 " + long + ";", "t.ptx:7:13: found \"" + long[:80] +
			"\"... (1000000 bytes), expected \",\" or \";\" behind the operands of mov"},
		{"add." + long + ".u32 %r1;", "t.ptx:7:4: found ." + long[:80] + "... (1000000 bytes) in add."},
	} {
		if got := refusal(t, c.src); !strings.HasPrefix(got, c.want) || len(got) > 500 {
			t.Errorf("got %d bytes:\n%.300s\nwant:\n%s", len(got), got, c.want)
		}
	}
}

func TestAFileFullOfMistakesIsNotReadToItsEnd(t *testing.T) {
	_, err := Parse("t.ptx", []byte(strings.Repeat("`\n", 1_000_000)))
	list, ok := err.(ErrorList)
	if !ok || len(list) != maxKept || !strings.HasSuffix(err.Error(), "\nt.ptx: and at least 960 more errors") {
		t.Errorf("%d errors, which end: %s", len(list), err.Error()[max(0, len(err.Error())-80):])
	}
}

// PTX ISA 1.4 and 2.0 made modifiers necessary that had been optional before.
func TestOldVersionsNeedNotNameRoundingModes(t *testing.T) {
	for _, c := range []struct {
		head, src string
		want      ir.Mods
	}{
		{".version 1.3\n.target sm_13\n", "div.f64 %g1, %g2, %g3;", ir.Mods{Round: ir.RN}},
		{".version 1.3\n.target sm_13\n", "div.f32 %f1, %f2, %f3;", ir.Mods{Approx: true}},
		{".version 1.3\n.target sm_13\n", "rcp.f32 %f1, %f2;", ir.Mods{Approx: true}},
		{".version 1.3\n.target sm_13\n", "sqrt.f64 %g1, %g2;", ir.Mods{Round: ir.RN}},
		{".version 1.3\n.target sm_13\n", "sin.f32 %f1, %f2;", ir.Mods{Approx: true}},
		{".version 1.3\n.target sm_13\n", "cvt.s32.f32 %r1, %f1;", ir.Mods{Round: ir.RZI}},
		{".version 1.3\n.target sm_13\n", "cvt.f32.s32 %f1, %r1;", ir.Mods{Round: ir.RN}},
		{".version 1.4\n.target sm_20\n", "mad.f32 %f1, %f2, %f3, %f4;", ir.Mods{Round: ir.RN}},
		{".version 2.0\n.target sm_13\n", "mad.f32 %f1, %f2, %f3, %f4;", ir.Mods{Round: ir.RN}},
	} {
		k := parsed(t, c.head+".entry k() {"+registers+c.src+"}").Kernels[0]
		if got := k.Insts[0].Mods; got != c.want {
			t.Errorf("%s%s: %+v, want %+v", c.head, c.src, got, c.want)
		}
	}
	for _, head := range []string{".version 2.0\n.target sm_20\n",
		".version 6.3\n.target sm_52, texmode_independent\n"} {
		got := refused(t, head+".entry k() {"+registers+"mad.f32 %f1, %f2, %f3, %f4;}")
		if want := "t.ptx:4:1: found mad.f32, expected a rounding mode"; got != want {
			t.Errorf("%s: got %s, want %s", head, got, want)
		}
	}
}

func TestRegistersOfSeveralRangesAndScopesAreToldApart(t *testing.T) {
	k := kernel(t, `.reg .b32 %x<5>; .reg .b32 %x1<3>; .reg .b32 %x5, %x04, %tid1;
		{ .reg .b64 %x<9>; mov.u64 %x8, 8; }
		mov.u32 %x4, 4; mov.u32 %x12, 12; mov.u32 %x5, 5; mov.u32 %x04, 3; mov.u32 %tid1, 1;`)
	const want = "mov.u64 R0:R1, 0x8\nmov.u32 R2, 0x4\nmov.u32 R3, 0xc\nmov.u32 R4, 0x5\nmov.u32 R5, 0x3\nmov.u32 " +
		"R6, 0x1"
	if got := text(k); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestNewArchitecturesAreTargets(t *testing.T) {
	for _, target := range []string{"sm_10", "sm_52", "sm_90a", "sm_100f", "sm_121a", "sm_20, texmode_unified, debug",
		"sm_12, map_f64_to_f32"} {
		parsed(t, ".version 9.4\n.target "+target+"\n.entry k() { ret; }")
	}
}

func TestAMistakeInAnInlinedBodyIsReportedOnce(t *testing.T) {
	got := refused(t, header+".func f() { frob; ret; }\n.entry k() { call f; call f; ret; }\n.entry l() { call f; "+
		"ret; }")
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
	if got := refused(t, b.String()); !strings.Contains(got,
		"found more than 131072 instructions in k after inlining") {
		t.Error(got)
	}
}
