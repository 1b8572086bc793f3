package marks

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/kernel/ir"
)

// dead returns the Dead bits of a program. varying marks its divergent branches; nil: all.
func dead(varying []bool, insts ...ir.Inst) []uint16 {
	k := kernel(insts...)
	k.Varying = varying
	Dead(k)
	var out []uint16
	for i := range k.Insts {
		out = append(out, k.Insts[i].T.Dead)
	}
	return out
}

func jump(to int) ir.Inst { return ir.Inst{Op: ir.OpBra, Target: to} }

func wantDead(t *testing.T, what string, got []uint16, want ...uint16) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s: %s", what, d)
	}
}

func TestTheLastReadInStraightCodeIsDead(t *testing.T) {
	// R0 is read for the last time at 1, both times it is named; R1 at 2, while
	// 3 needs nothing.
	wantDead(t, "dead", dead(nil, mov(0, ir.Imm(1, 1)), add(1, 0, 0), store(1, 1), exit), 0, 3, 3, 0)
}

func TestAValueThatItsReaderOverwritesIsDead(t *testing.T) {
	wantDead(t, "dead", dead(nil, mov(0, ir.Imm(1, 1)), add(0, 0, 1), store(0, 0), exit), 0, 3, 3, 0)
	// Under a guard some lanes keep the old value, read by the store.
	guarded := add(0, 0, 1)
	guarded.Guard = ir.P(0)
	wantDead(t, "guarded", dead(nil, mov(0, ir.Imm(1, 1)), guarded, store(0, 0), exit), 0, 2, 3, 0)
}

func TestAValueOverwrittenByItsReaderIsKeptForLanesElsewhere(t *testing.T) {
	// 0: if p goto 2, 1: R0 = R0+R1, 2: st [R0] R0, 3: exit. Lanes wait at 2 with the
	// old R0, but need R1 no more.
	prog := []ir.Inst{bra(2), add(0, 0, 1), store(0, 0), exit}
	wantDead(t, "varying", dead(nil, prog...), 0, 2, 3, 0)
	wantDead(t, "uniform", dead([]bool{false}, prog...), 0, 3, 3, 0)
}

func TestBehindAnEarlyExitNobodyElseNeedsAnything(t *testing.T) {
	// 0: if p goto 3, 1: R1 = R0+R0, 2: st [R1] R1, 3: exit. The branching lanes are at 3, where nothing is live.
	wantDead(t, "dead", dead(nil, bra(3), add(1, 0, 0), store(1, 1), exit), 0, 3, 3, 0)
	// The same with 3 past the end.
	wantDead(t, "at the end", dead(nil, bra(3), add(1, 0, 0), store(1, 1)), 0, 3, 3)
}

func TestWhatIsNeededWhereTheLanesMeetDoesNotDieBefore(t *testing.T) {
	// 0: if p goto 3, 1: R2 = R0+R1, 2: st [R2] R2, 3: st [R0] R0, 4: exit. R0 is never overwritten: live behind 1.
	// With R0 written at 2 it is dead for the lanes at 1, but the lanes at 3 need it.
	wantDead(t, "live behind", dead(nil, bra(3), add(2, 0, 1), store(2, 2), store(0, 0), exit), 0, 2, 3, 3, 0)
	wantDead(t, "written", dead(nil, bra(3), add(2, 0, 1), mov(0, ir.Imm(1, 1)), store(0, 0), exit), 0, 2, 0, 3, 0)
	wantDead(t, "uniform", dead([]bool{false}, bra(3), add(2, 0, 1), mov(0, ir.Imm(1, 1)), store(0, 0), exit), 0, 3, 0,
		3, 0)
}

func TestWhatTheOtherSideReadsDoesNotDieOnThisOne(t *testing.T) {
	// 0: if p goto 4, 1: R2 = R0+R1, 2: st [R2] R2, 3: goto 6, 4: R3 = R0+R4,
	// 5: st [R3] R3, 6: exit. R0 is both sides', R1 and R4 are one's.
	prog := []ir.Inst{bra(4), add(2, 0, 1), store(2, 2), jump(6), add(3, 0, 4), store(3, 3), exit}
	wantDead(t, "varying", dead([]bool{true, false}, prog...), 0, 2, 3, 0, 2, 3, 0)
	wantDead(t, "uniform", dead([]bool{false, false}, prog...), 0, 3, 3, 0, 3, 3, 0)
}

