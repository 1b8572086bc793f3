package emu

import (
	"math/bits"
	"strings"
	"testing"

	"kumiko/kernel/mem"
)

func TestABarrierSeparatesWritesFromReadsAcrossWarps(t *testing.T) {
	// Every thread reads the word written by the opposite thread before the barrier.
	got := results(t, `
	.shared .align 4 .b8 s[512];
	mov.u32 %r1, s;
	shl.b32 %r2, %r0, 2;
	add.u32 %r3, %r1, %r2;
	add.u32 %r4, %r0, 100;
	st.shared.u32 [%r3], %r4;
	bar.sync 0;
	sub.u32 %r6, 508, %r2;
	add.u32 %r6, %r6, %r1;
	ld.shared.u32 %r5, [%r6];`+storeR5, 1, 128, 128)
	wantEach(t, got, func(i int) uint32 { return uint32(127 - i + 100) })
}

func TestBarriersReleaseWithoutTheWarpsThatHaveEnded(t *testing.T) {
	got := results(t, `
	setp.ge.u32 %p1, %r0, 64;
	@%p1 exit;
	bar.sync 0;
	mov.u32 %r5, 7;`+storeR5, 1, 128, 128)
	wantEach(t, got, func(i int) uint32 { return map[bool]uint32{true: 7}[i < 64] })
}

// Warps 0 and 1 produce, 2 and 3 consume; a named barrier with a count of 128
// joins arrivals and waiters, another one with a count of 64 joins two warps.
func TestNamedBarriersCountArrivalsAndWaiters(t *testing.T) {
	got := results(t, `
	.shared .align 4 .b8 s[256];
	mov.u32 %r1, s;
	and.b32 %r2, %r0, 63;
	shl.b32 %r2, %r2, 2;
	add.u32 %r3, %r1, %r2;
	mov.u32 %r5, 1;
	setp.ge.u32 %p1, %r0, 64;
	@%p1 bra CONSUME;
	mul.lo.u32 %r4, %r0, 3;
	st.shared.u32 [%r3], %r4;
	bar.arrive 3, 128;
	bar.sync 4, 64;
	bra DONE;
CONSUME:
	bar.sync 3, 128;
	ld.shared.u32 %r5, [%r3];
DONE:`+storeR5, 1, 128, 128)
	wantEach(t, got, func(i int) uint32 {
		if i < 64 {
			return 1
		}
		return uint32(i-64) * 3
	})
}

func TestBarrierReductions(t *testing.T) {
	const n = 96
	for _, c := range []struct {
		name, inst string
		want       uint32
	}{
		{"popc", "setp.lt.u32 %p1, %r0, 50; bar.red.popc.u32 %r5, 0, %p1;", 50},
		{"popc of the complement", "setp.lt.u32 %p1, %r0, 50; bar.red.popc.u32 %r5, 0, !%p1;", n - 50},
		{"and that fails", "setp.lt.u32 %p1, %r0, 95; bar.red.and.pred %p2, 0, %p1; selp.u32 %r5, 1, 0, %p2;", 0},
		{"and that holds", "setp.lt.u32 %p1, %r0, 96; bar.red.and.pred %p2, 0, %p1; selp.u32 %r5, 1, 0, %p2;", 1},
		{"or that holds", "setp.eq.u32 %p1, %r0, 3; bar.red.or.pred %p2, 0, %p1; selp.u32 %r5, 1, 0, %p2;", 1},
		{"or that fails", "setp.gt.u32 %p1, %r0, 200; bar.red.or.pred %p2, 0, %p1; selp.u32 %r5, 1, 0, %p2;", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			wantEach(t, results(t, c.inst+storeR5, 1, n, n), func(int) uint32 { return c.want })
		})
	}
}

func TestADeadlockAtBarriersNamesWhoWaits(t *testing.T) {
	var m mem.Memory
	err := runText(t, `
	setp.ge.u32 %p1, %r0, 32;
	@%p1 bra OTHER;
	bar.sync 1, 64;
	ret;
OTHER:
	bar.sync 2, 64;
	ret;`, 1, 64, &m, m.Alloc("out", 4))
	wantError(t, err, "kernel k", "CTA (0,0,0)",
		"warp 0 waits at barrier 1, where 1 of 2 warps have arrived (test.ptx:13",
		"warp 1 waits at barrier 2, where 1 of 2 warps have arrived (test.ptx:16")
}

func TestABarrierNumberOutOfRangeIsAnError(t *testing.T) {
	var m mem.Memory
	err := runText(t, "add.u32 %r1, %r0, 16;\nbar.sync %r1;\nret;", 1, 32, &m, m.Alloc("out", 4))
	wantError(t, err, "test.ptx:11", "barrier 16")
}

