package version

import (
	"testing"

	"kumiko/components/op"
	"kumiko/kernel/ir"
)

// setp returns an instruction that writes predicate 2 and uniform register 5.
func setp() *ir.Inst {
	in := &ir.Inst{}
	in.T.DstPreds, in.T.DstUniform = 1<<2, 1<<5
	return in
}

// guarded returns an instruction guarded by predicate 2, with uniform register 5 as a source.
func guarded() *ir.Inst {
	in := &ir.Inst{Guard: ir.Operand{Kind: ir.KindPred, Reg: 2}}
	in.T.Guarded, in.T.SrcPreds, in.T.SrcUniform = true, 1<<2, 1<<5
	return in
}

func names(k *Checker) (out string) {
	for _, v := range k.Violations() {
		out += v.Name + " "
	}
	return out
}

func TestUnderScoreboardsNothingIsReadBeforeItsWriterIsAnnounced(t *testing.T) {
	k := NewChecker(2, 8, 0)
	w := op.Op{Inst: setp(), Tag: 7, Exec: 0b11, Warp: 1}
	k.Issue(&w)
	k.AtIssue("S", 1, 0, guarded(), 0b11, false) // of another warp
	k.AtIssue("S", 2, 1, guarded(), 0b11, false)
	k.Announce(0, &op.Done{Inst: w.Inst, Tag: 7, Warp: 1})
	k.AtIssue("S", 3, 1, guarded(), 0b11, false)
	if got := names(k); got != "P2 UR5 " || k.Total() != 34 {
		t.Errorf("%s, %d lanes, want P2 of 2 lanes and UR5 of 32", got, k.Total())
	}
}

func TestLanesThatDoNotReadAPredicateAreNotCompared(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Issue(&op.Op{Inst: setp(), Tag: 7, Exec: 0b0011})
	in := guarded()
	in.T.SrcUniform = 0
	k.AtIssue("S", 2, 0, in, 0b1100, false)
	if k.Total() != 0 {
		t.Errorf("violations %v, want none", k.Violations())
	}
}

func TestAGuardThatIsFalseInAllLanesIsReadToo(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Issue(&op.Op{Inst: setp(), Tag: 7, Exec: 0b0011})
	k.AtIssue("S", 2, 0, guarded(), 0, false)
	if got := names(k); got != "P2 UR5 " {
		t.Errorf("%s, want P2 and UR5", got)
	}
}

// The guard is of lanes 2 and 3, false in both. Lanes 0 and 1 go another path, and have just written theirs.
func TestAGuardThatIsFalseInAllLanesIsNotComparedWithWritesOfAnotherPath(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Issue(&op.Op{Inst: setp(), Tag: 6, Exec: 0b1100})
	k.Issue(&op.Op{Inst: setp(), Tag: 7, Exec: 0b0011})
	in := guarded()
	in.T.SrcUniform = 0
	k.AtIssue("S", 2, 0, in, 0, false)
	if k.Total() != 0 {
		t.Errorf("violations %v, want none", k.Violations())
	}
}

// The value is at the units in cycle 10. The guard is read at issue, and not before the announcement.
func TestUnderControlWordsOperandsAreReadAtTheUnit(t *testing.T) {
	for _, c := range []struct {
		entry uint64 // the cycle before
		want  string
	}{{8, "UR5 "}, {9, ""}} {
		k := NewChecker(1, 8, 0)
		k.Timed()
		w := op.Op{Inst: setp(), Tag: 7, Exec: 0b11}
		r := w.Result()
		k.Issue(&w)
		k.Announce(0, &op.Done{Inst: w.Inst, Tag: 7})
		o := op.Op{Inst: guarded(), Tag: 8, Exec: 0b11}
		k.AtIssue("S", 5, 0, o.Inst, o.Exec, false)
		k.Issue(&o)
		if c.entry < 9 {
			k.AtUnit("U", c.entry, &o)
			k.Arrives(10, &r)
		} else {
			k.Arrives(10, &r)
			k.AtUnit("U", c.entry, &o)
		}
		if got := names(k); got != c.want {
			t.Errorf("entry after cycle %d: %q, want %q", c.entry, got, c.want)
		}
	}
}

// The order of blocks within a cycle does not matter: the arrival is told after the entry.
func TestAnArrivalInTheCycleOfTheEntryIsSeen(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Timed()
	w, o := op.Op{Inst: setp(), Tag: 7, Exec: 1}, op.Op{Inst: guarded(), Tag: 8, Exec: 1}
	r := w.Result()
	k.Issue(&w)
	k.Issue(&o)
	k.AtUnit("U", 9, &o)
	k.Arrives(10, &r)
	k.WarpStart(11, 0) // what the warp before has read is compared first
	if got := names(k); got != "" {
		t.Errorf("%s, want none", got)
	}
}

func TestOfAnInstructionThatEndsAtIssueAllIsReadThere(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Timed()
	k.Explain()
	w := setp()
	w.Sym, w.Line = "UISETP", 1
	k.Issue(&op.Op{Inst: w, Tag: 7, Exec: 1, Issued: 2})
	in := guarded()
	in.Sym, in.Line = "BRA", 2
	k.AtIssue("S", 5, 0, in, 1, true)
	want := "S: cycle 5: warp 0: UR5 lane 0: no version, want version 7: BRA at line 2 was issued 3 cycles after " +
		"UISETP at line 1, whose result it reads"
	if got := k.Violations(); len(got) != 2 || got[1].String() != want {
		t.Errorf("%v, want P2 and %s", got, want)
	}
}

func TestResultsThatNoOperationReadsAreNotKept(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Timed()
	for i := range uint64(100) {
		w := op.Op{Inst: setp(), Tag: uint32(i + 1), Exec: 1}
		r := w.Result()
		k.Issue(&w)
		k.AtUnit("U", i, &w)
		k.Arrives(i+2, &r)
		k.Announce(0, &op.Done{Inst: w.Inst, Tag: w.Tag})
	}
	if n := len(k.elsewhere.arrivals); n > 4 {
		t.Errorf("%d results are kept, want those of the last cycles", n)
	}
}
