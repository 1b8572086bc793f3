package emu

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/mem"
)

// locks are ways to take the lock at [%rd0] and to count in [%rd0+4] under it.
var locks = map[string]string{
	"compare and swap": `
TAKE: atom.global.cas.b32 %r2, [%rd0], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra TAKE;`,
	"exchange": `
TAKE: atom.global.exch.b32 %r2, [%rd0], 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra TAKE;`,
	"counting the attempts": `mov.u32 %r6, 0;
TAKE: add.u32 %r6, %r6, 1; atom.global.cas.b32 %r2, [%rd0], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra TAKE;`,
	"counting the attempts in memory": `
TAKE: atom.global.add.u32 %r6, [%rd0+8], 1; atom.global.cas.b32 %r2, [%rd0], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra TAKE;`,
	"a read before the attempt": `
TAKE: ld.volatile.global.u32 %r2, [%rd0]; setp.ne.u32 %p1, %r2, 0; @%p1 bra TAKE;
atom.global.cas.b32 %r2, [%rd0], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra TAKE;`,
	"waiting longer and longer": `mov.u32 %r6, 8;
TAKE: atom.global.cas.b32 %r2, [%rd0], 0, 1; setp.eq.u32 %p1, %r2, 0; @%p1 bra TAKEN;
nanosleep.u32 %r6; setp.lt.u32 %p2, %r6, 256; @%p2 shl.b32 %r6, %r6, 1; bra TAKE;
TAKEN:`,
	"a ticket": `
atom.global.add.u32 %r6, [%rd0+8], 1;
TAKE: ld.volatile.global.u32 %r2, [%rd0+12]; setp.ne.u32 %p1, %r2, %r6; @%p1 bra TAKE;`,
}

const count = `
ld.volatile.global.u32 %r3, [%rd0+4]; add.u32 %r3, %r3, 1; st.volatile.global.u32 [%rd0+4], %r3; membar.gl;
atom.global.add.u32 %r4, [%rd0+12], 1; atom.global.exch.b32 %r4, [%rd0], 0;
`

func TestTheLanesOfAWarpTakeALockInTurn(t *testing.T) {
	for name, take := range locks {
		for behind, end := range map[string]string{
			"and end":  "ret;",
			"and meet": "bar.warp.sync -1; ret;",
			"at a barrier too": "bar.sync 0; ld.volatile.global.u32 %r3, [%rd0+4];\n" +
				"red.global.min.u32 [%rd0+16], %r3; ret;",
		} {
			t.Run(name+" "+behind, func(t *testing.T) {
				var m mem.Memory
				a := m.Alloc("a", 32)
				copy(mustBytes(t, &m, a+16, 4), "\xff\xff\xff\xff")
				if err := runLimited(t, Limits{}, take+count+end, 3, 64, &m, a); err != nil {
					t.Fatal(err)
				}
				got := words(t, &m, a, 8)
				if got[0] != 0 || got[1] != 3*64 {
					t.Errorf("lock %d, counter %d; want 0 and %d", got[0], got[1], 3*64)
				}
				if got[4] != ^uint32(0) && got[4] < 64 {
					t.Errorf("a thread is behind the barrier after %d of its CTA's 64", got[4])
				}
			})
		}
	}
}

// The first warp spins, with the lock taken by a lane that waits for the others at the end of its loop. The second
// counts its attempts, so that it runs whenever it can.
func TestALaneWithTheLockGoesOnWhileAnotherWarpCounts(t *testing.T) {
	const body = `
setp.ge.u32 %p3, %r0, 32; @%p3 bra COUNTS;
TAKE: atom.global.cas.b32 %r2, [%rd0], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra TAKE;
bra.uni TAKEN;
COUNTS: mov.u32 %r6, 0;
AGAIN: add.u32 %r6, %r6, 1; atom.global.exch.b32 %r2, [%rd0], 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra AGAIN;
TAKEN:` + count + `ret;`
	var m mem.Memory
	a := m.Alloc("a", 32)
	if err := runLimited(t, Limits{WarpInsts: 1 << 16}, body, 1, 64, &m, a); err != nil {
		t.Fatal(err)
	}
	if got := words(t, &m, a, 2); got[0] != 0 || got[1] != 64 {
		t.Errorf("lock %d, counter %d; want 0 and 64", got[0], got[1])
	}
}

