package sm

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

func setSpec(active int, ready, barrier bool, after int) *SchedulerSpec {
	return &SchedulerSpec{Policy: twoLevel, Inner: "greedy", Active: active, SuspendReady: ready,
		SuspendAtBarrier: barrier, SuspendAfter: after}
}

// filled makes n warps, all ready, of which the first have the places.
func filled(a *activeSet, n int) *slotSets {
	s := &slotSets{}
	for i := range n {
		s.live |= 1 << i
		s.head |= 1 << i
		s.clear |= 1 << i
		if !a.full() {
			a.activate(i, s, 0)
			a.issued(i, false, 0)
		}
	}
	return s
}

// step is a cycle: who must leaves, who may enters. It returns who left, and
// who entered or -1.
func step(a *activeSet, s *slotSets, now wire.Cycle) (left uint64, entered int) {
	for c, m := range a.leaving(s, now) {
		left |= m
		for ; m != 0; m &= m - 1 {
			a.suspend(bits.TrailingZeros64(m), cause(c))
		}
	}
	slot := a.next(s)
	if slot >= 0 {
		a.activate(slot, s, now)
	}
	return left, slot
}

func TestPlacesAreGivenInTurn(t *testing.T) {
	a := newActiveSet(setSpec(2, true, true, 0), 1, "A", nil)
	s := filled(a, 5) // 0 and 1 active
	var got []int
	for _, leaves := range []int{0, 1, 2, 3, 4, 0, 1} {
		s.long = 1 << leaves
		_, entered := step(a, s, 0)
		a.issued(entered, false, 0)
		got = append(got, entered)
	}
	if d := cmp.Diff([]int{2, 3, 4, 0, 1, 2, 3}, got); d != "" {
		t.Error(d)
	}
}

func TestWhoLeavesComesBackInTheNextCycleAtTheSoonestAndThenIssues(t *testing.T) {
	a := newActiveSet(setSpec(1, true, true, 0), 1, "A", nil)
	s := filled(a, 2)
	s.clear, s.long = 0b01, 0b01 // the other waits for data
	if left, entered := step(a, s, 1); left != 0b01 || entered != -1 {
		t.Errorf("cycle 1: %b leaves, %d enters; want warp 0, nobody", left, entered)
	}
	if left, entered := step(a, s, 2); left != 0 || entered != 0 {
		t.Errorf("cycle 2: %b leaves, %d enters; want nobody, 0", left, entered)
	}
	for c := wire.Cycle(3); c < 10; c++ {
		if left, _ := step(a, s, c); left != 0 {
			t.Fatalf("cycle %d: suspended again for the same instruction", c)
		}
	}
	a.issued(0, false, 10)
	if left, _ := step(a, s, 11); left != 0b01 {
		t.Error("the next long consumer does not suspend the warp")
	}
}

func TestAWarpEntersWhenItCouldIssueOrIsNewAndNotAtABarrier(t *testing.T) {
	for name, c := range map[string]struct {
		s     slotSets
		enter int
	}{
		"ready":                    {slotSets{live: 2, head: 2, clear: 2}, 1},
		"waits for a result":       {slotSets{live: 2, head: 2}, -1},
		"new, nothing fetched":     {slotSets{live: 2, fresh: 2}, 1},
		"new, its head waits":      {slotSets{live: 2, fresh: 2, head: 2}, -1},
		"old, nothing fetched":     {slotSets{live: 2}, -1},
		"ready, but at a barrier":  {slotSets{live: 2, head: 2, clear: 2, waitBar: 2}, -1},
		"its start is not noticed": {slotSets{live: 2, head: 2, clear: 2, fresh: 2, startPending: 2}, -1},
		"has ended":                {slotSets{live: 2, exited: 2}, -1},
	} {
		a := newActiveSet(setSpec(1, true, true, 0), 1, "A", nil)
		if got := a.next(&c.s); got != c.enter {
			t.Errorf("%s: slot %d enters, want %d", name, got, c.enter)
		}
	}
}

