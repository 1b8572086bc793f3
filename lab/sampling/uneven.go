package main

import (
	"fmt"

	"kumiko/benchmarks"
	"kumiko/kernel/host"
	"kumiko/kernel/ptx"
)

// uneven is a program whose CTAs differ in length: each goes loads times through a loop, and one of rare CTAs, chosen
// by a hash of its number, longer times as often.
type uneven struct {
	ctas, threads int
	loads         int
	rare, longer  int
	seed          uint32
}

// turnInstructions is the number of instructions of a turn of the loop.
const turnInstructions = 16

// unevenKernel hashes the number of the CTA by two multiplications. A turn loads a word of 8 MiB at a hashed place, and
// multiplies it into the thread's sum.
const unevenKernel = `.version 6.3
.target sm_52
.address_size 64
.visible .entry uneven(.param .u64 data, .param .u64 out, .param .u32 loads, .param .u32 rare, .param .u32 longer,
	.param .u32 seed)
{
	.reg .b32 %r<24>; .reg .b64 %rd<8>; .reg .pred %p<4>;
	ld.param.u64 %rd1, [data]; ld.param.u64 %rd2, [out];
	ld.param.u32 %r1, [loads]; ld.param.u32 %r2, [rare]; ld.param.u32 %r3, [longer]; ld.param.u32 %r4, [seed];
	mov.u32 %r5, %ctaid.x; mov.u32 %r6, %ntid.x; mov.u32 %r7, %tid.x;
	add.u32 %r8, %r5, %r4; mul.lo.u32 %r8, %r8, 2654435761; shr.u32 %r9, %r8, 15; xor.b32 %r8, %r8, %r9;
	mul.lo.u32 %r8, %r8, 2246822519; shr.u32 %r9, %r8, 13; xor.b32 %r8, %r8, %r9;
	rem.u32 %r10, %r8, %r2; setp.eq.u32 %p1, %r10, 0;
	@%p1 mul.lo.u32 %r1, %r1, %r3;
	mad.lo.u32 %r11, %r5, %r6, %r7; mov.u32 %r12, 0; shr.u32 %r13, %r11, 5;
TURN:
	add.u32 %r13, %r13, %r1; mul.lo.u32 %r13, %r13, 2654435761; and.b32 %r14, %r13, 65535;
	shl.b32 %r14, %r14, 5; and.b32 %r15, %r7, 31; add.u32 %r14, %r14, %r15;
	mul.wide.u32 %rd3, %r14, 4; add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r16, [%rd4];
	mad.lo.u32 %r12, %r12, 5, %r16; mad.lo.u32 %r12, %r12, 3, %r1; xor.b32 %r12, %r12, %r13;
	sub.u32 %r1, %r1, 1; setp.ne.u32 %p2, %r1, 0;
	@%p2 bra TURN;
	mul.wide.u32 %rd5, %r11, 4; add.s64 %rd6, %rd2, %rd5; st.global.u32 [%rd6], %r12;
	ret;
}`

// app returns the program as an application.
func (u uneven) app() *benchmarks.App {
	name := fmt.Sprintf("uneven:ctas=%d,threads=%d,loads=%d,rare=%d,longer=%d", u.ctas, u.threads, u.loads, u.rare,
		u.longer)
	return &benchmarks.App{Name: name, New: func(benchmarks.Size) (host.Program, error) { return u, nil }}
}

// Name implements host.Program.
func (u uneven) Name() string { return "uneven" }

// words is the number of words of the data, 8 MiB.
const words = 65536 * 32

// Run implements host.Program.
func (u uneven) Run(d *host.Device) error {
	m, err := ptx.Parse("uneven.ptx", []byte(unevenKernel))
	if err != nil {
		return err
	}
	data := make([]uint32, words)
	for i := range data {
		data[i] = uint32(i) * 2654435761
	}
	in, out := host.Upload(d, "data", data), d.Alloc("out", 4*u.ctas*u.threads)
	err = d.Launch(&host.Launch{Module: m, Kernel: "uneven", Grid: [3]int{u.ctas, 1, 1}, Block: [3]int{u.threads, 1, 1},
		Args: []host.Arg{host.U64(in), host.U64(out), host.U32(uint32(u.loads)), host.U32(uint32(u.rare)),
			host.U32(uint32(u.longer)), host.U32(u.seed)}})
	if err != nil {
		return err
	}
	want := make([]uint32, u.ctas*u.threads)
	for i := range want {
		want[i] = u.thread(uint32(i), data)
	}
	return benchmarks.Equal("out", host.Read[uint32](d, out, len(want)), want)
}

// turns returns how often a CTA goes through the loop.
func (u uneven) turns(cta uint32) uint32 {
	h := (cta + u.seed) * 2654435761
	h ^= h >> 15
	h *= 2246822519
	h ^= h >> 13
	if h%uint32(u.rare) == 0 {
		return uint32(u.loads * u.longer)
	}
	return uint32(u.loads)
}

// thread returns the sum of a thread.
func (u uneven) thread(i uint32, data []uint32) uint32 {
	sum, x := uint32(0), i>>5
	for turn := u.turns(i / uint32(u.threads)); turn > 0; turn-- {
		x = (x + turn) * 2654435761
		v := data[(x&65535)<<5+i&31]
		sum = (sum*5+v)*3 + turn
		sum ^= x
	}
	return sum
}
