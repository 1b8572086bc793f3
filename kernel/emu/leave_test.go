package emu

import (
	"testing"
)

// first20 has the result of a vote of lanes 0 to 19, the others not taking part.
func first20(i int) uint32 {
	if i < 20 {
		return 0xfffff
	}
	return 0
}

func TestLanesThatLeaveTheKernelAreNotWaitedFor(t *testing.T) {
	const vote = "vote.sync.ballot.b32 %r5, 1, 0xffffffff;"
	for name, body := range map[string]string{
		"by a branch to the end": "setp.ge.u32 %p1, %r0, 20; @%p1 bra END;" + vote + storeR5 + "\nEND: ret;",
		"by a branch to exit":    "setp.ge.u32 %p1, %r0, 20; @%p1 bra END;" + vote + storeR5 + "\nEND: exit;",
		"by a chain of branches": "setp.ge.u32 %p1, %r0, 20; @%p1 bra A;" + vote + storeR5 +
			"\nA: bra B;\nB: ret;",
		"by a guarded exit":        "setp.ge.u32 %p1, %r0, 20; @%p1 exit;" + vote + storeR5,
		"by the guard of the vote": "setp.lt.u32 %p1, %r0, 20; @%p1 " + vote + "@%p1 bra S; ret;\nS:" + storeR5,
		"behind a store of their own": "setp.ge.u32 %p1, %r0, 20; mov.u32 %r5, 0; @%p1 bra S;" + vote +
			"S:" + storeR5,
		"behind the guard, and a store": "setp.lt.u32 %p1, %r0, 20; mov.u32 %r5, 0; @%p1 " + vote + storeR5,
		"behind a barrier of themselves": "setp.ge.u32 %p1, %r0, 20; mov.u32 %r5, 0; @%p1 bra S;" + vote +
			"S: activemask.b32 %r6; bar.warp.sync %r6;" + storeR5,
		"while the others loop": `setp.ge.u32 %p1, %r0, 20; @%p1 bra END; mov.u32 %r4, 0;
L: ` + vote + `add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 3; @%p2 bra L;` + storeR5 + "\nEND: ret;",
	} {
		t.Run(name, func(t *testing.T) { wantEach(t, results(t, body, 1, 32, 32), first20) })
	}
}

// A lane leaves the loop after as many votes as its number, and stores what it has counted.
func TestLanesLeaveALoopOneAfterTheOther(t *testing.T) {
	got := results(t, `mov.u32 %r5, 0; mov.u32 %r1, 0;
LOOP: setp.gt.u32 %p1, %r1, %r0; @%p1 bra OUT;
vote.sync.ballot.b32 %r2, 1, -1; popc.b32 %r2, %r2; add.u32 %r5, %r5, %r2; add.u32 %r1, %r1, 1; bra LOOP;
OUT:`+storeR5, 1, 32, 32)
	sum := uint32(0)
	wantEach(t, got, func(i int) uint32 {
		sum += uint32(32 - i)
		return sum
	})
}

func TestEveryInstructionAcrossLanesLeavesOutThoseThatHaveLeft(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want func(i int) uint32
	}{
		"shfl": {"shfl.sync.idx.b32 %r5, %r0, 3, 31, -1;", func(int) uint32 { return 3 }},
		"any": {"setp.eq.u32 %p2, %r0, 7; vote.sync.any.pred %p3, %p2, -1; selp.u32 %r5, 1, 0, %p3;",
			func(int) uint32 { return 1 }},
		"match": {"and.b32 %r4, %r0, 1; match.any.sync.b32 %r5, %r4, -1;",
			func(i int) uint32 { return 0x55555 << (i & 1) }},
		"redux": {"redux.sync.add.s32 %r5, 1, -1;", func(int) uint32 { return 20 }},
		"bar":   {"bar.warp.sync -1; mov.u32 %r5, 4;", func(int) uint32 { return 4 }},
		"elect": {"elect.sync %r5|%p2, -1;", func(int) uint32 { return 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			got := results(t, "setp.ge.u32 %p1, %r0, 20; @%p1 bra END;"+c.text+storeR5+"\nEND: ret;", 1, 32, 32)
			wantEach(t, got[:20], c.want)
			wantEach(t, got[20:], func(int) uint32 { return 0 })
		})
	}
}

// The lanes of the other side run on past the place where the sides meet, up to the barrier. The CTA's barrier counts
// the warp once.
func TestLanesAheadOfTheirWarpWaitForItAtABarrierOfTheCTA(t *testing.T) {
	got := results(t, `.shared .b32 s[64]; mov.u32 %r1, s; shl.b32 %r2, %r0, 2; add.u32 %r3, %r1, %r2; xor.b32 %r2, %r2, 252;
add.u32 %r4, %r1, %r2; and.b32 %r6, %r0, 31; setp.ge.u32 %p1, %r6, 20; mov.u32 %r5, 1; @%p1 bra MEET;
shr.u32 %r7, %r0, 5; setp.eq.u32 %p2, %r7, 0; @%p2 bra VOTE; bra MEET;
VOTE: mov.u32 %r5, 2; vote.sync.ballot.b32 %r8, 1, 0xfffff;
MEET: add.u32 %r5, %r5, %r0; st.shared.u32 [%r3], %r5; bar.sync 0; ld.shared.u32 %r5, [%r4];`+storeR5, 1, 64, 64)
	wantEach(t, got, func(i int) uint32 {
		other := 63 - i
		if other < 20 {
			return uint32(other) + 2
		}
		return uint32(other) + 1
	})
}

// Lanes on both sides of a branch leave, so the others do not meet before the end of the kernel.
func TestPathsOfAWarpArriveTogetherAtABarrier(t *testing.T) {
	got := results(t, `and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 1; and.b32 %r2, %r0, 7; setp.eq.u32 %p2, %r2, 0;
setp.eq.u32 %p3, %r2, 1; setp.ne.u32 %p4, %r0, 77; mov.u32 %r5, 9;
@%p1 bra A; @%p2 bra OUT; bra.uni M;
A: @%p3 bra OUT;
M: bar.red.popc.u32 %r5, 0, %p4; add.u32 %r5, %r5, 100; bar.red.popc.u32 %r6, 0, %p1; mad.lo.u32 %r5, %r6, 1000, %r5;
OUT:`+storeR5, 1, 64, 64)
	wantEach(t, got, func(i int) uint32 {
		if i%8 < 2 {
			return 9
		}
		return 48 + 100 + 24*1000
	})
}

func TestALaneWithAStoreBeforeItsEndIsRunBeforeTheVote(t *testing.T) {
	// Lane 31 leaves the loop, is let go, and stores what the others read behind the vote.
	got := results(t, `setp.eq.u32 %p1, %r0, 31; @%p1 bra OUT;
vote.sync.ballot.b32 %r2, 1, -1; ld.volatile.global.u32 %r3, [%rd0]; st.global.u32 [%rd0+4], %r3; exit;
OUT: st.volatile.global.u32 [%rd0], 77; ret;`, 1, 32, 2)
	if got[1] != 77 {
		t.Errorf("the others read %d, want 77", got[1])
	}
}
