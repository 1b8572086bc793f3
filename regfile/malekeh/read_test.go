package malekeh

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/regfile"
)

// A request seen at 10 is at the banks at 11. One seen at 20 is given to the link of two cycles at 20.
func TestAnOperandThatWasReadComesFromTheUnit(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 3}, 7)
	b := r.ask(20, 1, all, source{4, 3})
	r.run()
	same(t, "read from the banks", []event{{11, 4}}, r.missed())
	same(t, "given", []operand{{22, b, 7}}, r.given())
	r.stats(map[string]uint64{"reads": 2, "read_hits": 1, "filled": 1, "taken": 1, "forced": 0, "waits": 0})
}

func TestAnotherWarpsRegisterIsNotGiven(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 3}, 7)
	r.ask(20, 2, all, source{4, 3})
	r.run()
	same(t, "given", []operand(nil), r.given())
	same(t, "read from the banks", []event{{11, 4}, {21, 4}}, r.missed())
}

// The second request comes at 11, and the operand of the first at 20.
func TestAUnitCollectsForOneInstructionAtATime(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 3})
	b := r.ask(11, 1, all, source{4, 3})
	r.bring(20, a, 0, all, 7)
	r.run()
	same(t, "read from the banks", []event{{11, 4}}, r.missed())
	same(t, "given", []operand{{22, b, 7}}, r.given())
	r.stats(map[string]uint64{"waits": 9})
}

// The operands of an instruction may be requested in several messages.
func TestAUnitTakesTheRestOfItsInstruction(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 3})
	r.tag--
	r.ask(11, 1, all, source{5, 3})
	if r.tag != a {
		t.Fatal("another operation")
	}
	r.run()
	same(t, "read from the banks", []event{{11, 4}, {12, 5}}, r.missed())
}

func TestAReadOfMoreLanesThanThereAreGoesToTheBanks(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, 0xff, source{4, 3})
	r.bring(12, a, 0, 0xff, 7)
	b := r.ask(20, 1, all, source{4, 3})
	r.bring(25, b, 0, all, 7)
	c := r.ask(30, 1, all, source{4, 3})
	r.run()
	same(t, "read from the banks", []event{{11, 4}, {21, 4}}, r.missed())
	same(t, "given", []operand{{32, c, 7}}, r.given())
}

func TestTheValueReadLatestGivesWay(t *testing.T) {
	for name, x := range map[string]struct {
		hints [3]uint8
		gone  uint8 // of R1, R2 and R3
	}{
		"the farthest":                 {[3]uint8{5, 9, 7}, 2},
		"never read again before far":  {[3]uint8{5, 200, 0}, 3},
		"255 is far, not never":        {[3]uint8{255, 5, 9}, 1},
		"among equals the oldest use":  {[3]uint8{5, 5, 5}, 2}, // R1 is used again
		"the farthest though it is R1": {[3]uint8{9, 5, 5}, 1},
	} {
		r := newRig(t, nil)
		list := []source{{1, 0}, {2, 0}, {3, 0}}
		for i := range list {
			list[i].hint = r.u.spec.hint(x.hints[i])
		}
		a := r.ask(10, 1, all, list...)
		for i := range list {
			r.bring(15, a, uint8(i), all, 7)
		}
		r.ask(20, 1, all, list[0])
		r.ask(22, 1, all, source{9, 4})
		r.run()
		c := r.u.of(1)
		for _, s := range list {
			if there := c.find(s.reg) != nil; there == (uint8(s.reg) == x.gone) {
				t.Errorf("%s: R%d there: %v, want R%d gone alone", name, s.reg, there, x.gone)
			}
		}
	}
}

func TestAnOperandWithoutAnEntryIsReadAllTheSame(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Entries = 1 })
	a := r.ask(10, 1, all, source{4, 3}, source{5, 3})
	r.bring(15, a, 0, all, 7)
	r.bring(16, a, 1, all, 8)
	b := r.ask(20, 1, all, source{4, 3})
	r.run()
	same(t, "read from the banks", []event{{11, 4}, {11, 5}}, r.missed())
	same(t, "given", []operand{{22, b, 7}}, r.given())
	r.stats(map[string]uint64{"filled": 1})
}

