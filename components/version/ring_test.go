package version

import (
	"testing"

	"kumiko/components/op"
	"kumiko/kernel/ir"
)

// Tags with the same place in the ring are distinguished, also after operations between them have been retired.
func TestTagsThatFallIntoOnePlaceAreToldApart(t *testing.T) {
	k := NewChecker(probes+1, 8, 0)
	var read []op.Op
	for i := range probes { // each has a warp of its own, whose register has a version of its own
		warp := uint16(i)
		w := op.Op{Inst: inst([]ir.RegID{0}), Tag: uint32(100 + i), Exec: 1, Warp: warp}
		r := op.Op{Inst: inst(nil, 0), Tag: uint32(5 + i*ringStart), Exec: 1, Warp: warp}
		k.Issue(&w)
		k.Issue(&r)
		read = append(read, r)
	}
	if len(k.flights.tags) != ringStart {
		t.Fatalf("%d places, want the %d of the beginning: the probes are enough", len(k.flights.tags), ringStart)
	}
	for i := range read {
		if i%2 == 0 {
			k.flights.drop(read[i].Tag)
			if k.flights.find(read[i].Tag) != nil {
				t.Errorf("operation %d is there after it was retired", i)
			}
		}
	}
	for i := range read {
		if i%2 == 0 {
			continue
		}
		found := Content{Seq: uint32(100 + i), Lanes: 1}
		k.Operand("B", 1, &read[i], 0, &found)
		k.flights.drop(read[i].Tag)
	}
	if k.Total() != 0 {
		t.Errorf("violations %v, want none", k.Violations())
	}
}

func TestOneTagMoreThanThereAreProbesMakesTheRingGrow(t *testing.T) {
	k := NewChecker(1, 8, 0)
	for i := range probes + 1 {
		k.Issue(&op.Op{Inst: inst(nil, 0), Tag: uint32(5 + i*ringStart), Exec: 1})
	}
	if len(k.flights.tags) != 2*ringStart {
		t.Errorf("%d places, want %d", len(k.flights.tags), 2*ringStart)
	}
	for i := range probes + 1 {
		if k.flights.find(uint32(5+i*ringStart)) == nil {
			t.Errorf("operation %d is lost", i)
		}
	}
}

// The search for a tag wraps from the end of the ring to its beginning.
func TestProbesGoOnAtTheBeginningOfTheRing(t *testing.T) {
	k := NewChecker(1, 8, 0)
	last := uint32(ringStart - 1)
	k.Issue(&op.Op{Inst: inst(nil, 0), Tag: last, Exec: 1})
	k.Issue(&op.Op{Inst: inst(nil, 0), Tag: last + ringStart, Exec: 1})
	if f := k.flights.find(last + ringStart); f != &k.flights.of[0] {
		t.Error("the second operation is not in the first place")
	}
}

func TestARetiredOperationMayBeRetiredAgain(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Issue(&op.Op{Inst: inst(nil, 0), Tag: 1, Exec: 1})
	k.flights.drop(1)
	k.flights.drop(1) // an operation without sources was never there
	if k.flights.find(1) != nil {
		t.Error("operation 1 is there")
	}
}

func TestAnOperationWithoutSourcesTakesNoPlace(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Issue(&op.Op{Inst: inst([]ir.RegID{0}), Tag: 1, Exec: 1})
	if k.flights.find(1) != nil {
		t.Error("operation 1 is there, and nothing will retire it")
	}
}

func TestEveryWarpHasRegistersOfItsOwn(t *testing.T) {
	const warps, regs = 3, 4
	k := NewChecker(warps, regs, 0)
	for w := range warps {
		for r := range regs {
			k.Issue(&op.Op{Inst: inst([]ir.RegID{ir.RegID(r)}), Tag: uint32(1 + w*regs + r), Exec: 1, Warp: uint16(w)})
		}
	}
	k.WarpStart(0, 1)
	for w := range warps {
		for r := range regs {
			want := uint32(1 + w*regs + r)
			if w == 1 {
				want = 0
			}
			if got := k.Newest(w, r); got.Lane(0) != want {
				t.Errorf("warp %d register %d: version %d, want %d", w, r, got.Lane(0), want)
			}
		}
	}
}

func TestAsManyViolationsOfPredicatesAreListedAsTheLimitSays(t *testing.T) {
	k := NewChecker(1, 8, 2)
	in := &ir.Inst{}
	in.T.SrcPreds = 1
	for range 3 {
		k.Predicates("B", 1, 0, in, 9)
	}
	if len(k.Violations()) != 2 || k.Total() != 3 {
		t.Errorf("%d violations listed of %d, want 2 of 3", len(k.Violations()), k.Total())
	}
}

// An operand in several pieces is compared in all its lanes, including those of older writes.
func TestAnOperandThatSeveralOperationsWroteIsComparedInAllLanes(t *testing.T) {
	k := NewChecker(1, 8, 0)
	k.Issue(&op.Op{Inst: inst([]ir.RegID{0}), Tag: 1, Exec: 0b0011})
	k.Issue(&op.Op{Inst: inst([]ir.RegID{0}), Tag: 2, Exec: 0b0100})
	r := op.Op{Inst: inst(nil, 0), Tag: 3, Exec: 0b0111}
	k.Issue(&r)
	found := Content{Seq: 9, Lanes: 0b0011}.Write(2, 0b0100) // the newest write is right, the one before is not
	k.Operand("B", 1, &r, 0, &found)
	if k.Total() != 2 {
		t.Errorf("%d violations, want those of lanes 0 and 1", k.Total())
	}
}
