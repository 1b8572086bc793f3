package emu

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/kernel/ir"
	"kumiko/kernel/mem"
)

// Warp 0 produces numbers for warp 1, one slot at a time: each waits at an mbarrier for the
// other, by parity, in every one of 20 rounds.
func TestAProducerAndAConsumerTakeTurnsAtMbarriers(t *testing.T) {
	got := results(t, `
	.shared .align 8 .b8 bars[16]; .shared .align 4 .b8 slot[128];
	.reg .b32 %full, %empty, %at, %i, %par, %lane; .reg .pred %q; .reg .b64 %st;
	mov.u32 %full, bars; add.u32 %empty, %full, 8;
	setp.ne.u32 %p1, %r0, 0;
	@%p1 bra READY;
	mbarrier.init.shared::cta.b64 [%full], 32;
	mbarrier.init.shared::cta.b64 [%empty], 32;
READY:
	bar.sync 0;
	mov.u32 %at, slot; and.b32 %lane, %r0, 31; shl.b32 %r2, %lane, 2; add.u32 %at, %at, %r2;
	mov.u32 %i, 0; mov.u32 %r5, 0;
LOOP:
	and.b32 %par, %i, 1;
	setp.ge.u32 %p1, %r0, 32;
	@%p1 bra CONSUME;
	xor.b32 %par, %par, 1;
EMPTY:
	mbarrier.try_wait.parity.shared.b64 %q, [%empty], %par;
	@!%q bra EMPTY;
	mad.lo.u32 %r3, %i, 100, %lane;
	st.shared.u32 [%at], %r3;
	mbarrier.arrive.shared.b64 %st, [%full];
	bra NEXT;
CONSUME:
FULL:
	mbarrier.test_wait.parity.shared.b64 %q, [%full], %par;
	@!%q bra FULL;
	ld.shared.u32 %r3, [%at];
	add.u32 %r5, %r5, %r3;
	mbarrier.arrive.shared.b64 _, [%empty];
NEXT:
	add.u32 %i, %i, 1;
	setp.lt.u32 %p1, %i, 20;
	@%p1 bra LOOP;`+storeR5, 1, 64, 64)
	wantEach(t, got, func(i int) uint32 {
		if i < 32 {
			return 0
		}
		return uint32(19*20/2*100 + 20*(i-32))
	})
}

// The phase has 64 arrivals, and the bytes announced and copied by a thread of the last warp.
func TestABulkCopyCompletesThePhaseThatExpectsItsBytes(t *testing.T) {
	got := results(t, `
	.shared .align 8 .b8 bar[8]; .shared .align 16 .b8 tile[256];
	.reg .b32 %a, %to; .reg .b64 %from, %st; .reg .pred %q, %one;
	mov.u32 %a, bar; mov.u32 %to, tile;
	setp.ne.u32 %p1, %r0, 0;
	@!%p1 mbarrier.init.shared.b64 [%a], 64;
	bar.sync 0;
	shl.b32 %r2, %r0, 2; cvt.u64.u32 %rd2, %r2; add.u64 %rd3, %rd0, %rd2;
	add.u32 %r3, %r0, 5; st.global.u32 [%rd3], %r3;
	bar.sync 0;
	setp.lt.u32 %p1, %r0, 32;
	@%p1 bra ARRIVE;
	elect.sync _|%one, 0xffffffff;
	@!%one bra ARRIVE;
	cvta.to.global.u64 %from, %rd0;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%to], [%from], 256, [%a];
	mbarrier.arrive.expect_tx.shared.b64 %st, [%a], 256;
	bra WAIT;
ARRIVE:
	mbarrier.arrive.shared.b64 %st, [%a];
WAIT:
	mbarrier.try_wait.shared.b64 %q, [%a], %st;
	@!%q bra WAIT;
	mov.u32 %r6, 252; sub.u32 %r6, %r6, %r2; add.u32 %to, %to, %r6;
	ld.shared.u32 %r5, [%to];`+storeR5, 1, 64, 64)
	wantEach(t, got, func(i int) uint32 { return uint32(63 - i + 5) })
}

func TestAWaitForAPhaseThatNobodyCompletesIsNamed(t *testing.T) {
	err := runText(t, `
	.shared .align 8 .b8 bar[8]; .reg .b32 %a; .reg .pred %q; .reg .b64 %st;
	mov.u32 %a, bar;
	setp.ne.u32 %p1, %r0, 0;
	@!%p1 mbarrier.init.shared.b64 [%a], 65;
	bar.sync 0;
	mbarrier.arrive.shared.b64 %st, [%a];
WAIT:
	mbarrier.try_wait.shared.b64 %q, [%a], %st;
	@!%q bra WAIT;`, 1, 64, &mem.Memory{})
	wantError(t, err, "no warp can go on", "since the mbarrier at 0x0 of shared memory lacks 1 arrivals and 0 bytes")
}

func TestAnMbarrierOutsideSharedMemoryIsRefused(t *testing.T) {
	err := runText(t, "mbarrier.arrive.b64 _, [%rd1];", 1, 32, &mem.Memory{})
	wantError(t, err, "an mbarrier in global space, expected shared memory")
}

// The reference counts in plain integers.
func TestAnObjectCountsArrivalsAndBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		expected := rapid.IntRange(1, 40).Draw(t, "expected")
		object := ir.MbarrierInit(uint64(expected))
		pending, tx, phase := expected, 0, 0
		for range rapid.IntRange(1, 60).Draw(t, "operations") {
			count := rapid.IntRange(0, pending).Draw(t, "arrivals")
			drop := rapid.IntRange(0, min(count, expected-1)).Draw(t, "dropped")
			bytes := rapid.IntRange(-ir.MbarrierMax/64, ir.MbarrierMax/64).Draw(t, "bytes")
			if rapid.Bool().Draw(t, "all that lack") {
				bytes = -tx
			}
			object = ir.MbarrierArrive(object,
				uint64(count)|uint64(drop)<<ir.MbarrierDropBit|uint64(bytes)<<ir.MbarrierTxBit)
			pending, expected, tx = pending-count, expected-drop, tx+bytes
			if pending == 0 && tx == 0 {
				pending, phase = expected, phase^1
			}
			if got := [3]int{ir.MbarrierPending(object), ir.MbarrierTransactions(object),
				int(ir.MbarrierParity(object))}; got != [3]int{pending, tx, phase} {
				t.Fatalf("pending, bytes, parity %v, want %v", got, [3]int{pending, tx, phase})
			}
		}
	})
}