func TestALongConsumerWhoseDataIsThereMayKeepItsPlace(t *testing.T) {
	a := newActiveSet(setSpec(1, false, true, 0), 1, "A", nil)
	s := filled(a, 2)
	s.long = 0b01
	if left, _ := step(a, s, 1); left != 0 {
		t.Error("suspended with its data there")
	}
	s.clear, s.waitMem = 0b10, 0b01
	if left, entered := step(a, s, 2); left != 0b01 || entered != 1 {
		t.Errorf("%b leaves, %d enters; want warp 0 and 1: its data is awaited", left, entered)
	}
}

func TestAWarpAtABarrierLeavesAndWithoutThatOnlyIfAllAreThere(t *testing.T) {
	for _, c := range []struct {
		atBarrier bool
		wait      uint64
		left      uint64
	}{{true, 0b01, 0b01}, {false, 0b01, 0}, {false, 0b11, 0b11}} {
		a := newActiveSet(setSpec(2, true, c.atBarrier, 0), 1, "A", nil)
		s := filled(a, 3)
		s.waitBar = c.wait
		if left, _ := step(a, s, 1); left != c.left {
			t.Errorf("suspend at barrier %t, %02b wait: %02b leave, want %02b", c.atBarrier, c.wait, left, c.left)
		}
		if got := a.suspensions[barrierWait]; got != uint64(bits.OnesCount64(c.left)) {
			t.Errorf("%d suspensions counted", got)
		}
	}
}

func TestAWarpThatDoesNotIssueLeavesAfterTheGivenCycles(t *testing.T) {
	a := newActiveSet(setSpec(1, true, true, 20), 1, "A", nil)
	s := filled(a, 2)
	a.issued(0, false, 5)
	if at := a.due(s, 6); at != 25 {
		t.Errorf("due at %d, want 25", at)
	}
	if left, _ := step(a, s, 24); left != 0 {
		t.Error("left at 24")
	}
	if left, entered := step(a, s, 25); left != 1 || entered != 1 || a.suspensions[stalled] != 1 {
		t.Errorf("%b leaves at 25, %d enters", left, entered)
	}
}

func TestWithNoMoreWarpsThanPlacesEachIsActiveFromItsStartAndStays(t *testing.T) {
	a := newActiveSet(setSpec(3, true, true, 5), 1, "A", nil)
	s := &slotSets{live: 0b111, fresh: 0b111}
	for i := range 3 {
		if !a.start(i, s, 1) {
			t.Fatalf("warp %d is not active", i)
		}
	}
	s.head, s.long, s.waitMem, s.waitBar = 0b111, 0b011, 0b001, 0b100
	for c := wire.Cycle(2); c < 50; c++ {
		if left, _ := step(a, s, c); left != 0 {
			t.Fatalf("cycle %d: %b leave", c, left)
		}
	}
	s.live |= 0b1000
	if a.start(3, s, 50) {
		t.Error("a fourth warp has a place of three")
	}
}

func TestActiveWarpsAreSummedOverCyclesWhateverTheTicks(t *testing.T) {
	a := newActiveSet(setSpec(4, true, true, 0), 1, "A", nil)
	filled(a, 3)
	a.account(10)
	a.account(10)
	a.account(15)
	a.issued(0, true, 15)
	a.account(25)
	// three until 15, then two
	if want := uint64(3*15 + 2*10); a.warpCycles != want {
		t.Errorf("%d warp-cycles, want %d", a.warpCycles, want)
	}
}

// The active set never holds more than it has places for, nor who has ended,
// and nobody enters out of turn.
func TestTheActiveSetKeepsItsBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(1, 8).Draw(t, "places")
		a := newActiveSet(setSpec(places, rapid.Bool().Draw(t, "ready"), rapid.Bool().Draw(t, "barrier"),
			rapid.IntRange(0, 9).Draw(t, "after")), 1, "A", nil)
		word := rapid.Uint64()
		s := slotSets{live: word.Draw(t, "live")}
		for now := wire.Cycle(1); now < 30; now++ {
			s.exited = s.live & word.Draw(t, "exited")
			for m := a.members & s.exited; m != 0; m &= m - 1 {
				a.issued(bits.TrailingZeros64(m), true, now)
			}
			s.head = s.running() & word.Draw(t, "head")
			s.clear = s.head & word.Draw(t, "clear")
			s.long = s.head & word.Draw(t, "long")
			s.waitBar = s.running() & word.Draw(t, "bar")
			before := a.members
			left, entered := step(a, &s, now)
			if n := bits.OnesCount64(a.members); n > places || a.members&^s.running() != 0 {
				t.Fatalf("%d of %d places taken, by %x of %x", n, places, a.members, s.running())
			}
			want := before &^ left
			if entered >= 0 {
				want |= 1 << entered
				if before>>entered&1 != 0 {
					t.Fatalf("slot %d enters, but was a member", entered)
				}
			}
			if a.members != want {
				t.Fatalf("members %x, want %x", a.members, want)
			}
		}
	})
}