func TestAValueWrittenOnBothSidesIsKeptForLanesWaitingWithIt(t *testing.T) {
	// 0: if p goto 3, 1: R0 = 1, 2: goto 5, 3: st [R1] R0, 4: R0 = 2, 5: st [R1] R0,
	// 6: exit. At 3 lanes may wait at 5 with the R0 of 1.
	prog := []ir.Inst{bra(3), mov(0, ir.Imm(1, 1)), jump(5), store(1, 0), mov(0, ir.Imm(2, 1)), store(1, 0), exit}
	wantDead(t, "varying", dead([]bool{true, false}, prog...), 0, 0, 0, 0, 0, 3, 0)
	wantDead(t, "uniform", dead([]bool{false, false}, prog...), 0, 0, 0, 2, 0, 3, 0)
}

func TestWhatTheNextTurnReadsFirstMayDieThoughOthersHaveLeft(t *testing.T) {
	// A loop with a break: 0: R1 = R0+R0, 1: if p goto 4, 2: st [R1] R1,
	// 3: if p goto 0, 4: st [R2] R2, 5: exit. R1 is each turn's own, R0 is every
	// turn's, R2 is wanted behind the loop.
	wantDead(t, "dead", dead(nil, add(1, 0, 0), bra(4), store(1, 1), bra(0), store(2, 2), exit), 0, 0, 3, 0, 3, 0)
	// With R1 stored behind the loop, the lanes already there need theirs.
	wantDead(t, "left with it", dead(nil, add(1, 0, 0), bra(4), store(1, 1), bra(0), store(1, 1), exit), 0, 0, 0, 0, 3,
		0)
}

func TestInANestedBranchTheLanesOfBothBranchesCount(t *testing.T) {
	// 0: if p goto 6, 1: if p goto 4, 2: R4 = R0+R1, 3: R4 = R2+R3, 4: st [R5] R4,
	// 5: goto 7, 6: st [R0] R3, 7: exit. At 2 and 3 lanes may wait at 4 and at 6,
	// where R0 and R3 are wanted; at 6 they may at 1.
	prog := []ir.Inst{bra(6), bra(4), add(4, 0, 1), add(4, 2, 3), store(5, 4), jump(7), store(0, 3), exit}
	wantDead(t, "both vary", dead([]bool{true, true, false}, prog...), 0, 0, 2, 1, 3, 0, 0, 0)
	wantDead(t, "the outer one does not", dead([]bool{false, true, false}, prog...), 0, 0, 3, 3, 3, 0, 3, 0)
	// An inner branch with lanes waiting with the R4 of before.
	prog[3] = mov(4, ir.Imm(1, 1))
	prog[2] = add(3, 4, 4)
	wantDead(t, "the inner one varies", dead([]bool{false, true, false}, prog...), 0, 0, 0, 0, 3, 0, 3, 0)
	wantDead(t, "none does", dead([]bool{false, false, false}, prog...), 0, 0, 3, 0, 3, 0, 3, 0)
}

func TestATableOfTargetsIsABranchToEachOfThem(t *testing.T) {
	// 0: one of 1, 3, 5 by R7; 1: st [R0] R1, 2: exit, 3: st [R0] R2, 4: exit,
	// 5: exit.
	brx := ir.Inst{Op: ir.OpBrx, Src: []ir.Operand{r(7)}, Targets: []int{1, 3, 5}}
	prog := []ir.Inst{brx, store(0, 1), exit, store(0, 2), exit, exit}
	// Sources of a store: value and address.
	got := dead([]bool{true}, prog...)
	all := dead([]bool{false}, prog...)
	k := kernel(prog...)
	for _, pc := range []int{1, 3} {
		for i := range k.Insts[pc].T.NSrc {
			want := k.Insts[pc].T.Src[i] != 0
			if got[pc]>>i&1 != 0 != want || all[pc]>>i&1 == 0 {
				t.Errorf("R%d at %d: dead %b, where all go the same way %b", k.Insts[pc].T.Src[i], pc, got[pc], all[pc])
			}
		}
	}
}

func TestATargetThatATableNamesTwiceIsTwoPaths(t *testing.T) {
	// 0: one of 1, 1, 3 by R7; 1: st [R0] R1, 2: exit, 3: exit. While some lanes are
	// at 1 others may wait there.
	brx := ir.Inst{Op: ir.OpBrx, Src: []ir.Operand{r(7)}, Targets: []int{1, 1, 3}}
	wantDead(t, "twice", dead(nil, brx, store(0, 1), exit, exit), 1, 0, 0, 0)
	brx.Targets = []int{1, 3, 3}
	wantDead(t, "once", dead(nil, brx, store(0, 1), exit, exit), 1, 3, 0, 0)
}
