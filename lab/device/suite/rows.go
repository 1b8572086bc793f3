package suite

import (
	"fmt"
	"strings"
)

// Row is a loop of instructions run by a device and by a simulated GPU.
type Row struct {
	Name string
	Doc  string
	Op   string // SASS opcode expected in the loop
	// Line returns instruction i of the loop's body, in PTX. %f0 to %f31, %r0 to %r31, %e0 to %e15 (doubles) and
	// %l0 to %l7 (64-bit integers) hold values. %a is an address in shared memory. %g is an address in global
	// memory of a word containing this same address. %s and %q are addresses in shared and global memory, Stride
	// bytes apart from lane to lane.
	Line    func(i int) string
	Stride  int
	Strided bool
	Chip    bool // the row depends on more than an SM: its kernel is launched, since probe does not simulate it
}

// class returns the class of a row's outcomes: loops within an SM, accesses to global memory and barriers, and stores
// of several warps to the same words, of which the chip makes fewer.
func (r *Row) class(warps int) string {
	switch {
	case !r.Chip:
		return "loops"
	case r.Op == "STG" && warps > 1:
		return "same words"
	}
	return "accesses"
}

// stride returns the distance between the lanes' addresses, or nil for a row without strided accesses.
func (r *Row) stride() *int {
	if !r.Strided {
		return nil
	}
	return &r.Stride
}

// body is the number of instructions in a pass of a loop, without branch and counter.
const body = 64

// strided is the offset of the strided accesses in global memory, after the clocks, the results and the threads'
// own addresses. Bytes is the size of the memory.
const (
	strided = 1 << 17
	Bytes   = 1 << 20
)

// Passes is the number of passes of a loop on a device.
const Passes = 256

// PTX returns the kernel of a row for a GPU of compute capability sm, such as 90. Its parameter is the address of
// the clocks, two words for each warp. After the clocks follow, for each thread, a place for its result and a place
// with its own address.
func (r *Row) PTX(sm int) string { return r.ptx(sm, fmt.Sprint(Passes), "") }

// Counted returns the kernel with the number of passes as its second parameter. So it is simulated, if a launch is.
func (r *Row) Counted(sm int) string { return r.ptx(sm, "%n", ", .param .u32 passes") }

func (r *Row) ptx(sm int, passes, param string) string {
	var b strings.Builder
	r.begin(&b, sm, param)
	for i := range body {
		fmt.Fprintf(&b, "\t%s\n", r.Line(i))
	}
	fmt.Fprintf(&b, `	add.u32 %%i, %%i, 1;
	setp.lt.u32 %%p0, %%i, %s;
	@%%p0 bra LOOP;
	mov.u32 %%end, %%clock;
`, passes)
	r.end(&b)
	return b.String()
}

// begin writes the kernel up to the first instruction of its loop.
func (r *Row) begin(b *strings.Builder, sm int, param string) {
	fmt.Fprintf(b, `.version 7.8
.target sm_%d
.address_size 64
// %s: %s
.visible .entry %s(.param .u64 out%s)
{
	.reg .pred %%p<2>;
	.reg .f32 %%f<33>;
	.reg .b32 %%r<33>, %%a, %%s, %%t, %%i, %%begin, %%end, %%w;
	.reg .f64 %%e<17>;
	.reg .b64 %%d<4>, %%l<9>, %%g, %%q, %%o;
	.shared .align 16 .b32 words[4096];
	ld.param.u64 %%o, [out];
	mov.u32 %%t, %%tid.x;
`, sm, r.Name, r.Doc, r.Name, param)
	if param != "" {
		b.WriteString("\t.reg .b32 %n;\n\tld.param.u32 %n, [passes];\n")
	}
	for i := range 32 {
		fmt.Fprintf(b, "\tadd.u32 %%r%d, %%t, %d;\n\tcvt.rn.f32.u32 %%f%d, %%r%d;\n", i, 3*i+1, i, i)
	}
	for i := range 16 {
		fmt.Fprintf(b, "\tcvt.rn.f64.u32 %%e%d, %%r%d;\n", i, i)
	}
	for i := range 8 {
		fmt.Fprintf(b, "\tcvt.u64.u32 %%l%d, %%r%d;\n", i, i)
	}
	fmt.Fprintf(b, `	mov.u32 %%s, words;
	and.b32 %%w, %%t, 31;
	mad.lo.u32 %%s, %%w, %d, %%s;
	mul.wide.u32 %%d0, %%w, %d;
	add.u64 %%q, %%o, %%d0;
	add.u64 %%q, %%q, %d;
`, r.Stride, r.Stride, strided)
	b.WriteString(`	mov.u32 %a, words;
	mad.lo.u32 %a, %t, 4, %a;
	st.shared.u32 [%a], %a;
	add.u64 %g, %o, 65536;
	st.global.u64 [%g], %g;
	bar.sync 0;
	mov.u32 %i, 0;
	mov.u32 %begin, %clock;
LOOP:
	.pragma "nounroll";
`)
}

// end writes the kernel behind its loop: all results enter one word, so that the compiler leaves none out.
func (r *Row) end(b *strings.Builder) {
	for i := range 31 {
		fmt.Fprintf(b, "\tadd.rn.f32 %%f0, %%f0, %%f%d;\n\txor.b32 %%r0, %%r0, %%r%d;\n", i+1, i+1)
	}
	for i := range 15 {
		fmt.Fprintf(b, "\tadd.rn.f64 %%e0, %%e0, %%e%d;\n", i+1)
	}
	for i := range 7 {
		fmt.Fprintf(b, "\txor.b64 %%l0, %%l0, %%l%d;\n", i+1)
	}
	b.WriteString(`	cvt.rn.f32.f64 %f1, %e0;
	add.rn.f32 %f0, %f0, %f1;
	cvt.u32.u64 %w, %l0;
	xor.b32 %r0, %r0, %w;
	mov.b32 %w, %f0;
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
}
