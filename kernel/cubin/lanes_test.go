package cubin

import (
	"bytes"
	"errors"
	"testing"

	"kumiko/kernel/cubin/tools"
	"kumiko/kernel/emu"
	"kumiko/kernel/host"
	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
	"kumiko/kernel/ptx"
)

// across is a kernel with instructions across lanes, generic addresses, variables, a branch to one of several places
// and reductions at barriers. Two lanes in three execute the reductions of the warp.
const across = `.version 7.5
.target sm_80
.address_size 64
.global .align 4 .u32 total;
.global .align 4 .u32 places[4] = {5, 6, 7, 8};
.visible .entry across(.param .u64 p) {
.local .align 8 .b8 own[16]; .shared .align 8 .b8 all[1024];
.reg .b32 %r<40>; .reg .b64 %a<20>; .reg .pred %p<9>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 64; add.s64 %a1, %a1, %a2;
ld.global.u32 %r2, [%a1]; ld.global.u32 %r3, [%a1+4];
mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; rem.u32 %r8, %r1, 3; setp.eq.u32 %p1, %r8, 0;
@%p1 bra L1;
activemask.b32 %r9;
redux.sync.add.s32 %r4, %r2, %r9; redux.sync.min.u32 %r5, %r2, %r9; redux.sync.max.s32 %r6, %r3, %r9;
redux.sync.xor.b32 %r7, %r3, %r9;
L1:
bar.warp.sync -1;
and.b32 %r10, %r2, 7; match.any.sync.b32 %r11, %r10, -1; match.all.sync.b32 %r12|%p2, %r10, -1;
vote.sync.all.pred %p3, %p1, -1; vote.sync.ballot.b32 %r13, %p1, -1; selp.u32 %r14, 1, 0, %p3;
shfl.sync.bfly.b32 %r15, %r3, 5, 31, -1;
mov.u64 %a3, own; cvta.local.u64 %a3, %a3; mov.u64 %a4, all; cvta.shared.u64 %a4, %a4; mul.wide.u32 %a5, %r1, 8;
add.s64 %a4, %a4, %a5; selp.b64 %a6, %a3, %a4, %p1; st.u32 [%a6+4], %r2; ld.u32 %r16, [%a6+4];
atom.global.add.u32 %r17, [total], %r2; atom.shared.add.u32 %r17, [all], %r8;
and.b32 %r18, %r2, 3; mul.wide.u32 %a7, %r18, 4; mov.u64 %a8, places; add.s64 %a8, %a8, %a7; ld.global.u32 %r19, [%a8];
setp.lt.s32 %p4, %r2, %r3; bar.red.popc.u32 %r20, 0, %p4; bar.red.and.pred %p5, 0, %p4; bar.red.or.pred %p6, 0, %p4;
selp.u32 %r21, 1, 0, %p5; selp.u32 %r22, 2, 0, %p6; add.u32 %r21, %r21, %r22;
ts: .branchtargets A, B, C, D;
brx.idx %r18, ts;
A: mul.lo.u32 %r23, %r19, 77; bra E;
B: ld.global.u32 %r23, [%a1+8]; bra E;
C: sub.u32 %r23, %r19, %r2; bra E;
D: mov.u32 %r23, 3;
E: bar.sync 0; ld.shared.u32 %r24, [all]; add.u32 %r23, %r23, %r24;
st.global.v4.u32 [%a1], {%r4, %r5, %r6, %r7}; st.global.v4.u32 [%a1+16], {%r11, %r12, %r13, %r14};
st.global.v4.u32 [%a1+32], {%r15, %r16, %r19, %r20}; st.global.v2.u32 [%a1+48], {%r21, %r23};
ret;
}
`

// apart is a kernel whose lanes vote and shuffle on both sides of a branch and in groups of their own, take a lock, and
// add 64 bits to shared and to global memory by generic addresses.
const apart = `.version 7.5
.target sm_70
.address_size 64
.visible .entry apart(.param .u64 p) {
.shared .align 8 .b8 all[64]; .shared .align 4 .u32 lock;
.reg .b32 %r<40>; .reg .b64 %a<20>; .reg .pred %p<9>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 64; add.s64 %a3, %a1, %a2;
ld.global.u32 %r2, [%a3]; ld.global.u32 %r3, [%a3+4]; setp.ne.u32 %p7, %r1, 0;
@%p7 bra L0;
mov.u32 %r4, 0; st.shared.u32 [lock], %r4; mov.u64 %a4, 0; st.shared.u64 [all], %a4; st.shared.u64 [all+8], %a4;
st.shared.u64 [all+16], %a4;
L0: bar.sync 0;
and.b32 %r5, %r2, 5; setp.eq.u32 %p1, %r5, 1; setp.gt.s32 %p2, %r3, 100;
@%p1 bra L1;
vote.sync.ballot.b32 %r6, %p2, -1; add.u32 %r7, %r6, %r2; shfl.sync.bfly.b32 %r8, %r7, 3, 31, -1; bra L2;
L1: xor.b32 %r7, %r3, 77; vote.sync.ballot.b32 %r6, %p2, -1; shfl.sync.bfly.b32 %r8, %r7, 3, 31, -1;
add.u32 %r8, %r8, 1;
L2: vote.sync.ballot.b32 %r9, %p1, -1; not.b32 %r10, %r9; selp.b32 %r9, %r9, %r10, %p1;
vote.sync.ballot.b32 %r11, %p2, %r9; vote.sync.any.pred %p3, %p2, %r9; selp.u32 %r12, 1, 0, %p3;
bar.sync 0;
L3: atom.shared.exch.b32 %r13, [lock], 1; setp.ne.u32 %p4, %r13, 0;
@%p4 bra L3;
membar.gl; ld.volatile.shared.u32 %r14, [all+16]; mad.lo.u32 %r14, %r14, 1, %r2; st.volatile.shared.u32 [all+16], %r14;
membar.gl;
atom.shared.exch.b32 %r15, [lock], 0;
mov.u64 %a5, all; cvta.shared.u64 %a5, %a5; add.s64 %a6, %a1, 65536; selp.b64 %a7, %a5, %a6, %p1; cvt.u64.u32 %a8, %r3;
shl.b64 %a8, %a8, 29; atom.add.u64 %a9, [%a7], %a8; atom.max.s64 %a9, [%a7+8], %a8;
bar.sync 0; ld.shared.u64 %a10, [all]; ld.shared.u64 %a11, [all+8]; add.s64 %a10, %a10, %a11;
ld.shared.u32 %r16, [all+16];
st.global.v4.u32 [%a3+16], {%r6, %r8, %r11, %r12}; st.global.u64 [%a3+32], %a10; st.global.u32 [%a3+40], %r16;
ret;
}
`

