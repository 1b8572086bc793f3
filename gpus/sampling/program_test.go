package sampling_test

import (
	"fmt"
	"strings"
	"testing"

	"kumiko/gpus"
	"kumiko/gpus/config"
	"kumiko/gpus/machinetest"
	"kumiko/gpus/measure"
	"kumiko/gpus/result"
	"kumiko/kernel/host"
	"kumiko/kernel/ptx"
)

// kernel has two loops. The first loop loads words that miss the L1, each at an address provided by the previous
// load. The second loop adds. CTA i runs the first loop first + more * (i * stride mod 1024) / 1024 times, and the
// second loop second times. With a barrier all warps meet in each round of the first loop. After the loops,
// straight-line loads follow, and each thread writes the CTA's number to its word.
const kernel = `.version 6.3
.target sm_52
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 first, .param .u32 more, .param .u32 stride, .param .u32 second)
{
	.reg .b32 %%r<32>; .reg .f32 %%f<32>; .reg .b64 %%rd<16>; .reg .pred %%p<8>;
	.shared .align 4 .b8 room[%d];
	ld.param.u64 %%rd1, [p];
	mov.u32 %%r1, %%tid.x; mov.u32 %%r2, %%ctaid.x; mov.u32 %%r3, %%ntid.x;
	ld.param.u32 %%r4, [first]; ld.param.u32 %%r5, [more]; ld.param.u32 %%r6, [stride];
	mul.lo.u32 %%r7, %%r2, %%r6; and.b32 %%r7, %%r7, 1023; mul.lo.u32 %%r7, %%r7, %%r5; shr.u32 %%r7, %%r7, 10;
	add.u32 %%r4, %%r4, %%r7;
	ld.param.u32 %%r6, [second];
	and.b32 %%r8, %%r2, 63; mul.wide.u32 %%rd2, %%r8, 128; add.s64 %%rd2, %%rd1, %%rd2;
	cvt.rn.f32.u32 %%f1, %%r1; mov.f32 %%f2, %%f1;
FIRST:
	ld.global.cg.u32 %%r9, [%%rd2];
	cvt.u64.u32 %%rd3, %%r9; add.s64 %%rd2, %%rd2, %%rd3;
	fma.rn.f32 %%f3, %%f1, %%f2, %%f2;
	%s
	sub.u32 %%r4, %%r4, 1; setp.ne.u32 %%p1, %%r4, 0;
	@%%p1 bra FIRST;
SECOND:
	add.f32 %%f2, %%f2, %%f3;
	sub.u32 %%r6, %%r6, 1; setp.ne.u32 %%p1, %%r6, 0;
	@%%p1 bra SECOND;
	%s
	st.shared.f32 [room], %%f2;
	mad.lo.u32 %%r10, %%r2, %%r3, %%r1; mul.wide.u32 %%rd4, %%r10, 4; add.s64 %%rd4, %%rd1, %%rd4;
	st.global.u32 [%%rd4+65536], %%r2;
	ret;
}`

// straightLoad is a load after the loops, at the address provided by the previous load.
const straightLoad = `ld.global.cg.u32 %r9, [%rd2]; cvt.u64.u32 %rd3, %r9; add.s64 %rd2, %rd2, %rd3;
	`

// program launches the kernel some times.
type program struct {
	launches, ctas, threads int
	together                int // CTAs on an SM, as limited by their shared memory
	first, more, stride     int
	second                  int
	barrier                 bool
	straight                int  // loads behind the loops
	peeks                   bool // reads the results behind each launch
}

// on runs the program on a machine with the operand check, and checks the kernel's output.
func (p program) on(t testing.TB, r config.Request, o gpus.Options) *result.Result {
	t.Helper()
	c := machinetest.Config(t, r)
	o.Check = true
	m := machinetest.Of(t, c, o)
	barrier := ""
	if p.barrier {
		barrier = "bar.sync 0;"
	}
	mod, err := ptx.Parse("k.ptx", fmt.Appendf(nil, kernel, 98304/p.together, barrier,
		strings.Repeat(straightLoad, p.straight)))
	if err != nil {
		t.Fatal(err)
	}
	d := &host.Device{Mem: m.Memory(), Runner: m}
	buf := d.Alloc("p", 65536+4*p.ctas*p.threads)
	for range p.launches {
		l := &host.Launch{Module: mod, Kernel: "k", Grid: [3]int{p.ctas, 1, 1}, Block: [3]int{p.threads, 1, 1},
			Args: []host.Arg{host.U64(buf), host.U32(uint32(p.first)), host.U32(uint32(p.more)),
				host.U32(uint32(p.stride)), host.U32(uint32(p.second))}}
		if err := d.Launch(l); err != nil {
			t.Fatal(err)
		}
		if p.peeks {
			m.Results()
		}
	}
	for i, w := range host.Read[uint32](d, buf+65536, p.ctas*p.threads) {
		if w != uint32(i/p.threads) {
			t.Fatalf("thread %d has written %d, want %d", i, w, i/p.threads)
		}
	}
	res := measure.NewResult(c, m)
	res.Finish(0)
	return res
}
