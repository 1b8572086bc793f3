package emu

import (
	"errors"
	"testing"

	"kumiko/kernel/mem"
)

// sides runs a kernel on a warp once as parsed and once as compiled, and returns the result %r1 of each thread.
func sides(t *testing.T, body string) ([]uint32, error) {
	t.Helper()
	got, err := recursive(t, fibonacci, body, Limits{})
	if err != nil {
		return nil, err
	}
	return got[:32], nil
}

func wantSides(t *testing.T, body string, want func(i int) uint32) {
	t.Helper()
	got, err := sides(t, body)
	if err != nil {
		t.Fatal(err)
	}
	wantEach(t, got, want)
}

// quarters branches by the quarter of the warp: to the labels A to C, and on for the last one.
const quarters = `shr.u32 %r2, %r0, 3; setp.eq.u32 %p0, %r2, 0; setp.eq.u32 %p1, %r2, 1; setp.eq.u32 %p2, %r2, 2;
setp.gt.u32 %p3, %r0, 31; @%p3 exit;
`

func TestPathsWithinPathsMeetInAVote(t *testing.T) {
	vote := "setp.eq.u32 %p3, %r3, 1; vote.sync.ballot.b32 %r1, %p3, -1;"
	wantSides(t, quarters+`and.b32 %r3, %r0, 1; @%p0 bra A; @%p1 bra B;
@%p2 bra C; `+vote+` bra.uni D;
C: add.u32 %r4, %r0, 5; `+vote+`
D: bra.uni E;
A: `+vote+` bra.uni E;
B: `+vote+`
E: `, func(int) uint32 { return 0xaaaaaaaa })
}

func TestPathsMeetAgainAndAgain(t *testing.T) {
	wantSides(t, quarters+`mov.u32 %r1, %r0; mov.u32 %r5, 0; @%p0 bra A;
L: shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1; redux.sync.add.s32 %r6, %r5, -1; add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 5;
@%p1 bra L; bra.uni E;
A: mov.u32 %r7, 0;
M: shfl.sync.bfly.b32 %r1, %r1, 1, 31, -1; redux.sync.add.s32 %r6, %r7, -1; add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 5;
@%p1 bra M;
E: mad.lo.s32 %r1, %r6, 1000, %r1;`, func(i int) uint32 { return 128*1000 + uint32(i^1) })
}

func TestLanesInAFunctionThatCallsItselfMeetLanesElsewhere(t *testing.T) {
	const down = `.func (.param .b32 o) down(.param .b32 n) {
.reg .b32 %r<8>; .reg .pred %p;
ld.param.u32 %r1, [n]; setp.eq.u32 %p, %r1, 0; @%p bra END;
{ .param .b32 a; .param .b32 b; sub.u32 %r2, %r1, 1; st.param.b32 [a], %r2; call.uni (b), down, (a); ld.param.b32 %r3, [b]; }
st.param.b32 [o], %r3; ret;
END: redux.sync.add.s32 %r4, 1, -1; st.param.b32 [o], %r4; ret; }
`
	got, err := recursive(t, down, quarters+`@%p0 bra A;
{ .param .b32 a; .param .b32 b; and.b32 %r2, %r0, 3; st.param.b32 [a], %r2; call.uni (b), down, (a); ld.param.b32 %r1, [b]; }
bra.uni E;
A: redux.sync.add.s32 %r1, 1, -1;
E: activemask.b32 %r3; popc.b32 %r3, %r3; mad.lo.s32 %r1, %r3, 100, %r1;`, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	wantEach(t, got[:32], func(int) uint32 { return 32*100 + 32 })
}

// What one side has stored before the barrier the other one loads behind it.
func TestABarrierOfAWarpOrdersTheAccessesOfSides(t *testing.T) {
	wantSides(t, quarters+`.shared .b32 s[32]; shl.b32 %r3, %r0, 2; mov.u32 %r4, s; add.u32 %r3, %r3, %r4; xor.b32 %r5, %r3, 64;
@%p0 bra A; @%p1 bra A;
st.shared.u32 [%r3], %r0; bar.warp.sync -1; ld.shared.u32 %r1, [%r5]; bra.uni E;
A: add.u32 %r6, %r0, 100; st.shared.u32 [%r3], %r6; bar.warp.sync -1; ld.shared.u32 %r1, [%r5]; add.u32 %r1, %r1, 1000;
E:`, func(i int) uint32 {
		if i < 16 {
			return uint32(i) + 16 + 1000
		}
		return uint32(i) - 16 + 100
	})
}

func TestLanesDoNotWaitForLanesThatExitMeanwhile(t *testing.T) {
	got := results(t, `setp.lt.u32 %p1, %r0, 16; setp.lt.u32 %p3, %r0, 24;
@%p1 bra A; vote.sync.ballot.b32 %r5, %p3, -1; bra.uni C;
A: exit;
C: `+storeR5, 1, 32, 32)
	wantEach(t, got[16:], func(int) uint32 { return 0xff0000 })
}

func TestLanesThatCannotMeetStopTheLaunchWithThePlace(t *testing.T) {
	const halves = "setp.lt.u32 %p1, %r0, 16; setp.lt.u32 %p3, %r0, 24;\n"
	for name, c := range map[string]struct{ body, at, want string }{
		"another vote": {"@%p1 bra A;\nvote.sync.any.pred %p2, %p3, -1;\nbra.uni C;\n" +
			"A: vote.sync.all.pred %p2, %p3, -1;\nC: ret;", "14:4",
			"vote.pred: lanes 0-15 wait with the membermask 0xffffffff for lanes 16-31, which cannot come: " +
				"lane 16 waits in vote.pred with the membermask 0xffffffff at test.ptx:12:1"},
		"another membermask": {"@%p1 bra A;\nbar.warp.sync -1;\nbra.uni C;\nA: bar.warp.sync 0x3ffff;\nC: ret;", "14:4",
			"bar.warp: lanes 0-15 wait with the membermask 0x3ffff for lanes 16-17, which cannot come: " +
				"lane 16 waits in bar.warp with the membermask 0xffffffff at test.ptx:12:1"},
	} {
		t.Run(name, func(t *testing.T) {
			var m mem.Memory
			err := runText(t, halves+c.body, 1, 32, &m)
			var hang *HangError
			want := "test.ptx:" + c.at + ": kernel k, CTA (0,0,0), warp 0: " + c.want
			if !errors.As(err, &hang) || err.Error() != want {
				t.Errorf("found %v, want the hang\n%s", err, want)
			}
		})
	}
}