// rotation runs n warps of six independent instructions, of which every other
// from the third on is a long consumer, with the given number of places.
func rotation(t *testing.T, places, n int) (*bench, []int) {
	t.Helper()
	var insts []ir.Inst
	for i := range 6 {
		insts = append(insts, inst(ir.ClassInt, []int{i + 1}, 0))
		insts[i].T.LongConsumer = i == 2 || i == 4
	}
	spec := testSpec()
	spec.Scheduler = *setSpec(places, true, true, 0)
	b := newBench(spec, kernelOf(insts...)) // the warp ends with the last
	b.warps(1, 1<<n-1)
	for pcs := range 3 {
		for slot := range n {
			b.fetch(wire.Cycle(2+pcs), slot, 2*pcs, 2*pcs+1)
		}
	}
	b.d.RunUntil(100)
	wantCycles(t, "issue", b.issuedAt()[:1], []wire.Cycle{3})
	for i, c := range b.issuedAt() {
		if c != wire.Cycle(3+i) {
			t.Errorf("instruction %d issues at %d, want one in every cycle from 3 on", i, c)
		}
	}
	return b, b.warpOrder()
}

// A warp issues two instructions, is suspended by the third, and gets its place
// back when its turn comes: the others issue two each meanwhile. There is no
// lost cycle: the place of a warp that leaves is taken in the same cycle.
func TestWarpsTakeTurnsAtTheirLongConsumers(t *testing.T) {
	for _, c := range []struct{ places, warps int }{{2, 4}, {2, 3}, {3, 5}} {
		b, got := rotation(t, c.places, c.warps)
		var want []int
		for range 3 {
			for w := range c.warps {
				want = append(want, w, w)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d of %d warps active (-want +got):\n%s", c.places, c.warps, d)
		}
		a := b.s.active
		if n := a.suspensions[longLatency]; n != uint64(2*c.warps) || a.activations != uint64(3*c.warps) {
			t.Errorf("%d suspensions, %d activations; want each of the %d warps suspended twice and activated three "+
				"times", n, a.activations, c.warps)
		}
	}
}

func TestWithAPlaceForEveryWarpLongConsumersAreAsAnyOther(t *testing.T) {
	for _, warps := range []int{1, 2, 4} {
		b, got := rotation(t, 4, warps)
		var want []int
		for w := range warps {
			want = append(want, w, w, w, w, w, w)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%d warps (-want +got):\n%s", warps, d)
		}
		if n := b.s.active.suspensions; n != [numCauses]uint64{} {
			t.Errorf("%v suspensions, want none", n)
		}
	}
}

// One place, two warps: while warp 0 waits at the barrier, suspended, warp 1
// issues and waits too.
func TestASuspendedWarpIsNoticedAndItsSlotsAreInactive(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	ear, notices := listener(d, 8)
	notices.Events = regfile.Events(regfile.WarpActivated, regfile.WarpSuspended, regfile.WarpIssued)
	long := inst(ir.ClassInt, []int{2}, 1)
	long.T.LongConsumer = true
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0), long, inst(ir.ClassExit, nil))
	spec := testSpec()
	spec.Scheduler = *setSpec(1, true, true, 0)
	b := newBenchOf(spec, k, d, &planes{notices: notices})
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 0, 1)
	for i := range 2 { // warp 0's result at 11, warp 1's at 13
		b.read.Send(wire.Cycle(6+i), op.Read{Inst: &k.Insts[0], Warp: uint16(i)})
		b.done.Send(wire.Cycle(10+2*i), op.Done{Inst: &k.Insts[0], Warp: uint16(i)})
	}
	b.d.RunUntil(40)
	want := []heard{ // each sent a cycle before
		{3, regfile.WarpActivated, 0, 0}, {4, regfile.WarpIssued, 0, 0},
		{5, regfile.WarpSuspended, 0, 1}, {5, regfile.WarpActivated, 1, 0}, {5, regfile.WarpIssued, 1, 0},
		{6, regfile.WarpSuspended, 1, 1},
		{12, regfile.WarpActivated, 0, 0}, {12, regfile.WarpIssued, 0, 1},
	}
	if d := cmp.Diff(want, hearing(ear)); d != "" {
		t.Errorf("notices (-want +got):\n%s", d)
	}
	// warp 0 keeps its place: nothing more is fetched for it. From 13 on warp 1
	// could issue.
	if got := b.slotsOf(nil, 40)["inactive"]; got != 28 {
		t.Errorf("%d slots lost to warps that are not active, want 28, 13 to 40: %v", got, b.slotsOf(nil, 40))
	}
}

