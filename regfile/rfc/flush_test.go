package rfc

import (
	"testing"

	"kumiko/components/bank"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// fillUp writes n registers of a warp from cycle 10 on.
func (r *rig) fillUp(warp uint16, n int) {
	for i := range n {
		r.write(10+wire.Cycle(i), warp, ir.RegID(i), all)
	}
}

func TestASuspendedWarpsRegistersAreWrittenBackAsManyPerCycleAsTheFlushIsWide(t *testing.T) {
	for width, want := range map[int][]event{
		1: {{31, 0}, {32, 1}, {33, 2}, {34, 3}},
		2: {{31, 0}, {31, 1}, {32, 2}, {32, 3}},
		8: {{31, 0}, {31, 1}, {31, 2}, {32, 3}}, // three read ports
	} {
		r := newRig(t, with(func(s *Spec) { s.FlushWidth = width }), 2)
		r.start(2)
		r.fillUp(0, 4)
		r.write(20, 1, 9, all)
		r.Notify(30, 0, regfile.WarpSuspended)
		r.Run()
		wiretest.Same(t, "written", want, r.written())
		if c := r.Write.Got[0].Msg.Cause; c != bank.Flush {
			t.Errorf("cause %v", c)
		}
		wiretest.Same(t, "flushes, flushed", [2]uint64{1, 4}, [2]uint64{r.Stat("flushes"), r.Stat("flushed")})
	}
}

func TestAFlushTakesThePortsThatOperandsLeave(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.FlushWidth = 3 }), 2)
	r.start(2)
	r.fillUp(0, 3)
	r.fillUp(1, 2)
	r.Notify(30, 0, regfile.WarpSuspended)
	r.read(30, 1, all, 0, 1)
	r.Run()
	wiretest.Same(t, "written", []event{{31, 0}, {32, 1}, {32, 2}}, r.written())
}

func TestDeadRegistersAreNotFlushed(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.Liveness = true }), 2)
	r.start(1)
	r.fillUp(0, 3)
	r.readLast(20, 0, all, 1)
	r.Notify(30, 0, regfile.WarpSuspended)
	r.Run()
	wiretest.Same(t, "written", []event{{31, 0}, {32, 2}}, r.written())
	wiretest.Same(t, "elided", uint64(1), r.Stat("dead_elided"))
}

func TestReadsIssuedBeforeTheSuspensionFindTheirValues(t *testing.T) {
	r := newRig(t, Default(), 2)
	r.start(1)
	r.fillUp(0, 3)
	r.Notify(30, 0, regfile.WarpSuspended)
	r.read(31, 0, all, 0, 1) // R0 left at 30, R1 leaves at 31
	r.read(32, 0, all, 1)    // behind its write
	r.Run()
	wiretest.Same(t, "written", []event{{31, 0}, {32, 1}, {33, 2}}, r.written())
	wiretest.Same(t, "values", cycles(33), r.Operand.Cycles())
	wiretest.Same(t, "misses", []event{{32, 0}, {33, 1}}, r.missed())
}

func TestAResultForASuspendedWarpGoesToTheMainFileAndNoOlderOneAfterIt(t *testing.T) {
	r := newRig(t, Default(), 2)
	r.start(1)
	r.fillUp(0, 2)
	r.Notify(30, 0, regfile.WarpSuspended)
	v := r.write(31, 0, 1, all) // R0 left at 30, R1 would at 31
	r.write(40, 0, 2, all)      // the warp has no place any more
	r.Run()
	wiretest.Same(t, "written", []event{{31, 0}, {32, 1}, {41, 2}}, r.written())
	if c := r.Write.Got[1].Msg; c.Cause != bank.Result || c.Content.Seq != v {
		t.Errorf("R1: %+v", c)
	}
	wiretest.Same(t, "homeless", uint64(2), r.Stat("homeless"))
}

func stalling(s *Spec) { s.FlushStall = true }

func TestResultsOfAnActiveWarpWithoutAPlaceGoToTheMainFile(t *testing.T) {
	r := newRig(t, Default(), 1)
	r.start(1)
	r.Notify(2, 1, regfile.WarpStarted)
	r.fillUp(0, 3)
	r.Notify(30, 0, regfile.WarpSuspended)
	r.Notify(30, 1, regfile.WarpActivated)
	r.write(31, 1, 8, all) // R0 to R2 leave at 30, 31, 32
	r.write(33, 1, 9, all)
	r.read(40, 1, all, 8, 9)
	r.Run()
	wiretest.Same(t, "written", []event{{31, 0}, {32, 8}, {32, 1}, {33, 2}}, r.written())
	wiretest.Same(t, "misses", []event{{41, 8}}, r.missed())
	wiretest.Same(t, "homeless", uint64(1), r.Stat("homeless"))
}