func TestAUnitWithoutNearValuesIsTakenAtOnce(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 11}, 7) // 11 > near
	r.load(15, 2, source{5, 12}, 8)
	r.ask(20, 3, all, source{6, 3}) // from warp 2, whose value is farther
	r.run()
	same(t, "read from the banks", []event{{11, 4}, {16, 5}, {21, 6}}, r.missed())
	if r.u.of(1) == nil || r.u.of(2) != nil || r.u.of(3) == nil {
		t.Errorf("units %+v, want warps 1 and 3 to have one", r.u.units)
	}
	r.stats(map[string]uint64{"taken": 3, "forced": 0, "held": 0})
}

func TestAmongUnitsOfOneDistanceThatWithFewestValuesIsTaken(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 11}, source{5, 20})
	r.bring(12, a, 0, all, 7)
	r.bring(12, a, 1, all, 7)
	r.load(15, 2, source{6, 11}, 8)
	r.ask(20, 3, all, source{7, 3})
	r.run()
	if r.u.of(2) != nil || r.u.of(1) == nil {
		t.Error("want warp 2 to lose its unit")
	}
}

// Five cycles of waiting from 20 on; at 25 the unit of warp 2 is taken.
func TestAUnitWithNearValuesIsTakenAfterTheWait(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 2}, 7)
	r.load(15, 2, source{5, 3}, 8)
	r.ask(20, 3, all, source{6, 3})
	r.run()
	same(t, "read from the banks", []event{{11, 4}, {16, 5}, {26, 6}}, r.missed())
	if r.u.of(2) != nil {
		t.Error("want warp 2, whose value is read later, to lose its unit")
	}
	r.stats(map[string]uint64{"held": 5, "forced": 1, "taken": 3, "waits": 5})
}

// The third request has waited for three of five cycles when warp 1 ends. The fourth waits for the other two.
func TestWaitsAddUpOverRequests(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 2}, 7)
	r.load(15, 2, source{5, 3}, 8)
	c := r.ask(20, 3, all, source{6, 3})
	r.notify(23, 1, regfile.WarpExited)
	r.bring(30, c, 0, all, 9)
	r.ask(40, 0, all, source{7, 3})
	r.run()
	same(t, "read from the banks", []event{{11, 4}, {16, 5}, {24, 6}, {43, 7}}, r.missed())
	r.stats(map[string]uint64{"held": 5, "forced": 1})
}

func TestRequestsOfWarpsWithAUnitPassThoseThatWaitForOne(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 2}, 7)
	r.load(15, 2, source{5, 3}, 8)
	r.ask(20, 3, all, source{6, 3})
	b := r.ask(21, 1, all, source{4, 2})
	r.run()
	same(t, "given", []operand{{23, b, 7}}, r.given())
}

func TestAWarpWaitsWhileAllUnitsCollect(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 0})
	b := r.ask(10, 2, all, source{5, 0})
	r.ask(10, 3, all, source{6, 0})
	r.bring(20, b, 0, all, 8)
	r.bring(30, a, 0, all, 8)
	r.run()
	// One warp a cycle takes a unit: warp 2 at 11. Warp 3 waits from 12 until the operand of warp 2 is there.
	same(t, "read from the banks", []event{{11, 4}, {12, 5}, {21, 6}}, r.missed())
	r.stats(map[string]uint64{"busy": 8, "held": 0, "taken": 3})
}

func TestAWarpThatEndsLosesItsRegisters(t *testing.T) {
	for _, e := range []regfile.WarpEvent{regfile.WarpExited, regfile.WarpStarted, regfile.WarpSuspended} {
		r := newRig(t, nil)
		r.load(10, 1, source{4, 3}, 7)
		r.notify(20, 1, e)
		r.ask(30, 1, all, source{4, 3})
		r.run()
		same(t, "read from the banks", []event{{11, 4}, {31, 4}}, r.missed())
	}
}

func TestSchedulersSeeWhoHasAUnit(t *testing.T) {
	r := newRig(t, nil)
	r.ask(10, 1, all, source{4, 0})
	r.notify(20, 1, regfile.WarpExited)
	for _, x := range []struct {
		at   wire.Cycle
		want uint64
	}{{9, 0}, {10, 0}, {11, 1 << 1}, {20, 1 << 1}, {21, 0}} {
		r.d.RunUntil(x.at)
		if got := r.u.bound.Get(); got != (regfile.WarpSet{x.want}) {
			t.Errorf("cycle %d: warps %b, want %b", x.at, got[0], x.want)
		}
	}
}
