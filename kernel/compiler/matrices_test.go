package compiler

import "testing"

// newer are bodies of kernels with instructions executed by all lanes of the warp together, or as several
// instructions. They read memory at p and store the results behind it.
var newer = map[string]string{
	"wmma": `.reg .b32 %a<8>, %b<8>, %c<8>, %w<8>;
	wmma.load.a.sync.aligned.col.m16n16k16.global.s8 {%a0, %a1}, [%d10], 16;
	wmma.load.b.sync.aligned.row.m16n16k16.global.s8 {%b0, %b1}, [%d10+256], 16;
	wmma.load.c.sync.aligned.col.m16n16k16.global.s32 {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, [%d10+512], 16;
	wmma.mma.sync.aligned.col.row.m16n16k16.s32.s8.s8.s32 {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, {%a0, %a1}, {%b0, %b1},
		{%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7};
	wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%d10+2048], {%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7}, 16;`,
	"ldmatrix and mma": `.reg .b32 %a<8>, %c<4>; mul.lo.u32 %r8, %r0, 16; mov.u32 %r7, sv; add.u32 %r8, %r7, %r8;
	st.shared.u32 [%r8], %r1; st.shared.u32 [%r8+4], %r2; st.shared.u32 [%r8+8], %r3; st.shared.u32 [%r8+12], %r1;
	bar.warp.sync 0xffffffff;
	ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%a0, %a1, %a2, %a3}, [%r8];
	movmatrix.sync.aligned.m8n8.trans.b16 %a4, %a0; mov.u32 %c0, 1; mov.u32 %c1, 2; mov.u32 %c2, 3; mov.u32 %c3, 4;
	mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32 {%c0, %c1, %c2, %c3}, {%a0, %a1, %a2, %a3}, {%a4, %a1},
		{%c0, %c1, %c2, %c3};
	stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r8], {%c0, %c1}; bar.warp.sync 0xffffffff; ld.shared.u32 %r4, [%r8];
	xor.b32 %r5, %c2, %c3;`,
	"mbarrier and bulk copy": `.reg .b32 %m, %t; .reg .pred %q; .reg .b64 %s; mov.u32 %m, sv; add.u32 %t, %m, 128;
	setp.ne.u32 %p1, %r0, 0; @%p1 bra READY; mbarrier.init.shared.b64 [%m], 32;
	cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%t], [%d10], 512, [%m];
	mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%m], 512;
	READY: bar.warp.sync 0xffffffff; mbarrier.arrive.shared.b64 %s, [%m];
	WAIT: mbarrier.try_wait.shared.b64 %q, [%m], %s; @!%q bra WAIT;
	mad.lo.u32 %r8, %r0, 16, %t; ld.shared.u32 %r4, [%r8]; mbarrier.pending_count.b64 %r5, %s;`,
	"elect and barriers in registers": `elect.sync %r4|%p1, 0xffffffff; and.b32 %r5, %r0, 0; add.u32 %r6, %r5, 32;
	bar.sync %r5, %r6;`,
}

func TestInstructionsOfManyStepsComputeTheSameCompiled(t *testing.T) {
	for name, body := range newer {
		s := snippet{body: body}
		if err := executeSnippet(s.source("sm_90")); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
