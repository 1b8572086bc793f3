package turing

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

func want(t *testing.T, what string, want, got []wire.Cycle) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s (-want +got):\n%s", what, d)
	}
}

// Control sees it in cycle 10, Allocate in 11; the window is 12 to 14, and the unit has it in 15.
func TestEveryInstructionReadsForTheSameTime(t *testing.T) {
	for _, src := range [][]ir.RegID{nil, {1}, {1, 2, 3}, {2, 4, 6}, {2, 2, 2}, {2, 4, 6, 1, 3, 5}} {
		r := newRig(t, nil)
		r.send(10, 0, 0, fma(40, 0, src...))
		r.run()
		want(t, "arrives", []wire.Cycle{15}, r.Units[0].Cycles())
		r.Checked(uint64(len(src)))
	}
}

// The window of the second is full where the first has the ports of bank 0 in it: with three, two or
// one register there it begins a cycle later each.
func TestPortsOfTheWindowThatAreTakenHoldAnInstruction(t *testing.T) {
	for _, c := range []struct {
		second []ir.RegID
		at     wire.Cycle
	}{{[]ir.RegID{1, 3, 5}, 16}, {[]ir.RegID{8, 3, 5}, 16}, {[]ir.RegID{8, 10, 5}, 17}, {[]ir.RegID{8, 10, 12}, 18}} {
		r := newRig(t, nil)
		r.send(10, 0, 0, fma(40, 0, 2, 4, 6))
		r.send(11, 0, 0, fma(41, 0, c.second...))
		r.run()
		want(t, "arrive", []wire.Cycle{15, c.at}, r.Units[0].Cycles())
		if got := r.Stat("allocate.held"); got != uint64(c.at-16) {
			t.Errorf("%v: held for %d cycles, want %d", c.second, got, c.at-16)
		}
	}
}

func TestTheGateIsClosedInTheCyclesInWhichAnInstructionIsHeld(t *testing.T) {
	r := newRig(t, nil)
	g := r.f.Gates()
	if len(g) != 1 || !g[0].Stops || g[0].Holds != nil {
		t.Fatalf("gates %+v", g)
	}
	late := watch(r.Domain, g[0].Signal(0))
	for i := range wire.Cycle(3) {
		r.send(10+i, 0, 0, fma(40, 0, 2, 4, 6))
	}
	r.run()
	want(t, "arrive", []wire.Cycle{15, 18, 21}, r.Units[0].Cycles())
	want(t, "late", []wire.Cycle{12, 13, 15, 16}, late.closed)
}

// Unit 1 takes an instruction in every second cycle.
func TestAnInstructionIsHeldUntilItsUnitCanTakeItAtTheEndOfTheWindow(t *testing.T) {
	r := newRig(t, nil)
	for i := range wire.Cycle(3) {
		r.send(10+i, 0, 1, fma(40, 0, 2))
	}
	r.run()
	want(t, "arrive", []wire.Cycle{15, 17, 19}, r.Units[1].Cycles())
}

// Ten registers, five of each bank, have a window of six cycles.
func TestRegistersThatDoNotFitHaveTwiceTheWindow(t *testing.T) {
	r := newRig(t, nil)
	r.send(10, 0, 0, fma(40, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11))
	r.run()
	want(t, "arrives", []wire.Cycle{18}, r.Units[0].Cycles())
	r.Checked(10)
}

// The first of unit 2 is in its queue at 11 and asks then. The one of unit 0 goes first in 13.
func TestAnInstructionOfVariableLatencyReservesWhatIsLeft(t *testing.T) {
	for _, src := range [][]ir.RegID{{3}, {2, 4, 6}} {
		r := newRig(t, nil)
		r.send(10, 0, 2, fma(-1, 0, 8))
		r.send(12, 0, 0, fma(-1, 0, 2, 4, 6))
		r.send(12, 0, 2, fma(-1, 0, src...)) // in Control in 13, in its queue in 14
		r.run()
		want(t, "fixed", []wire.Cycle{17}, r.Units[0].Cycles())
		second := wire.Cycle(18)
		if src[0] == 2 {
			second = 20 // when the ports of bank 0 are free from 17 on
		}
		want(t, "variable", []wire.Cycle{15, second}, r.Units[2].Cycles())
	}
}

