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

func TestLanesOfMachineCodeExchangeWhatThoseOfItsPTXDo(t *testing.T) {
	m, err := ptx.Parse("across.ptx", []byte(across))
	if err != nil {
		t.Fatal(err)
	}
	leave := func(compile func(*host.Launch) (*ir.Kernel, error)) []mem.Region {
		memory := &mem.Memory{}
		if err := memory.LoadModule(m); err != nil {
			t.Fatal(err)
		}
		a := memory.Alloc("data", 64*96)
		data, _ := memory.Bytes(a, 64*96)
		for i := range data {
			data[i] = byte(i * i * 7 >> 3)
		}
		e := &emu.Runner{Mem: memory, Compile: compile}
		if err := e.Launch(&host.Launch{Module: m, Kernel: "across", Grid: [3]int{1, 1, 1}, Block: [3]int{96, 1, 1},
			Args: []host.Arg{host.U64(a)}}); err != nil {
			t.Fatal(err)
		}
		return memory.Regions()
	}
	if _, err := tools.Find(); errors.Is(err, tools.ErrAbsent) {
		t.Skip(err)
	}
	for _, arch := range []int{80, 86, 90} {
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