func TestAnActiveWarpWithoutAPlaceIsGatedUntilTheFlushIsOver(t *testing.T) {
	r := newRig(t, with(stalling), 1)
	closed := map[wire.Cycle]bool{}
	w := &watcher{signal: &r.c.gate.signal, closed: closed}
	w.Init("Scheduler2", r.Domain, w)
	r.c.gate.signal.Watch(&w.Comp)
	r.Notify(2, 0, regfile.WarpStarted, regfile.WarpActivated)
	r.Notify(2, 1, regfile.WarpStarted)
	r.fillUp(0, 3)
	r.Notify(30, 0, regfile.WarpSuspended)
	r.Notify(30, 1, regfile.WarpActivated)
	r.write(50, 1, 4, all)
	r.Run()
	// R0 to R2 leave at 30, 31, 32; the gate is seen open a cycle after the last.
	wiretest.Same(t, "gate", map[wire.Cycle]bool{31: true, 33: false}, closed)
	wiretest.Same(t, "writes", uint64(4), r.Stat("writes"))
	wiretest.Same(t, "closures", uint64(1), r.Stat("gate_closures"))
}

type watcher struct {
	wire.Comp
	signal *wire.Signal[regfile.WarpSet]
	closed map[wire.Cycle]bool
}

func (w *watcher) Tick(now wire.Cycle) bool {
	if s := w.signal.Get(); now > 1 {
		w.closed[now] = s.Has(1)
	}
	return false
}

func TestAWarpThatComesBackDuringItsFlushKeepsTheRest(t *testing.T) {
	r := newRig(t, Default(), 1)
	r.start(1)
	r.fillUp(0, 4)
	r.Notify(30, 0, regfile.WarpSuspended)
	r.Notify(32, 0, regfile.WarpActivated)
	r.read(40, 0, all, 0, 1, 2, 3)
	r.Run()
	wiretest.Same(t, "written", []event{{31, 0}, {32, 1}}, r.written())
	wiretest.Same(t, "misses", []event{{41, 0}, {41, 1}}, r.missed())
}

func TestAWarpThatLeavesWhileItWaitsForAPlaceWaitsNoMore(t *testing.T) {
	for _, e := range []regfile.WarpEvent{regfile.WarpSuspended, regfile.WarpFinished} {
		r := newRig(t, with(stalling), 1)
		r.start(1)
		r.fillUp(0, 4)
		r.Notify(30, 0, regfile.WarpSuspended)
		r.Notify(30, 1, regfile.WarpActivated)
		r.Notify(31, 1, e)
		r.Notify(31, 2, regfile.WarpActivated)
		r.Run()
		if s := r.c.gate.signal.Get(); s != (regfile.WarpSet{}) || r.c.places.of[1] != nowhere ||
			r.c.places.of[2] == nowhere {
			t.Errorf("closed %v, places %v", s, r.c.places.of)
		}
	}
}

func TestAFinishedWarpLeavesNothing(t *testing.T) {
	r := newRig(t, Default(), 8)
	r.start(1)
	r.fillUp(0, 4)
	r.Notify(30, 0, regfile.WarpFinished)
	r.write(31, 0, 1, all) // the tail of its last result
	r.Notify(40, 0, regfile.WarpStarted, regfile.WarpActivated)
	r.read(50, 0, all, 1)
	r.Run()
	wiretest.Same(t, "written", []event{{32, 1}}, r.written())
	wiretest.Same(t, "hits, dropped", [2]uint64{0, 4}, [2]uint64{r.Stat("read_hits"), r.Stat("dropped")})
}

func TestASharedCacheFlushesOneWarpsRegistersAndKeepsThoseOfOthers(t *testing.T) {
	for flush, want := range map[bool][]event{true: {{31, 0}, {32, 1}}, false: nil} {
		r := newRig(t, with(func(s *Spec) { s.Organisation, s.Flush = Shared, flush }), 2)
		r.start(2)
		r.fillUp(0, 2)
		r.fillUp(1, 2)
		r.Notify(30, 0, regfile.WarpSuspended)
		r.read(40, 1, all, 0, 1)
		r.Run()
		wiretest.Same(t, "written", want, r.written())
		wiretest.Same(t, "hits", uint64(2), r.Stat("read_hits"))
	}
}

func TestTheMainFilesBackPressureHoldsUpWhatComesBehind(t *testing.T) {
	r := newRig(t, with(func(s *Spec) { s.Entries = 1 }), 8)
	r.Write.Refuse = func(now wire.Cycle) bool { return now < 60 }
	room := r.Write.In.Capacity()
	r.start(1)
	n := room + 4
	for i := range n { // each evicts the one before
		r.write(10+wire.Cycle(i), 0, ir.RegID(i%32), all)
	}
	r.read(50, 0, all, ir.RegID((n-1)%32))
	r.Run()
	if len(r.Write.Got) != n-1 || r.Stat("write_waits") == 0 {
		t.Fatalf("%d written, %d cycles of waiting", len(r.Write.Got), r.Stat("write_waits"))
	}
	if at := r.Operand.Cycles(); len(at) != 1 || at[0] < 60 {
		t.Errorf("the read of the last result, which waited, is answered at %v", at)
	}
}
