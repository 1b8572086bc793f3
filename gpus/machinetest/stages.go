package machinetest

import (
	"fmt"
	"strings"
)

// WarpText wraps a body in a kernel k with one pointer parameter, held in %rd1. %r1 is the thread number, %r2 the
// warp number, %r3 the CTA number. %rd2 points to a word of the thread's own.
func WarpText(body string) string {
	return `.version 6.3
.target sm_52
.address_size 64
.visible .entry k(.param .u64 p)
{
	.reg .b32 %r<64>; .reg .f32 %f<64>; .reg .b64 %rd<16>; .reg .pred %p<8>;
	ld.param.u64 %rd1, [p];
	mov.u32 %r1, %tid.x;
	shr.u32 %r2, %r1, 5;
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mad.lo.u32 %r5, %r3, %r4, %r1;
	mul.wide.u32 %rd3, %r5, 4;
	add.u64 %rd2, %rd1, %rd3;
` + body + `
	ret;
}`
}

// Stage is a part of a random kernel. Each warp is delayed by a time of its own, then uses Live registers at once,
// and may wait at a barrier.
type Stage struct {
	Delay   [8]int // by warp and parity of the CTA, in rounds of a loop
	Live    int    // registers
	Load    bool
	Again   bool // a load while the registers are live
	Barrier bool
}

// Stages returns the source of a kernel of stages, for tests of the causes of waiting: each warp reaches register
// pressure, loads and barriers at times of its own.
func Stages(stages []Stage) string {
	var b strings.Builder
	b.WriteString("mov.f32 %f0, 0f3F800000;\n")
	for i, s := range stages {
		for k, rounds := range s.Delay {
			if rounds == 0 {
				continue
			}
			fmt.Fprintf(&b, `and.b32 %%r6, %%r3, 1; mad.lo.u32 %%r6, %%r2, 2, %%r6;
setp.ne.u32 %%p1, %%r6, %d; @%%p1 bra S%d_%d; mov.u32 %%r7, %d;
L%d_%d: add.u32 %%r7, %%r7, -1; setp.ne.u32 %%p2, %%r7, 0; @%%p2 bra L%d_%d;
S%d_%d:
`, k, i, k, rounds, i, k, i, k, i, k)
		}
		if s.Load {
			b.WriteString("ld.global.f32 %f0, [%rd2];\n")
		}
		for r := 1; r <= s.Live; r++ {
			fmt.Fprintf(&b, "add.f32 %%f%d, %%f%d, 0f3F800000;\n", r, r-1)
		}
		if s.Again {
			b.WriteString("ld.global.f32 %f40, [%rd2+8192];\nmul.f32 %f0, %f0, %f40;\n")
		}
		for r := s.Live; r > 0; r-- { // the last register first, so that all are live at once
			fmt.Fprintf(&b, "mul.f32 %%f0, %%f0, %%f%d;\n", r)
		}
		if s.Barrier {
			b.WriteString("bar.sync 0;\n")
		}
	}
	b.WriteString("st.global.f32 [%rd2], %f0;\n")
	return WarpText(b.String())
}