// One place, two warps. Warp 0 is to be suspended for its second instruction from cycle 4
// on; its first one has read its operands at 10, of which the scheduler hears at 11.
func TestADesignMayHaveWarpsSuspendedOnlyWhenTheyHaveReadTheirOperands(t *testing.T) {
	for drained, leaves := range map[bool]wire.Cycle{false: 4, true: 11} {
		d := wire.NewDomain("core", ghz)
		ear, notices := listener(d, 8)
		notices.Events = regfile.Events(regfile.WarpActivated, regfile.WarpSuspended)
		notices.Drained = drained
		use := inst(ir.ClassInt, []int{2}, 1)
		use.T.LongConsumer = true
		k := kernelOf(inst(ir.ClassLoad, []int{1}, 0), use)
		spec := testSpec()
		spec.Scheduler = *setSpec(1, true, true, 0)
		b := newBenchOf(spec, k, d, &planes{notices: notices})
		b.warps(1, 0b11)
		b.fetch(2, 0, 0, 1)
		b.fetch(2, 1, 0)
		b.read.Send(10, op.Read{Inst: &k.Insts[0]})
		b.d.RunUntil(30)
		want := []heard{ // each sent a cycle before
			{3, regfile.WarpActivated, 0, 0}, {leaves + 1, regfile.WarpSuspended, 0, 1},
			{leaves + 1, regfile.WarpActivated, 1, 0},
		}
		if d := cmp.Diff(want, hearing(ear)); d != "" {
			t.Errorf("drained %t: notices (-want +got):\n%s", drained, d)
		}
	}
}

func TestAnActiveSetThatSchedulersCannotShareIsRefused(t *testing.T) {
	for active, ok := range map[int]bool{0: false, 2: false, 3: true, 7: false, 9: true, 12: false} {
		err := setSpec(active, true, true, 0).check(3, 8)
		if (err == nil) != ok {
			t.Errorf("%d active warps, 3 schedulers, 8 contexts: %v", active, err)
		}
	}
	for _, bad := range []SchedulerSpec{{Policy: "none"}, {Policy: twoLevel, Active: 3},
		{Policy: "lrr", Inner: "two-level"},
		{Policy: "lrr", SuspendAfter: -1}, {Policy: fetchGroup}, {Policy: fetchGroup, Group: 65}} {
		if bad.check(3, 8) == nil {
			t.Errorf("%s is accepted", fmt.Sprintf("%+v", bad))
		}
	}
}

// One place, two warps, of which the first issues at 3 and then waits for its
// result: with suspension after 20 cycles it leaves at 23, when nothing else
// happens, and the other issues in that cycle.
func TestAStalledWarpLeavesInTheCycleInWhichItIsDue(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0), inst(ir.ClassInt, []int{2}, 1), inst(ir.ClassExit, nil))
	spec := testSpec()
	spec.Scheduler = *setSpec(1, true, true, 20)
	b := newBench(spec, k)
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 0, 1)
	b.d.RunUntil(40)
	wantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 23})
	if d := cmp.Diff([]int{0, 1}, b.warpOrder()); d != "" {
		t.Error(d)
	}
	// ready from 3 on, warp 1 is inactive in the cycles 4 to 22
	if got := b.slotsOf(nil, 40)["inactive"]; got != 19 {
		t.Errorf("%d slots lost to inactive warps, want 19", got)
	}
}