// wantError checks that an error contains every part.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("error %q does not say %q", err, p)
		}
	}
}

func TestShufflesFollowTheirModesAndClamp(t *testing.T) {
	// c = 0x1f: the whole warp; 0x181f: segments of eight lanes; up has clamp 0.
	for _, c := range []struct {
		mode, b, c string
		want       func(i int) int
	}{
		{"up", "3", "0", func(i int) int { return i - 3 }},
		{"down", "5", "31", func(i int) int { return i + 5 }},
		{"bfly", "6", "31", func(i int) int { return i ^ 6 }},
		{"idx", "9", "31", func(i int) int { return 9 }},
		{"up", "3", "0x1800", func(i int) int { return seg(i, i-3) }},
		{"down", "3", "0x181f", func(i int) int { return seg(i, i+3) }},
		{"idx", "2", "0x181f", func(i int) int { return i&^7 | 2 }},
		{"bfly", "16", "0x181f", func(i int) int { return seg(i, i^16) }},
	} {
		got := results(t, `
	add.u32 %r1, %r0, 1000;
	shfl.`+c.mode+`.b32 %r5|%p1, %r1, `+c.b+`, `+c.c+`;
	@%p1 add.u32 %r5, %r5, 5000;`+storeR5, 1, 32, 32)
		wantEach(t, got, func(i int) uint32 {
			j := c.want(i)
			if j < 0 || j > 31 {
				return uint32(1000 + i) // out of range: its own value
			}
			return uint32(6000 + j)
		})
	}
}

// seg returns j, or -1 if j is outside the segment of eight lanes around i. Towards lower lanes, a butterfly by 16
// stays below the limit.
func seg(i, j int) int {
	if j > i|7 || j < i&^7 && j > i-8 {
		return -1
	}
	return j
}

// alone returns member for a lane in the membermask, and own otherwise.
func alone(lane int, mask, member, own uint32) uint32 {
	if mask>>lane&1 != 0 {
		return member
	}
	return own
}

func TestVotesAndMatches(t *testing.T) {
	for _, c := range []struct {
		name, inst string
		want       func(i int) uint32
	}{
		{"ballot", "setp.lt.u32 %p1, %r0, 5; vote.sync.ballot.b32 %r5, %p1, 0xffffffff;",
			func(int) uint32 { return 31 }},
		{"ballot within a mask", "setp.lt.u32 %p1, %r0, 5; vote.sync.ballot.b32 %r5, %p1, 0x3;",
			func(i int) uint32 { return alone(i, 3, 3, map[bool]uint32{true: 1 << i}[i < 5]) }},
		{"all", "setp.lt.u32 %p1, %r0, 5; vote.sync.all.pred %p2, %p1, 0xffffffff; selp.u32 %r5, 1, 0, %p2;",
			func(int) uint32 { return 0 }},
		{"any", "setp.lt.u32 %p1, %r0, 5; vote.sync.any.pred %p2, %p1, 0xffffffff; selp.u32 %r5, 1, 0, %p2;",
			func(int) uint32 { return 1 }},
		{"uni", "setp.lt.u32 %p1, %r0, 99; vote.sync.uni.pred %p2, %p1, 0xffffffff; selp.u32 %r5, 1, 0, %p2;",
			func(int) uint32 { return 1 }},
		{"uni that fails", "setp.lt.u32 %p1, %r0, 9; vote.sync.uni.pred %p2, !%p1, 0xffffffff; selp.u32 %r5, 1, 0, " +
			"%p2;", func(int) uint32 { return 0 }},
		{"match.any", "and.b32 %r1, %r0, 3; match.any.sync.b32 %r5, %r1, 0xffffffff;",
			func(i int) uint32 { return 0x11111111 << (i & 3) }},
		{"match.all that fails", "match.all.sync.b32 %r5|%p1, %r0, 0xffffffff; @%p1 add.u32 %r5, %r5, 1;",
			func(int) uint32 { return 0 }},
		{"match.all that holds", "shr.u32 %r1, %r0, 5; match.all.sync.b32 %r5|%p1, %r1, 0xffffffff; @%p1 add.u32 " +
			"%r5, %r5, 2;", func(int) uint32 { return 1 }},
		{"activemask", "setp.lt.u32 %p1, %r0, 7; mov.u32 %r5, 0; @%p1 activemask.b32 %r5;",
			func(i int) uint32 { return map[bool]uint32{true: 127}[i < 7] }},
		{"redux.add", "redux.sync.add.s32 %r5, %r0, 0xffffffff;", func(int) uint32 { return 496 }},
		{"redux.max", "neg.s32 %r1, %r0; redux.sync.max.s32 %r5, %r1, 0xffffffff;", func(int) uint32 { return 0 }},
		{"redux.min", "neg.s32 %r1, %r0; redux.sync.min.u32 %r5, %r1, 0xfffffffe;",
			func(i int) uint32 { return alone(i, 0xfffffffe, 0xffffffe1, 0) }},
		{"redux.xor", "redux.sync.xor.b32 %r5, %r0, 0xffff;",
			func(i int) uint32 { return alone(i, 0xffff, 0, uint32(i)) }},
		{"redux.or", "redux.sync.or.b32 %r5, %r0, 0xffff;",
			func(i int) uint32 { return alone(i, 0xffff, 15, uint32(i)) }},
	} {
		t.Run(c.name, func(t *testing.T) { wantEach(t, results(t, c.inst+storeR5, 1, 32, 32), c.want) })
	}
}

