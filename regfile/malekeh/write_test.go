package malekeh

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

// The result is at the units at 20 and at the banks at 21.
func TestAResultGoesToTheUnitAndToTheBanks(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 3}, 7)
	r.Arrive(20, 1, 5, all, 9, 3)
	b := r.ask(20, 1, all, source{5, 3})
	r.Run()
	wiretest.Same(t, "written", []event{{21, 5}}, r.written())
	wiretest.Same(t, "given", []operand{{22, b, 9}}, r.given())
	r.WantStats(map[string]uint64{"results": 1, "kept": 1})
}

func TestAResultOfAWarpWithoutAUnitGoesToTheBanksAlone(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 3}, 7)
	r.Arrive(20, 2, 5, all, 9, 3)
	r.ask(30, 2, all, source{5, 3})
	r.Run()
	wiretest.Same(t, "written", []event{{21, 5}}, r.written())
	wiretest.Same(t, "read from the banks", []event{{11, 4}, {31, 5}}, r.missed())
	r.WantStats(map[string]uint64{"results": 1, "kept": 0})
}

func TestNearResultsAloneTakeEntries(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Writes = Near })
	r.load(10, 1, source{4, 3}, 7)
	r.Arrive(20, 1, 5, all, 9, 11) // far
	r.Arrive(20, 1, 6, all, 9, 0)  // never read
	r.Arrive(20, 1, 7, all, 9, 10) // near
	r.Arrive(20, 1, 4, all, 8, 11) // far, but it has an entry, which must not stay stale
	b := r.ask(30, 1, all, source{4, 3})
	r.Run()
	wiretest.Same(t, "given", []operand{{32, b, 8}}, r.given())
	for reg, want := range map[ir.RegID]bool{4: true, 5: false, 6: false, 7: true} {
		if got := r.u.unitOf(1).find(reg) != nil; got != want {
			t.Errorf("R%d in the unit: %v, want %v", reg, got, want)
		}
	}
}

func TestAResultOfSomeLanesLeavesTheOthers(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 3}, 7)
	r.Arrive(20, 1, 4, 0xff, 9, 3)
	r.Arrive(20, 1, 5, 0xff, 9, 3)
	b := r.ask(30, 1, all, source{4, 3}, source{5, 3})
	r.Run()
	wiretest.Same(t, "given", []operand{{32, b, 9}}, r.given())
	wiretest.Same(t, "read from the banks", []event{{11, 4}, {31, 5}}, r.missed())
	if v := r.Operand.Got[0].Msg.Content; v.Lane(7) != 9 || v.Lane(8) != 7 {
		t.Errorf("versions %d and %d in lanes 7 and 8, want 9 and 7", v.Lane(7), v.Lane(8))
	}
}

// A value on its way from the banks does not overwrite a newer result.
func TestAValueOnItsWayLeavesANewerResult(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 3})
	r.Arrive(12, 1, 4, 0xff, 9, 3)
	r.Bring(15, a, 0, all, 7)
	r.ask(20, 1, all, source{4, 3})
	r.Run()
	if len(r.Operand.Got) != 1 {
		t.Fatalf("given %v, want one operand", r.given())
	}
	if v := r.Operand.Got[0].Msg.Content; v.Lane(7) != 9 || v.Lane(8) != 7 {
		t.Errorf("versions %d and %d in lanes 7 and 8, want 9 and 7", v.Lane(7), v.Lane(8))
	}
}

// The operand is read all the same; its entry goes to the result.
func TestAResultTakesTheEntryOfAnOperandOnItsWay(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Entries = 1 })
	a := r.ask(10, 1, all, source{4, 3})
	r.Arrive(12, 1, 5, all, 9, 1)
	r.Bring(15, a, 0, all, 7)
	b := r.ask(20, 1, all, source{5, 3})
	r.Run()
	wiretest.Same(t, "given", []operand{{22, b, 9}}, r.given())
	r.WantStats(map[string]uint64{"kept": 1, "filled": 0})
}

// The banks take nothing before 50, and their port holds 32. The request must not overtake the result before it.
func TestARequestDoesNotOvertakeAResult(t *testing.T) {
	r := newRig(t, nil)
	r.Write.Refuse = func(now wire.Cycle) bool { return now < 50 }
	for i := range 40 {
		r.Arrive(wire.Cycle(10+i/8), 1, 5, all, uint32(i+1), 3)
	}
	r.ask(30, 1, all, source{6, 3})
	r.Domain.RunUntil(49)
	if len(r.missed()) != 0 {
		t.Errorf("read %v while results wait", r.missed())
	}
	if s := r.u.Waiting(); s != "1 requests and 8 results wait" {
		t.Errorf("waiting: %q", s)
	}
	r.Run()
	if len(r.written()) != 40 || len(r.missed()) != 1 || r.u.Waiting() != "" {
		t.Errorf("%d written, %d read, waiting %q; want 40, 1 and nothing", len(r.written()), len(r.missed()),
			r.u.Waiting())
	}
	if r.Stat("result_waits") == 0 {
		t.Error("no cycle of a result that waits")
	}
}

func TestWhatWaitsIsCounted(t *testing.T) {
	r := newRig(t, nil)
	r.Write.Refuse = func(now wire.Cycle) bool { return now < 50 }
	for i := range 33 { // one more than the banks' port holds
		r.Arrive(wire.Cycle(10+i/8), 1, 5, all, uint32(i+1), 3)
	}
	r.ask(30, 1, all, source{6, 3})
	r.Domain.RunUntil(49)
	if s := r.u.Waiting(); s != "1 requests and 1 results wait" {
		t.Errorf("waiting: %q", s)
	}
}