func TestALongConsumerDoesNotIssueBesideTheInstructionBeforeIt(t *testing.T) {
	long := inst(ir.ClassInt, []int{2}, 0)
	long.T.LongConsumer = true
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0), long, inst(ir.ClassExit, nil))
	spec := testSpec()
	spec.IssueWidth = 2
	spec.Scheduler = *setSpec(1, true, true, 0)
	b := newBench(spec, k)
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1)
	b.fetch(2, 1, 0, 1)
	b.d.RunUntil(40)
	// 0 leaves at 4 for 1, that leaves at 5 for 0, which then has its turn
	wantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 5})
	if d := cmp.Diff([]int{0, 1, 0}, b.warpOrder()); d != "" {
		t.Error(d)
	}
}

func TestAMissSuspendsAWarpUntilNothingFromMemoryIsAwaited(t *testing.T) {
	spec := setSpec(1, true, true, 0)
	spec.SuspendOn = onMiss
	a := newActiveSet(spec, 1, "A", nil)
	s := filled(a, 2)
	s.long = 0b01
	if left, _ := step(a, s, 1); left != 0 {
		t.Error("suspended by a use, without a miss")
	}
	s.missed = 0b01 // its next instruction could issue
	if left, entered := step(a, s, 2); left != 0b01 || entered != 1 || a.suspensions[longLatency] != 1 {
		t.Errorf("%b leaves, %d enters; want warp 0 and 1: it has missed", left, entered)
	}
	a.issued(1, true, 3)
	s.live = 0b01
	if _, entered := step(a, s, 4); entered != -1 {
		t.Errorf("%d enters with data outstanding", entered)
	}
	s.missed = 0
	if _, entered := step(a, s, 5); entered != 0 {
		t.Errorf("%d enters, want 0: its data is there", entered)
	}
}

// Of one place and two warps the first issues two loads at 3 and 4, and at 10 an
// instruction that uses neither. The note of a miss, sent at 10, suspends it at 11, and
// the other warp issues a load, which suspends it at 25. The first result of warp 0 at
// 21 is not enough: it comes back at 31, with the second.
func TestASchedulerHearsOfMisses(t *testing.T) {
	k := kernelOf(inst(ir.ClassLoad, []int{1}, 0), inst(ir.ClassLoad, []int{2}, 0), inst(ir.ClassInt, []int{3}, 4),
		inst(ir.ClassExit, nil))
	spec := testSpec()
	spec.Fetch.Buffer = 4
	spec.Scheduler = *setSpec(1, false, true, 0)
	spec.Scheduler.SuspendOn = onMiss
	b := newBench(spec, k)
	b.warps(1, 0b11)
	b.fetch(2, 0, 0, 1)
	b.fetch(9, 0, 2, 3)
	b.fetch(2, 1, 0)
	b.stores.Send(10, StoreNote{Warp: 0, Missed: true})
	b.done.Send(20, op.Done{Inst: &k.Insts[0], Warp: 0})
	b.done.Send(30, op.Done{Inst: &k.Insts[1], Warp: 0})
	b.stores.Send(24, StoreNote{Warp: 1, Missed: true})
	b.d.RunUntil(30)
	if n := b.s.active.activations; n != 2 {
		t.Errorf("%d activations by cycle 30, want 2", n)
	}
	b.d.RunUntil(31)
	if n := b.s.active.activations; n != 3 {
		t.Errorf("%d activations by cycle 31, want 3: warp 0 comes back", n)
	}
	wantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 4, 10, 11})
	if d := cmp.Diff([]int{0, 0, 0, 1}, b.warpOrder()); d != "" {
		t.Error(d)
	}
	if n := b.s.active.suspensions[longLatency]; n != 2 {
		t.Errorf("%d suspensions, want 2", n)
	}
}
