package malekeh

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/regfile"
)

func TestTheUnitReadAgainLatestIsTaken(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 11}, 7)
	r.load(15, 2, source{5, 12}, 8)
	r.ask(20, 3, all, source{6, 3})
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{11, 4}, {16, 5}, {21, 6}}, r.missed())
	if r.u.unitOf(1) == nil || r.u.unitOf(2) != nil || r.u.unitOf(3) == nil {
		t.Errorf("units %+v, want warps 1 and 3 to have one", r.u.units)
	}
	r.WantStats(map[string]uint64{"taken": 3, "forced": 0})
}

func TestAmongUnitsOfOneDistanceThatWithFewestValuesIsTaken(t *testing.T) {
	r := newRig(t, nil)
	a := r.ask(10, 1, all, source{4, 11}, source{5, 20})
	r.Bring(12, a, 0, all, 7)
	r.Bring(12, a, 1, all, 7)
	r.load(15, 2, source{6, 11}, 8)
	r.ask(20, 3, all, source{7, 3})
	r.Run()
	if r.u.unitOf(2) != nil || r.u.unitOf(1) == nil {
		t.Error("want warp 2 to lose its unit")
	}
}

func TestAUnitOfNoWarpIsTakenFirst(t *testing.T) {
	r := newRig(t, nil)
	r.issue(10, 1, 0)
	r.issue(11, 2, 0)
	r.Run()
	if r.u.unitOf(1) == nil || r.u.unitOf(2) == nil {
		t.Error("want both warps to have a unit")
	}
}

func TestAUnitWithNearValuesIsTakenToo(t *testing.T) {
	r := newRig(t, nil)
	r.load(10, 1, source{4, 2}, 7)
	r.load(15, 2, source{5, 10}, 8)
	r.issue(20, 3, 0)
	r.Run()
	if r.u.unitOf(2) != nil || r.u.unitOf(3) == nil {
		t.Error("want warp 3 to have the unit of warp 2")
	}
	r.WantStats(map[string]uint64{"taken": 3, "forced": 1})
}

func TestAUnitWithAnOperationOnItsWayIsTakenLast(t *testing.T) {
	r := newRig(t, nil)
	r.issue(10, 1, 2)               // its operands are still to be requested
	r.load(15, 2, source{5, 12}, 8) // far
	r.issue(20, 3, 0)
	r.Run()
	if r.u.unitOf(1) == nil || r.u.unitOf(2) != nil {
		t.Error("want warp 2 to lose its unit")
	}
}

func TestAnOperationWithoutAUnitReadsTheBanks(t *testing.T) {
	r := newRig(t, nil)
	a := r.issue(10, 0, 1)
	r.issue(11, 1, 1)
	r.issue(12, 2, 1) // all operations are on their way; the first unit is that of warp 0
	r.request(20, 0, a, all, source{7, 3})
	r.Bring(25, a, 0, all, 7)
	r.Run()
	wiretest.Same(t, "read from the banks", []event{{21, 7}}, r.missed())
	r.WantStats(map[string]uint64{"reads": 1, "past": 1, "filled": 0})
}

func TestAnOperationWithoutSourcesKeepsNoUnit(t *testing.T) {
	r := newRig(t, nil)
	r.issue(10, 1, 0)
	r.load(15, 2, source{5, 2}, 8)
	r.issue(20, 3, 0)
	r.Run()
	if r.u.unitOf(1) != nil || r.u.unitOf(2) == nil {
		t.Error("want warp 1 to lose its unit")
	}
}

// Both units have near values from 15 on, with the issue that is known at 15 as the last. The gate is closed for five
// cycles.
func TestWarpsWithoutAUnitMustNotIssueDuringTheWait(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Wait = 5 })
	r.load(10, 1, source{4, 2}, 7)
	r.load(15, 2, source{5, 10}, 8)
	for _, x := range []struct {
		at   wire.Cycle
		want uint64
	}{{12, 0}, {15, 0}, {16, 0b1001}, {20, 0b1001}, {21, 0}} {
		r.Domain.RunUntil(x.at)
		if got := r.u.closed.Get(); got != (regfile.WarpSet{x.want}) {
			t.Errorf("cycle %d: warps %04b, want %04b", x.at, got[0], x.want)
		}
	}
	r.Run()
	r.WantStats(map[string]uint64{"held": 5})
}

func TestAnIssueBeginsTheWaitAgain(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Wait = 5 })
	r.load(10, 1, source{4, 2}, 7)
	r.load(15, 2, source{5, 3}, 8)
	r.issue(18, 1, 0)
	r.Run()
	r.WantStats(map[string]uint64{"held": 8})
}

func TestTheGateIsOpenWhileAUnitHasNoNearValues(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Wait = 5 })
	r.load(10, 1, source{4, 2}, 7)
	r.load(15, 2, source{5, 11}, 8)
	r.Run()
	r.WantStats(map[string]uint64{"held": 0})
}

func TestAWarpThatEndsLosesItsRegisters(t *testing.T) {
	for _, e := range []regfile.WarpEvent{regfile.WarpExited, regfile.WarpStarted, regfile.WarpSuspended} {
		r := newRig(t, nil)
		r.load(10, 1, source{4, 3}, 7)
		r.Notify(20, 1, e)
		r.ask(30, 1, all, source{4, 3})
		r.Run()
		wiretest.Same(t, "read from the banks", []event{{11, 4}, {31, 4}}, r.missed())
	}
}

func TestSchedulersSeeWhoHasAUnit(t *testing.T) {
	r := newRig(t, nil)
	r.ask(10, 1, all, source{4, 0})
	r.Notify(20, 1, regfile.WarpExited)
	for _, x := range []struct {
		at   wire.Cycle
		want uint64
	}{{9, 0}, {10, 0}, {11, 1 << 1}, {20, 1 << 1}, {21, 0}} {
		r.Domain.RunUntil(x.at)
		if got := r.u.bound.Get(); got != (regfile.WarpSet{x.want}) {
			t.Errorf("cycle %d: warps %b, want %b", x.at, got[0], x.want)
		}
	}
}