func TestLaneMasksAndSpecialRegisters(t *testing.T) {
	for reg, want := range map[string]func(i int) uint32{
		"%laneid":          func(i int) uint32 { return uint32(i % 32) },
		"%warpid":          func(i int) uint32 { return uint32(i / 32) },
		"%nwarpid":         func(i int) uint32 { return 2 },
		"%ntid.x":          func(i int) uint32 { return 48 },
		"%nctaid.x":        func(i int) uint32 { return 1 },
		"%lanemask_eq":     func(i int) uint32 { return 1 << (i % 32) },
		"%lanemask_lt":     func(i int) uint32 { return 1<<(i%32) - 1 },
		"%lanemask_le":     func(i int) uint32 { return 1<<(i%32) - 1 | 1<<(i%32) },
		"%lanemask_gt":     func(i int) uint32 { return bits.Reverse32(1<<(31-i%32) - 1) },
		"%lanemask_ge":     func(i int) uint32 { return bits.Reverse32(1<<(31-i%32)-1) | 1<<(i%32) },
		"%smid":            func(i int) uint32 { return 0 },
		"%nsmid":           func(i int) uint32 { return 1 },
		"%total_smem_size": func(i int) uint32 { return 0 },
	} {
		t.Run(reg, func(t *testing.T) {
			wantEach(t, results(t, "mov.u32 %r5, "+reg+";"+storeR5, 1, 48, 48), want)
		})
	}
}

// The clock counts the instructions of the warp before it.
func TestTheClockCountsTheWarpsInstructions(t *testing.T) {
	got := results(t, `
	mov.u32 %r1, %clock;
	add.u32 %r3, %r0, 1;
	add.u32 %r3, %r0, 1;
	mov.u32 %r2, %clock;
	sub.u32 %r5, %r2, %r1;`+storeR5, 1, 32, 32)
	wantEach(t, got, func(int) uint32 { return 3 })
}

// Lanes 4 to 7 and those from 8 on come to the barrier by two ways, lanes 0 to 3 leave before it, and lane 5 goes round
// it. Only lane 6 has a true predicate.
func TestLanesOnSeveralPathsShareABarriersReduction(t *testing.T) {
	for _, c := range []struct {
		name, op string
		want     uint32
	}{
		{"or", "bar.red.or.pred %p4, 0, %p5; selp.u32 %r5, 1, 0, %p4;", 1},
		{"and", "bar.red.and.pred %p4, 0, !%p5; selp.u32 %r5, 1, 0, %p4;", 0},
		{"popc", "bar.red.popc.u32 %r5, 0, %p5;", 1},
	} {
		var m mem.Memory
		a := m.Alloc("a", 4*64)
		err := runLimited(t, Limits{}, `
mov.u32 %r5, 7; setp.eq.u32 %p5, %r0, 6;
mul.wide.u32 %rd1, %r0, 4; add.u64 %rd1, %rd1, %rd0;
setp.lt.u32 %p1, %r0, 8; @!%p1 bra S;
setp.lt.u32 %p2, %r0, 4; @!%p2 bra S;
st.global.u32 [%rd1], %r5; ret;
S: setp.eq.u32 %p3, %r0, 5; @%p3 bra L;
`+c.op+`
L: st.global.u32 [%rd1], %r5; ret;`, 1, 64, &m, a)
		if err != nil {
			t.Fatal(err)
		}
		for i, got := range words(t, &m, a, 64) {
			want := c.want
			if i < 4 || i == 5 {
				want = 7
			}
			if got != want {
				t.Errorf("%s: thread %d has %d, want %d", c.name, i, got, want)
			}
		}
	}
}
