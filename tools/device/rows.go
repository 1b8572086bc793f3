package main

import (
	"fmt"
	"strings"
)

// Row is a loop of instructions that a device and a simulated GPU run.
type Row struct {
	Name string
	Doc  string
	Op   string // of the instructions of which the loop is to have some: the opcode in SASS
	// Line is instruction i of the loop's body, in PTX. Registers: %f0 to %f31 and %r0 to %r31 hold
	// values, %a is an address in shared memory, %g one in global memory.
	Line func(i int) string
}

// body is how many instructions a pass of a loop has, branch and count apart.
const body = 64

// Passes of a loop, and warps of a run: one, one of each sub-core, and four.
const Passes = 256

var warps = []int{1, 4, 16}

// Rows are those of the suite.
func Rows() []Row {
	// r is register i of eight, from a place on.
	r := func(from, i int) int { return from + i%8 }
	return []Row{
		{"ffma_chain", "each FFMA needs the one before it", "FFMA",
			func(int) string { return "fma.rn.f32 %f0, %f0, %f8, %f9;" }},
		{"ffma_apart", "eight chains of FFMAs with two operands in common", "FFMA",
			func(i int) string { return fmt.Sprintf("fma.rn.f32 %%f%d, %%f%d, %%f8, %%f9;", r(0, i), r(0, i)) }},
		{"ffma_three", "FFMAs of three registers, no two alike", "FFMA",
			func(i int) string {
				return fmt.Sprintf("fma.rn.f32 %%f%d, %%f%d, %%f%d, %%f%d;", r(0, i), r(8, i), r(16, 3*i), r(0, i))
			}},
		{"fadd_two", "FADDs of two registers", "FADD",
			func(i int) string { return fmt.Sprintf("add.rn.f32 %%f%d, %%f%d, %%f%d;", r(0, i), r(0, i), r(8, i)) }},
		{"iadd", "integer additions of two registers", "IADD",
			func(i int) string { return fmt.Sprintf("add.s32 %%r%d, %%r%d, %%r%d;", r(0, i), r(8, i), r(0, i+1)) }},
		{"imad", "integer multiply-adds", "IMAD",
			func(i int) string {
				return fmt.Sprintf("mad.lo.s32 %%r%d, %%r%d, %%r%d, %%r%d;", r(0, i), r(0, i), r(8, i), r(16, i))
			}},
		{"mixed", "FFMAs and integer logic in turn", "LOP3",
			func(i int) string {
				if i%2 == 0 {
					return fmt.Sprintf("fma.rn.f32 %%f%d, %%f%d, %%f8, %%f9;", r(0, i/2), r(0, i/2))
				}
				return fmt.Sprintf("xor.b32 %%r%d, %%r%d, %%r%d;", r(0, i/2), r(0, i/2), r(8, i/2+1))
			}},
		{"mufu", "approximate reciprocals", "MUFU",
			func(i int) string { return fmt.Sprintf("rcp.approx.ftz.f32 %%f%d, %%f%d;", r(0, i), r(0, i)) }},
		{"lds_chain", "each load from shared memory has the address that the one before it loads", "LDS",
			func(int) string { return "ld.volatile.shared.u32 %a, [%a];" }},
		{"lds_ffma", "a load from shared memory and three FFMAs in turn", "LDS",
			func(i int) string {
				if i%4 == 0 {
					return fmt.Sprintf("ld.volatile.shared.f32 %%f%d, [%%a+%d];", r(16, i/4), 128*(i/4))
				}
				return fmt.Sprintf("fma.rn.f32 %%f%d, %%f%d, %%f8, %%f9;", r(0, i), r(0, i))
			}},
		{"ldg_chain", "each load from global memory has the address that the one before it loads, in the L1", "LDG",
			func(int) string { return "ld.global.ca.u64 %g, [%g];" }},
	}
}

// PTX is the kernel of a row for a GPU of compute capability sm, such as 90. Its parameters are the
// address of the clocks, two words for each warp, behind which there is a place for each thread's
// result and one with its own address.
func (r *Row) PTX(sm int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `.version 7.8
.target sm_%d
.address_size 64
// %s: %s
.visible .entry %s(.param .u64 out)
{
	.reg .pred %%p<2>;
	.reg .f32 %%f<33>;
	.reg .b32 %%r<33>, %%a, %%t, %%i, %%begin, %%end, %%w;
	.reg .b64 %%d<4>, %%g, %%o;
	.shared .align 16 .b32 words[4096];
	ld.param.u64 %%o, [out];
	mov.u32 %%t, %%tid.x;
`, sm, r.Name, r.Doc, r.Name)
	for i := range 32 {
		fmt.Fprintf(&b, "\tadd.u32 %%r%d, %%t, %d;\n\tcvt.rn.f32.u32 %%f%d, %%r%d;\n", i, 3*i+1, i, i)
	}
	b.WriteString(`	mov.u32 %a, words;
	mad.lo.u32 %a, %t, 4, %a;
	st.shared.u32 [%a], %a;
	add.u64 %g, %o, 65536;
	st.global.u64 [%g], %g;
	bar.sync 0;
	mov.u32 %i, 0;
	mov.u32 %begin, %clock;
LOOP:
`)
	for i := range body {
		fmt.Fprintf(&b, "\t%s\n", r.Line(i))
	}
	fmt.Fprintf(&b, `	add.u32 %%i, %%i, 1;
	setp.lt.u32 %%p0, %%i, %d;
	@%%p0 bra LOOP;
	mov.u32 %%end, %%clock;
`, Passes)
	for i := range 31 {
		fmt.Fprintf(&b, "\tadd.rn.f32 %%f0, %%f0, %%f%d;\n\txor.b32 %%r0, %%r0, %%r%d;\n", i+1, i+1)
	}
	b.WriteString(`	mov.b32 %w, %f0;
	xor.b32 %r0, %r0, %w;
	xor.b32 %r0, %r0, %a;
	cvt.u32.u64 %w, %g;
	xor.b32 %r0, %r0, %w;
	mul.wide.u32 %d0, %t, 4;
	add.u64 %d0, %o, %d0;
	st.global.u32 [%d0+4096], %r0;
	and.b32 %w, %t, 31;
	setp.ne.u32 %p1, %w, 0;
	@%p1 bra DONE;
	shr.u32 %w, %t, 5;
	mul.wide.u32 %d1, %w, 8;
	add.u64 %d1, %o, %d1;
	st.global.u32 [%d1], %begin;
	st.global.u32 [%d1+4], %end;
DONE:
	ret;
}
`)
	return b.String()
}
