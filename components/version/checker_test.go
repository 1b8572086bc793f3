package version

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/kernel/ir"
)

func inst(dst []ir.RegID, src ...ir.RegID) *ir.Inst {
	in := &ir.Inst{}
	in.T.NSrc, in.T.NDst = uint8(copy(in.T.Src[:], src)), uint8(copy(in.T.Dst[:], dst))
	return in
}

func TestAnOperandMustHoldTheVersionThatWasNewestAtIssue(t *testing.T) {
	k := NewChecker(2, 8, 0)
	w1 := op.Op{Inst: inst([]ir.RegID{3}), Tag: 1, Exec: FullMask, Warp: 1}
	r := op.Op{Inst: inst(nil, 3), Tag: 2, Exec: FullMask, Warp: 1}
	w2 := op.Op{Inst: inst([]ir.RegID{3}), Tag: 3, Exec: FullMask, Warp: 1}
	for _, o := range []*op.Op{&w1, &r, &w2} {
		k.Issue(o)
	}
	old := Content{Seq: 1, Lanes: FullMask}
	k.Operand("Unit", 9, &r, 0, &old)
	if k.Total() != 0 {
		t.Fatalf("version 1 is right for operation 2: %v", k.Violations())
	}
	early := Content{Seq: 3, Lanes: FullMask}
	k.Operand("Unit", 9, &r, 0, &early)
	if k.Total() != 32 || k.Violations()[5].Lane != 5 {
		t.Fatalf("a write that came too early: %d violations", k.Total())
	}
}

func TestAViolationNamesBlockCycleWarpRegisterAndLane(t *testing.T) {
	k := NewChecker(4, 8, 0)
	w := op.Op{Inst: inst([]ir.RegID{5}), Tag: 7, Exec: 0xff, Warp: 2}
	r := op.Op{Inst: inst(nil, 1, 5), Tag: 8, Exec: 0xf, Warp: 2}
	k.Issue(&w)
	k.Issue(&r)
	found := Content{Seq: 7, Lanes: 0xff}.Write(4, 1<<2)
	k.Operand("SM[0].Collector[1]", 33, &r, 1, &found)
	want := []Violation{{Block: "SM[0].Collector[1]", Cycle: 33, Warp: 2, Register: 5, Lane: 2, Expected: 7, Found: 4}}
	if d := cmp.Diff(want, k.Violations()); d != "" {
		t.Fatal(d)
	}
	if s := want[0].String(); s != "SM[0].Collector[1]: cycle 33: warp 2: R5 lane 2: version 4, want version 7" {
		t.Fatal(s)
	}
}

func TestLanesThatDoNotExecuteOrWereNeverWrittenAreNotChecked(t *testing.T) {
	k := NewChecker(1, 8, 0)
	w := op.Op{Inst: inst([]ir.RegID{0}), Tag: 1, Exec: 0x0f}
	k.Issue(&w)
	r := op.Op{Inst: inst(nil, 0), Tag: 2, Exec: 0xfc}
	k.Issue(&r)
	found := Content{Seq: 1, Lanes: 0x0c} // lanes 0, 1 do not execute; 4 to 7 are not written
	k.Operand("B", 1, &r, 0, &found)
	if k.Total() != 0 {
		t.Fatal(k.Violations())
	}
}

func TestAStartingWarpHasNoVersions(t *testing.T) {
	k := NewChecker(2, 8, 0)
	for w := uint16(0); w < 2; w++ {
		o := op.Op{Inst: inst([]ir.RegID{0}), Tag: 1 + uint32(w), Exec: FullMask, Warp: w}
		k.Issue(&o)
	}
	k.WarpStart(0, 0)
	if k.Newest(0, 0).Mask() != 0 || k.Newest(1, 0).Lane(0) != 2 {
		t.Fatal("only the starting warp's registers are cleared")
	}
}

func TestTheRingGrowsUnderOperationsThatLingerOn(t *testing.T) {
	k := NewChecker(1, 8, 0)
	w := op.Op{Inst: inst([]ir.RegID{1}), Tag: 1, Exec: FullMask}
	k.Issue(&w)
	var ops []op.Op
	for tag := uint32(2); tag < 5000; tag++ {
		o := op.Op{Inst: inst(nil, 1), Tag: tag, Exec: FullMask}
		k.Issue(&o)
		if tag%1000 == 2 {
			ops = append(ops, o) // lingers
		} else {
			k.flights.drop(tag)
		}
	}
	right := Content{Seq: 1, Lanes: FullMask}
	for i := range ops {
		k.Operand("B", 1, &ops[i], 0, &right)
	}
	if k.Total() != 0 || k.Checked() != 5 {
		t.Fatalf("%d of %d operands wrong", k.Total(), k.Checked())
	}
}

func TestViolationsBeyondTheLimitAreCounted(t *testing.T) {
	k := NewChecker(1, 8, 3)
	w := op.Op{Inst: inst([]ir.RegID{1}), Tag: 1, Exec: 0xff}
	r := op.Op{Inst: inst(nil, 1), Tag: 2, Exec: 0xff}
	k.Issue(&w)
	k.Issue(&r)
	k.Operand("B", 1, &r, 0, &Content{})
	if len(k.Violations()) != 3 || k.Total() != 8 {
		t.Fatalf("%d listed, %d in all", len(k.Violations()), k.Total())
	}
}

func TestANilCheckerIsOff(t *testing.T) {
	var k *Checker
	o := op.Op{Inst: inst(nil, 1), Tag: 1}
	k.Issue(&o)
	k.Operand("B", 1, &o, 0, &Content{})
	k.AtUnit("B", 1, &o)
	k.Announce(0, &op.Done{Inst: o.Inst})
	k.AtIssue("B", 1, 0, o.Inst, 1, true)
	k.WarpStart(0, 0)
	if k.Total() != 0 || k.Checked() != 0 || k.Violations() != nil {
		t.Fatal("a nil checker found something")
	}
}

func TestPredicatesOfAWarpMustHaveTheVersionOfTheirNewestWriter(t *testing.T) {
	k := NewChecker(2, 8, 0)
	writer, reader := inst(nil), inst(nil)
	writer.T.DstPreds, reader.T.SrcPreds = 2, 1
	k.Issue(&op.Op{Inst: writer, Tag: 5, Warp: 1})
	k.Predicates("S", 7, 1, reader, 5)
	k.Predicates("S", 7, 0, reader, 0)
	k.Predicates("S", 7, 1, writer, 0) // reads none
	if k.Total() != 0 {
		t.Fatalf("%v", k.Violations())
	}
	k.Predicates("S", 8, 1, reader, 0)
	if v := k.Violations(); k.Total() != 1 || len(v) != 1 ||
		v[0].String() != "S: cycle 8: warp 1: predicates: no version, want version 5" {
		t.Errorf("violations %v", v)
	}
}

func TestANewWarpHasWrittenNoPredicates(t *testing.T) {
	k := NewChecker(2, 8, 0)
	writer, reader := inst(nil), inst(nil)
	writer.T.DstPreds, reader.T.SrcPreds = 1, 1
	k.Issue(&op.Op{Inst: writer, Tag: 5, Warp: 1})
	k.WarpStart(0, 1)
	k.Predicates("S", 8, 1, reader, 0)
	if k.Total() != 0 {
		t.Errorf("%v", k.Violations())
	}
}
