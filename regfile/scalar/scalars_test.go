package scalar

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

func TestAUniformOrAffineValueStaysInTheScalarFile(t *testing.T) {
	for _, stride := range []uint32{0, 4, 1 << 20} {
		r := newRig(t, nil)
		seq := r.ArriveOfClass(20, 0, 3, all, class(stride, false))
		r.Ask(20, 0, all, 3)
		r.Run()
		wiretest.Same(t, "operands", []operand{{22, 0, seq}}, r.given())
		if len(r.written())+len(r.missed()) > 0 {
			t.Errorf("stride %d: banks written %v, read %v", stride, r.written(), r.missed())
		}
	}
}

func TestAnyOtherValueGoesToTheBanks(t *testing.T) {
	r := newRig(t, nil)
	r.ArriveOfClass(20, 0, 3, all, class(4, true))
	r.ArriveOfClass(20, 0, 4, 0xff, class(0, false))
	r.Ask(21, 0, all, 3, 4)
	r.Run()
	wiretest.Same(t, "written", []event{{21, 3}, {21, 4}}, r.written())
	wiretest.Same(t, "read", []event{{22, 3}, {22, 4}}, r.missed())
	r.WantStats(map[string]uint64{"writes.vector": 2, "reads.vector": 2, "reads.uniform": 0})
}

func TestWithoutAffineValuesOnlyEqualOnesAreKept(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Affine = false })
	r.ArriveOfClass(20, 0, 3, all, class(4, false))
	r.ArriveOfClass(20, 0, 4, all, class(0, false))
	r.Run()
	wiretest.Same(t, "written", []event{{21, 3}}, r.written())
	r.WantStats(map[string]uint64{"writes.vector": 1, "writes.uniform": 1, "writes.affine": 0})
}

func TestARequestTakesSomeRegistersFromTheScalarFileAndOthersFromTheBanks(t *testing.T) {
	r := newRig(t, nil)
	five := r.ArriveOfClass(20, 0, 5, all, class(0, false))
	six := r.ArriveOfClass(20, 0, 6, all, class(1, false))
	r.Ask(30, 0, all, 5, 7, 6)
	r.Run()
	wiretest.Same(t, "operands", []operand{{32, 0, five}, {32, 2, six}}, r.given())
	wiretest.Same(t, "read", []event{{31, 7}}, r.missed())
	if s := r.Read.Got[0].Msg.Slot[0]; s != 1 {
		t.Errorf("source %d is read from the banks, want 1", s)
	}
	r.WantStats(map[string]uint64{"reads.uniform": 1, "reads.affine": 1, "reads.vector": 1, "waits": 0})
}

func TestTheScalarFileGivesAsManyOperandsInACycleAsItHasPorts(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Reads = 2 })
	for reg := range ir.RegID(3) {
		r.ArriveOfClass(20, 0, reg, all, class(0, false))
	}
	r.Ask(30, 0, all, 0, 1, 2, 9)
	r.Ask(30, 0, all, 0)
	r.Run()
	wiretest.Same(t, "operands", []operand{{32, 0, 1}, {32, 1, 2}, {33, 2, 3}, {33, 0, 1}}, r.given())
	wiretest.Same(t, "read", []event{{31, 9}}, r.missed())
	r.WantStats(map[string]uint64{"waits": 2})
}

func TestAResultOfSomeLanesIsWrittenBehindTheValueOfItsRegister(t *testing.T) {
	r := newRig(t, nil)
	seq := r.ArriveOfClass(20, 0, 3, all, class(0, false))
	r.ArriveOfClass(30, 0, 3, 0xff, class(0, false))
	r.Ask(31, 0, all, 3)
	r.Run()
	wiretest.Same(t, "written", []event{{31, 3}, {31, 3}}, r.written())
	wiretest.Same(t, "read", []event{{32, 3}}, r.missed())
	first, second := r.Write.Got[0].Msg, r.Write.Got[1].Msg
	if first.Cause != bank.Expansion || first.Content.Seq != seq || first.Content.Mask() != all ||
		second.Cause != bank.Result || second.Content.Lanes != 0xff {
		t.Errorf("written %+v and %+v", first, second)
	}
	r.WantStats(map[string]uint64{"spread": 1, "writes.vector": 1})
}

func TestAResultOfAllLanesForTheBanksFreesTheEntryAlone(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Entries = 1 })
	r.ArriveOfClass(20, 0, 3, all, class(0, false))
	r.ArriveOfClass(30, 0, 3, all, class(4, true))
	r.ArriveOfClass(40, 0, 5, all, class(0, false))
	r.Run()
	wiretest.Same(t, "written", []event{{31, 3}}, r.written())
	r.WantStats(map[string]uint64{"spread": 0, "past": 0, "writes.uniform": 2})
}

func TestAWarpWithoutAFreeEntryWritesToTheBanks(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Entries = 1 })
	r.ArriveOfClass(20, 0, 3, all, class(0, false))
	r.ArriveOfClass(30, 0, 4, all, class(0, false)) // the entry is taken
	r.ArriveOfClass(40, 1, 4, all, class(0, false)) // another warp has its own
	r.ArriveOfClass(50, 0, 3, all, class(1, false)) // its register has the entry
	r.Run()
	wiretest.Same(t, "written", []event{{31, 4}}, r.written())
	r.WantStats(map[string]uint64{"past": 1, "writes.uniform": 2, "writes.affine": 1, "writes.vector": 1})
}

func TestAWarpThatBeginsHasNoRegisterInTheScalarFile(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Entries = 1 })
	r.ArriveOfClass(20, 2, 3, all, class(0, false))
	r.Notice.Send(29, regfile.WarpNotice{Event: regfile.WarpStarted, Warp: 2})
	r.ArriveOfClass(40, 2, 3, 1, class(0, false))
	r.ArriveOfClass(50, 2, 5, all, class(0, false))
	r.Run()
	wiretest.Same(t, "written", []event{{41, 3}}, r.written())
	r.WantStats(map[string]uint64{"spread": 0, "past": 0})
}

func TestATagThatDoesNotFitTheValueIsReported(t *testing.T) {
	r := newRig(t, nil)
	r.ArriveOfClass(20, 0, 3, all, class(4, true))
	r.Ask(30, 0, all, 3)
	r.Domain.RunUntil(25)
	r.x.tags[r.x.entryIndex(0, 3)] = uniform
	r.Run()
	v := r.Checker.Violations()
	if len(v) != 1 {
		t.Fatalf("violations %v, want one", v)
	}
	want := "SM[0].RegFile.SubCore[0].Scalars: cycle 30: warp 0: R3: stored as uniform, want vector"
	if got := v[0].String(); got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}