// groups is a kernel whose lanes vote in groups on one side of a branch, where ptxas cannot know that several groups
// come together: the number that decides is another in each lane, and 0 in none. The groups are those of two votes
// before.
const groups = `.version 7.5
.target sm_70
.address_size 64
.visible .entry groups(.param .u64 p) {
.reg .b32 %r<40>; .reg .b64 %a<20>; .reg .pred %p<9>; .reg .f32 %f<4>;
ld.param.u64 %a1, [p]; mov.u32 %r1, %tid.x; mul.wide.u32 %a2, %r1, 64; add.s64 %a3, %a1, %a2;
ld.global.u32 %r2, [%a3]; ld.global.u32 %r3, [%a3+4]; ld.global.f32 %f1, [%a3+48];
setp.lt.u32 %p1, %r2, %r3; and.b32 %r5, %r2, 256; setp.eq.u32 %p2, %r5, 0; setp.neu.f32 %p3, %f1, 0f00000000;
vote.sync.ballot.b32 %r6, %p1, -1; not.b32 %r7, %r6; selp.b32 %r6, %r6, %r7, %p1;
vote.sync.ballot.b32 %r8, %p2, %r6; not.b32 %r9, %r8; and.b32 %r9, %r9, %r6; selp.b32 %r8, %r8, %r9, %p2;
mov.u32 %r10, 5; setp.gt.s32 %p4, %r3, 100; mov.u32 %r11, 7;
@%p3 bra L1;
vote.sync.ballot.b32 %r10, %p4, %r8; bra L2;
L1: not.pred %p4, %p4; vote.sync.ballot.b32 %r11, %p4, %r8;
L2: st.global.v4.u32 [%a3+16], {%r6, %r8, %r10, %r11};
ret;
}
`

func TestLanesOfMachineCodeExchangeWhatThoseOfItsPTXDo(t *testing.T) {
	sameLanes(t, "across", across, 80, 86, 90)
}

func TestLanesApartFromEachOtherDoInMachineCodeWhatThoseOfItsPTXDo(t *testing.T) {
	sameLanes(t, "apart", apart, 70, 75, 80, 86, 90)
}

func TestGroupsOfLanesThatVoteInOnePathStayApartInMachineCode(t *testing.T) {
	sameLanes(t, "groups", groups, 70, 75, 80, 86, 90)
}

// sameLanes compares memory behind a kernel of PTX with that behind its machine code.
func sameLanes(t *testing.T, kernel, text string, archs ...int) {
	m, err := ptx.Parse(kernel+".ptx", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	leave := func(compile func(*host.Launch) (*ir.Kernel, error)) []mem.Region {
		memory := &mem.Memory{}
		if err := memory.LoadModule(m); err != nil {
			t.Fatal(err)
		}
		a := memory.Alloc("data", 65536+64)
		data, _ := memory.Bytes(a, 65536+64)
		for i := range data[:64*96] {
			data[i] = byte(i * i * 7 >> 3)
		}
		e := &emu.Runner{Mem: memory, Compile: compile}
		if err := e.Launch(&host.Launch{Module: m, Kernel: kernel, Grid: [3]int{1, 1, 1}, Block: [3]int{96, 1, 1},
			Args: []host.Arg{host.U64(a)}}); err != nil {
			t.Fatal(err)
		}
		return memory.Regions()
	}
	if _, err := tools.Find(); errors.Is(err, tools.ErrAbsent) {
		t.Skip(err)
	}
	for _, arch := range archs {
		code, err := New(arch)
		if err != nil {
			t.Fatal(err)
		}
		got, want := leave(code.Kernel), leave(nil)
		for i := range want {
			if !bytes.Equal(got[i].Data, want[i].Data) {
				t.Errorf("sm_%d: %s is %x, want %x", arch, want[i].Name, got[i].Data[:128], want[i].Data[:128])
			}
		}
	}
}