// Five instructions wait in the queue, while a unit accepts nothing. The next one stays in Control and holds up all
// behind it.
func TestAFullQueueHoldsControl(t *testing.T) {
	r := newRig(t, func(s *Spec) { s.Waiting, s.Latches = 2, 1 })
	r.Units[2].Refuse = func(now wire.Cycle) bool { return now < 100 }
	for i := range wire.Cycle(9) {
		r.send(10+i, 0, 2, fma(-1, 0, 1))
	}
	r.send(30, 0, 0, fma(-1, 0, 2))
	full := watch(r.Domain, r.f.Gates()[0].Signal(0))
	r.run()
	if n := len(r.Units[2].Got); n != 9 {
		t.Fatalf("%d instructions came out, want 9", n)
	}
	if at := r.Units[0].Cycles(); len(at) != 1 || at[0] < 100 {
		t.Errorf("the one behind came out at %v, want after 100", at)
	}
	if len(full.closed) < 60 {
		t.Errorf("closed in %d cycles, want most of those up to 100", len(full.closed))
	}
	if w := r.f.subs[0].Waiting(); w != "" {
		t.Error(w)
	}
}

func TestTheSchedulerLearnsWhenAnOperationHasRead(t *testing.T) {
	r := newRig(t, nil)
	tag := r.send(10, 3, 0, fma(40, 0, 1, 5))
	r.send(11, 3, 0, fma(41, 0))
	r.run()
	if len(r.Reading[0].Got) != 1 || r.Reading[0].Got[0].Cycle != 15 || r.Reading[0].Got[0].Msg.Tag != tag {
		t.Errorf("notices %+v, want one at 15 of %d", r.Reading[0].Got, tag)
	}
}

// A new warp in a context finds nothing of the one before.
func TestAWarpThatStartsFindsNothingInTheCache(t *testing.T) {
	for _, c := range []struct {
		warp uint16
		hits uint64
	}{{3, 0}, {4, 1}} {
		r := newRig(t, nil)
		r.send(10, 3, 0, fma(40, 1, 2))
		r.Warps[0].Send(20, regfile.WarpNotice{Warp: c.warp, Event: regfile.WarpStarted})
		r.send(30, 3, 0, fma(40, 0, 2))
		r.run()
		if got := r.Stat("allocate.reuse_hits"); got != c.hits {
			t.Errorf("warp %d starts: %d hits, want %d", c.warp, got, c.hits)
		}
	}
}

// 2 is read with a flag by lanes of one path.
func TestAnOperandHitsForLanesThatReadItAlone(t *testing.T) {
	const path = 0xf0
	for lanes, want := range map[uint32]uint64{path: 1, 0x30: 1, 0xf: 0, 0xff: 0} {
		r := newRig(t, nil)
		r.sendLanes(10, 3, 0, fma(40, 1, 2), path)
		r.sendLanes(30, 3, 0, fma(40, 0, 2), lanes)
		r.run()
		if got := r.Stat("allocate.reuse_hits"); got != want {
			t.Errorf("lanes %#x: %d hits, want %d", lanes, got, want)
		}
	}
}

// The value of 20 + 2 is there when an instruction of fixed latency begins to execute, in the cycle after its
// window. An instruction of variable latency has to read it in the window's last cycle.
func TestAResultIsBypassedToInstructionsOfFixedLatency(t *testing.T) {
	for _, c := range []struct {
		unit  uint8
		at    wire.Cycle // in Control
		wrong int
	}{{0, 16, 32}, {0, 17, 0}, {2, 17, 32}, {2, 18, 0}} {
		r := newRig(t, nil)
		in := fma(7, 0)
		tag := r.send(10, 0, 0, in)
		r.send(c.at, 0, c.unit, fma(-1, 0, 7))
		r.write(0, 20, tag, 0, in)
		r.run()
		if n := len(r.Checker.Violations()); n != c.wrong {
			t.Errorf("unit %d, in Control in %d: %d violations, want %d", c.unit, c.at, n, c.wrong)
		}
	}
}

// Two results of fixed latency for bank 1 are announced at once. The result of a load, arriving with another result
// for its bank, is announced a cycle later.
func TestALoadsResultWaitsForTheWritePort(t *testing.T) {
	load := fma(9, 0)
	load.T.Class = ir.ClassLoad
	for _, c := range []struct {
		second *ir.Inst
		want   []wire.Cycle
	}{{fma(9, 0), []wire.Cycle{21, 21}}, {load, []wire.Cycle{21, 22}}} {
		r := newRig(t, nil)
		first := fma(7, 0)
		r.write(0, 20, r.send(10, 0, 0, first), 0, first)
		r.write(1, 20, r.send(11, 0, 0, c.second), 0, c.second)
		r.run()
		want(t, "done", c.want, r.Done[0].Cycles())
	}
}