func mustBytes(t *testing.T, m *mem.Memory, addr uint64, n int) []byte {
	t.Helper()
	b, err := m.Bytes(addr, n)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Each lane waits for the one before it: 31 first.
func TestALaneWaitsForTheStoreOfAnotherLane(t *testing.T) {
	for name, c := range map[string]struct{ body string }{
		"one after the other, from the last": {`add.u32 %r1, %r0, 1; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd0, %rd1;
setp.eq.u32 %p1, %r0, 31; @%p1 bra GO;
L: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0; @%p2 bra L;
GO: sub.u32 %r5, 40, %r0;` + storeR5},
		"without volatile": {`add.u32 %r1, %r0, 1; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd1, %rd0, %rd1;
setp.eq.u32 %p1, %r0, 31; @%p1 bra GO;
L: ld.global.u32 %r2, [%rd1]; setp.eq.u32 %p2, %r2, 0; @%p2 bra L;
GO: sub.u32 %r5, 40, %r0;` + storeR5},
		"in two loops that wait for each other": {`sub.u32 %r5, 40, %r0; setp.eq.u32 %p1, %r0, 31; @%p1 bra LAST;
L: ld.volatile.global.u32 %r2, [%rd0+124]; setp.eq.u32 %p2, %r2, 0; @%p2 bra L;
mul.wide.u32 %rd8, %r0, 4; add.u64 %rd8, %rd0, %rd8; st.volatile.global.u32 [%rd8], %r5; bra END;
LAST: st.volatile.global.u32 [%rd0+124], 9;
M: ld.volatile.global.u32 %r2, [%rd0]; setp.eq.u32 %p2, %r2, 0; @%p2 bra M;
END: sub.u32 %r5, 40, %r0;` + storeR5},
	} {
		t.Run(name, func(t *testing.T) {
			var m mem.Memory
			a := m.Alloc("out", 4*33)
			if err := runText(t, c.body, 1, 32, &m, a); err != nil {
				t.Fatal(err)
			}
			wantEach(t, words(t, &m, a, 32), func(i int) uint32 { return uint32(40 - i) })
		})
	}
}

// Three lanes hand a word on, and each spins for the one before it: no path may be left out.
func TestSpinningPathsTakeTurnsFairly(t *testing.T) {
	got := results(t, `mov.u32 %r5, 0; setp.gt.u32 %p1, %r0, 2; @%p1 bra END;
setp.eq.u32 %p2, %r0, 1; setp.eq.u32 %p3, %r0, 2; @%p2 bra B; @%p3 bra C;
A: ld.volatile.global.u32 %r2, [%rd0+256]; rem.u32 %r3, %r2, 3; setp.ne.u32 %p4, %r3, 0; @%p4 bra A;
add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd0+256], %r2; add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 9; @%p4 bra A; bra END;
B: ld.volatile.global.u32 %r2, [%rd0+256]; rem.u32 %r3, %r2, 3; setp.ne.u32 %p4, %r3, 1; @%p4 bra B;
add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd0+256], %r2; add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 9; @%p4 bra B; bra END;
C: ld.volatile.global.u32 %r2, [%rd0+256]; rem.u32 %r3, %r2, 3; setp.ne.u32 %p4, %r3, 2; @%p4 bra C;
add.u32 %r2, %r2, 1; st.volatile.global.u32 [%rd0+256], %r2; add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 9; @%p4 bra C;
END:`+storeR5, 1, 32, 65)
	if got[64] != 27 {
		t.Errorf("the word is %d, want 27", got[64])
	}
}

// A lane that spins and one that waits in a vote for it.
func TestALaneInAVoteAndOneThatSpinsForAnotherGoOn(t *testing.T) {
	got := results(t, `setp.eq.u32 %p1, %r0, 0; setp.eq.u32 %p2, %r0, 1; @%p1 bra SPIN; @%p2 bra STORE;
bra VOTE;
SPIN: ld.volatile.global.u32 %r2, [%rd0+128]; setp.eq.u32 %p3, %r2, 0; @%p3 bra SPIN; bra VOTE;
STORE: st.volatile.global.u32 [%rd0+128], 1;
VOTE: vote.sync.ballot.b32 %r5, 1, -1;`+storeR5, 1, 32, 33)
	wantEach(t, got[:32], func(int) uint32 { return ^uint32(0) })
}

func TestWithoutIndependentThreadsASpinningLaneKeepsItsWarpWaiting(t *testing.T) {
	var m mem.Memory
	var hang *HangError
	err := runLimited(t, Limits{LockStep: true}, locks["compare and swap"]+count+"ret;", 1, 64, &m, m.Alloc("a", 32))
	wantError(t, err, "kernel k", "CTA (0,0,0)", "no warp can go on", "warp 0 spins (test.ptx:11:", "in lanes 1-31",
		"lane 0 waits for the other lanes at test.ptx:12:", "lanes of one warp wait for each other",
		"sm.independent_threads")
	if !errors.As(err, &hang) {
		t.Errorf("found %T, want a hang", err)
	}
}

func TestALaneThatSpinsForAnotherThatSpinsStopsTheLaunch(t *testing.T) {
	var m mem.Memory
	err := runText(t, `setp.eq.u32 %p1, %r0, 0; @%p1 bra A;
B: ld.volatile.global.u32 %r2, [%rd0]; setp.eq.u32 %p2, %r2, 0; @%p2 bra B; bra END;
A: ld.volatile.global.u32 %r2, [%rd0+4]; setp.eq.u32 %p2, %r2, 0; @%p2 bra A;
END: ret;`, 1, 32, &m, m.Alloc("a", 8))
	wantError(t, err, "no warp can go on", "warp 0 spins", "lanes of one warp wait for each other")
}

func TestTheTurnsOfLanesAreTheSameInEveryRun(t *testing.T) {
	runs := func() any {
		var m mem.Memory
		e := begin(t, Runner{Mem: &m}, textLaunch(kernelText(t, 1, locks["compare and swap"]+count+"bar.sync 0; ret;"),
			2, 64, m.Alloc("a", 32)))
		out := [][]uint32{}
		for _, c := range collect(t, e) {
			for _, w := range c.Warps {
				for _, r := range w.Runs {
					out = append(out, []uint32{r.PC, r.N, r.Mask})
				}
			}
		}
		return out
	}
	if diff := cmp.Diff(runs(), runs()); diff != "" {
		t.Errorf("two runs have different streams:\n%s", diff)
	}
}
