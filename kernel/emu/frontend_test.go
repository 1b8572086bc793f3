package emu

import (
	"strings"
	"testing"
)

// everything has a line for each instruction and form shared by the front end and the emulator.
const everything = `
add.u16 %h1, %h2, %h3; add.s32 %r1, %r2, %r3; add.u64 %rd1, %rd2, %rd3; add.sat.s32 %r1, %r2, %r3; add.cc.u32 %r1, %r2, %r3; addc.cc.u32 %r1, %r2, %r3; addc.u32 %r1, %r2, 0;
sub.s16 %h1, %h2, %h3; sub.cc.u32 %r1, %r2, %r3; subc.u32 %r1, %r2, %r3; sub.sat.s32 %r1, %r2, %r3;
mul.lo.u16 %h1, %h2, %h3; mul.wide.u16 %r1, %h2, %h3; mul.hi.s32 %r1, %r2, %r3; mul.wide.s32 %rd1, %r2, %r3; mul.hi.u64 %rd1, %rd2, %rd3;
mad.lo.s32 %r1, %r2, %r3, %r4; mad.wide.u32 %rd1, %r2, %r3, %rd4; mad.hi.sat.s32 %r1, %r2, %r3, %r4; mad.lo.cc.u32 %r1, %r2, %r3, %r4; madc.hi.u32 %r1, %r2, %r3, %r4; mad.lo.u64 %rd1, %rd2, %rd3, %rd4;
mul24.lo.u32 %r1, %r2, %r3; mul24.hi.s32 %r1, %r2, %r3; mad24.lo.s32 %r1, %r2, %r3, %r4; mad24.hi.sat.s32 %r1, %r2, %r3, %r4;
sad.u32 %r1, %r2, %r3, %r4; sad.s16 %h1, %h2, %h3, %h4; div.u32 %r1, %r2, %r3; div.s64 %rd1, %rd2, %rd3; rem.s32 %r1, %r2, %r3; rem.u16 %h1, %h2, %h3;
abs.s32 %r1, %r2; neg.s64 %rd1, %rd2; min.u32 %r1, %r2, %r3; max.s64 %rd1, %rd2, %rd3; min.relu.s32 %r1, %r2, %r3;
popc.b32 %r1, %r2; popc.b64 %r1, %rd2; clz.b32 %r1, %r2; clz.b64 %r1, %rd2; bfind.s32 %r1, %r2; bfind.shiftamt.u64 %r1, %rd2; fns.b32 %r1, %r2, %r3, %r4; brev.b32 %r1, %r2; brev.b64 %rd1, %rd2;
bfe.u32 %r1, %r2, 4, 8; bfe.s64 %rd1, %rd2, %r3, %r4; bfi.b32 %r1, %r2, %r3, 4, 8; bfi.b64 %rd1, %rd2, %rd3, %r4, %r5; bmsk.clamp.b32 %r1, %r2, %r3; szext.wrap.s32 %r1, %r2, %r3;
dp4a.u32.s32 %r1, %r2, %r3, %r4; dp2a.hi.s32.s32 %r1, %r2, %r3, %r4;
testp.finite.f32 %p1, %f2; testp.subnormal.f64 %p1, %fd2; copysign.f32 %f1, %f2, %f3; copysign.f64 %fd1, %fd2, %fd3;
add.f32 %f1, %f2, %f3; add.rz.ftz.sat.f32 %f1, %f2, %f3; add.rm.f64 %fd1, %fd2, %fd3; sub.rp.f32 %f1, %f2, %f3; mul.ftz.f32 %f1, %f2, 0f3F800000; mul.rn.f64 %fd1, %fd2, %fd3;
fma.rn.f32 %f1, %f2, %f3, %f4; fma.rz.sat.f32 %f1, %f2, %f3, %f4; fma.rm.f64 %fd1, %fd2, %fd3, %fd4; mad.rn.f32 %f1, %f2, %f3, %f4;
div.rn.f32 %f1, %f2, %f3; div.approx.ftz.f32 %f1, %f2, %f3; div.full.f32 %f1, %f2, %f3; div.rz.f64 %fd1, %fd2, %fd3;
abs.ftz.f32 %f1, %f2; neg.f64 %fd1, %fd2; min.ftz.f32 %f1, %f2, %f3; max.NaN.f32 %f1, %f2, %f3; max.f64 %fd1, %fd2, %fd3;
rcp.approx.ftz.f32 %f1, %f2; rcp.rn.f32 %f1, %f2; rcp.rp.f64 %fd1, %fd2; rcp.approx.ftz.f64 %fd1, %fd2; sqrt.approx.f32 %f1, %f2; sqrt.rm.f32 %f1, %f2; sqrt.rn.f64 %fd1, %fd2;
rsqrt.approx.f32 %f1, %f2; rsqrt.approx.f64 %fd1, %fd2; rsqrt.approx.ftz.f64 %fd1, %fd2; sin.approx.f32 %f1, %f2; cos.approx.ftz.f32 %f1, %f2; lg2.approx.f32 %f1, %f2; ex2.approx.ftz.f32 %f1, %f2; tanh.approx.f32 %f1, %f2; ex2.approx.f16x2 %r1, %r2;
add.f16 %h1, %h2, %h3; sub.ftz.sat.f16 %h1, %h2, %h3; mul.f16x2 %r1, %r2, %r3; fma.rn.f16 %h1, %h2, %h3, %h4; fma.rn.relu.f16x2 %r1, %r2, %r3, %r4; fma.rn.bf16 %h1, %h2, %h3, %h4; neg.f16x2 %r1, %r2; abs.f16 %h1, %h2; max.NaN.bf16x2 %r1, %r2, %r3; min.f16 %h1, %h2, %h3;
set.gt.u32.f32 %r1, %f2, %f3; set.le.and.f32.s32 %f1, %r2, %r3, %p1; setp.lt.s32 %p1, %r2, %r3; setp.equ.f32 %p1|%p2, %f2, %f3; setp.lo.u64 %p1, %rd2, %rd3; setp.eq.or.b16 %p1, %h2, %h3, !%p2; setp.num.f64 %p1, %fd2, %fd3; setp.ge.f16 %p1, %h2, %h3;
selp.b16 %h1, %h2, %h3, %p1; selp.f64 %fd1, %fd2, %fd3, %p1; slct.u32.s32 %r1, %r2, %r3, %r4; slct.ftz.f64.f32 %fd1, %fd2, %fd3, %f4;
and.b32 %r1, %r2, %r3; and.pred %p1, %p2, %p3; or.b64 %rd1, %rd2, 255; xor.b16 %h1, %h2, %h3; xor.pred %p1, %p2, %p3; not.pred %p1, %p2; not.b64 %rd1, %rd2; cnot.b32 %r1, %r2; lop3.b32 %r1, %r2, %r3, %r4, 0x1a;
shl.b16 %h1, %h2, 3; shl.b64 %rd1, %rd2, %r3; shr.s16 %h1, %h2, %r3; shr.u64 %rd1, %rd2, 5; shf.l.clamp.b32 %r1, %r2, %r3, %r4; shf.r.wrap.b32 %r1, %r2, %r3, %r4;
mov.u32 %r1, %r2; mov.b64 %rd1, {%r1, %r2}; mov.b64 {%r1, %r2}, %rd1; mov.b32 %r1, {%h1, %h2}; mov.b32 {%h1, _}, %r1; mov.pred %p1, %p2; mov.b64 %rd1, {%h1, %h2, %h3, %h4}; mov.u32 %r1, %ctaid.y; mov.u64 %rd1, %clock64; mov.u32 %r1, %globaltimer_lo; mov.u32 %r1, %gridid;
prmt.b32 %r1, %r2, %r3, %r4; prmt.b32.f4e %r1, %r2, %r3, %r4; prmt.b32.rc16 %r1, %r2, %r3, 1;
cvt.u16.u32 %h1, %r2; cvt.s64.s32 %rd1, %r2; cvt.u32.u8 %r1, %h2; cvt.sat.s8.s32 %h1, %r2; cvt.rzi.s32.f32 %r1, %f2; cvt.rni.ftz.u64.f32 %rd1, %f2; cvt.rn.f32.s64 %f1, %rd2; cvt.rz.f64.u64 %fd1, %rd2; cvt.f64.f32 %fd1, %f2; cvt.rn.f32.f64 %f1, %fd2; cvt.rmi.f32.f32 %f1, %f2; cvt.f32.f16 %f1, %h2; cvt.rn.f16.f32 %h1, %f2; cvt.rn.bf16x2.f32 %r1, %f2, %f3; cvt.sat.f32.f32 %f1, %f2; cvt.rn.f16x2.f32 %r1, %f2, %f3;
ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1]; ld.volatile.shared.u8 %r1, [%r2]; ld.local.s16 %r1, [%rd2+4]; ld.v2.u64 {%rd1, %rd2}, [%rd3]; st.global.v2.f64 [%rd1], {%fd1, %fd2}; st.u8 [%rd1], %r1; ld.s8 %rd1, [%rd2]; ld.global.v2.u32 {_, %r1}, [%rd1]; ld.acquire.gpu.global.u32 %r1, [%rd1]; st.release.gpu.global.u32 [%rd1], 5;
atom.global.add.u32 %r1, [%rd1], 1; atom.shared.cas.b32 %r1, [%r2], %r3, %r4; atom.add.f32 %f1, [%rd1], %f2; atom.global.add.f64 %fd1, [%rd1], %fd2; atom.min.s64 %rd1, [%rd2], %rd3; red.global.xor.b32 [%rd1], %r1; atom.global.inc.u32 %r1, [%rd1], 7; atom.exch.b64 %rd1, [%rd2], %rd3; atom.global.add.noftz.f16x2 %r1, [%rd1], %r2; red.shared.max.u32 [%r1], %r2; atom.global.cas.b16 %h1, [%rd1], %h2, %h3;
prefetch.global.L2 [%rd1]; membar.gl; fence.acq_rel.gpu; cvta.to.global.u64 %rd1, %rd2; cvta.shared.u64 %rd1, %rd2; isspacep.shared %p1, %rd1;
shfl.up.b32 %r1, %r2, 1, 0; shfl.sync.idx.b32 %r1|%p1, %r2, %r3, %r4, -1; vote.all.pred %p1, %p2; vote.sync.ballot.b32 %r1, !%p2, %r3; match.any.sync.b64 %r1, %rd2, -1; match.all.sync.b32 %r1|%p1, %r2, -1; activemask.b32 %r1; redux.sync.min.s32 %r1, %r2, -1;
bar.sync 0; bar.sync 1, 64; bar.arrive 2, 64; bar.red.popc.u32 %r1, 0, %p1; bar.red.and.pred %p1, 0, 32, !%p2; barrier.sync %r1; bar.warp.sync -1;
vadd4.u32.u32.u32.sat %r1, %r2, %r3, %r4; vabsdiff4.u32.u32.u32.add %r1, %r2, %r3, %r4; vset2.s32.s32.lt %r1, %r2, %r3, %r4; vavrg2.s32.s32.u32 %r1, %r2, %r3, %r4;
nanosleep.u32 100; pmevent 1; trap; exit;
`

func TestEveryFormThatTheFrontEndKnowsCanBePrepared(t *testing.T) {
	m := parseText(t, `.version 7.8
.target sm_80
.address_size 64
.visible .entry k()
{
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<8>; .reg .f64 %fd<8>;
`+strings.TrimSpace(everything)+"\n}\n")
	if _, err := Prepare(m.Kernels[0]); err != nil {
		t.Error(err)
	}
}
