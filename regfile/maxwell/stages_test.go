package maxwell

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// An operation visible in cycle 10 reads in 10 and 11, is on Ready in 11 and in its unit in 12. So two registers of
// a bank add nothing, and three add a cycle.
func TestAnOperationReadsOneRegisterOfABankPerCycle(t *testing.T) {
	for _, c := range []struct {
		src  []ir.RegID
		want wire.Cycle
	}{
		{nil, 12}, {[]ir.RegID{1, 2, 3}, 12}, {[]ir.RegID{1, 5, 2}, 12}, {[]ir.RegID{1, 5, 9}, 13},
		{[]ir.RegID{1, 1, 5}, 12}, {[]ir.RegID{1, 1, 1}, 12}, {[]ir.RegID{1, 5, 9, 13}, 14},
	} {
		r := newRig(t, nil)
		r.send(10, 0, 0, fma(40, 0, c.src...))
		r.run()
		if d := cmp.Diff([]wire.Cycle{c.want}, r.arrived(0)); d != "" {
			t.Errorf("%v (-want +got):\n%s", c.src, d)
		}
		if got, want := r.Stat("maxwell.halts"), uint64(c.want-12); got != want {
			t.Errorf("%v: %d cycles in which nothing moves, want %d", c.src, got, want)
		}
		r.Checked(uint64(len(c.src)))
	}
}

// The first instruction reads bank 1 in cycles 10 to 12. It stops the second in the first stage; the second reads
// banks 2, 3 and 0 in cycle 11.
func TestAnOperationStopsTheOnesBehind(t *testing.T) {
	r := newRig(t, nil)
	r.send(10, 0, 0, fma(40, 0, 1, 5, 9))
	r.send(11, 0, 0, fma(41, 0, 2, 3, 4))
	r.run()
	if d := cmp.Diff([]wire.Cycle{13, 14}, r.arrived(0)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := r.Stat("maxwell.conflicts"); got != 3 { // of two registers in cycle 10 and one in 11
		t.Errorf("%d register-cycles of conflicts, want 3", got)
	}
	r.Checked(6)
}

// Both want bank 1, the first in cycles 10 and 11. The second reads there in 12 and 13, and should
// have left the last stage in 12.
func TestTheOlderOperationReadsFirst(t *testing.T) {
	r := newRig(t, nil)
	r.send(10, 0, 0, fma(40, 0, 1, 5))
	r.send(11, 0, 0, fma(41, 0, 9, 13))
	r.run()
	if d := cmp.Diff([]wire.Cycle{12, 14}, r.arrived(0)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	r.Checked(4)
}

// Nothing moves in cycle 11, as decided in cycle 10: the gate is seen closed in cycle 11, and in no other.
func TestTheGateIsClosedInTheCyclesInWhichNothingMoves(t *testing.T) {
	r := newRig(t, nil)
	g := r.f.Gates()
	if len(g) != 1 || !g[0].Stops || g[0].Signal(0) == nil {
		t.Fatalf("gates %+v", g)
	}
	var closed []wire.Cycle
	w := &watcher{signal: g[0].Signal(0), closed: &closed}
	w.Init("Watcher", r.Domain, w)
	r.send(10, 0, 0, fma(40, 0, 1, 5, 9))
	r.send(11, 0, 0, fma(41, 0, 2, 3, 4))
	r.send(20, 0, 0, fma(41, 0, 2, 3, 4))
	r.run()
	if d := cmp.Diff([]wire.Cycle{11}, closed); d != "" {
		t.Errorf("closed (-want +got):\n%s", d)
	}
}

// watcher records the cycles in which a gate is closed to warps 0 and 7.
type watcher struct {
	wire.Comp
	signal *wire.Signal[regfile.WarpSet]
	closed *[]wire.Cycle
}

func (w *watcher) Tick(now wire.Cycle) bool {
	if s := w.signal.Get(); s.Has(0) && s.Has(7) {
		*w.closed = append(*w.closed, now)
	}
	return true
}

// Unit 1 has a message on its port and one in a latch; the third stays in the last stage, and the
// operation of unit 0 behind it cannot pass.
func TestAUnitThatStopsHoldsOthersWhenItsLatchesAreFull(t *testing.T) {
	for stuck, want := range map[int]int{2: 1, 3: 0} {
		r := newRig(t, nil)
		r.stopped = true
		for i := range stuck {
			r.send(10+wire.Cycle(i), 0, 1, fma(-1, 0, 1))
		}
		r.send(20, 0, 0, fma(-1, 0, 2))
		r.run()
		if n := len(r.arrived(0)); n != want {
			t.Errorf("with %d operations of a unit that stops, %d of another one came out, want %d", stuck, n, want)
		}
		if r.f.subs[0].Waiting() == "" {
			t.Error("nothing is said to wait")
		}
		r.stopped = false
		r.Units[1].Wake()
		r.Domain.RunUntil(400)
		if n, m := len(r.arrived(0)), len(r.arrived(1)); n != 1 || m != stuck {
			t.Errorf("%d and %d operations came out in the end, want 1 and %d", n, m, stuck)
		}
		if w := r.f.subs[0].Waiting(); w != "" {
			t.Errorf("%s", w)
		}
	}
}

func TestTheSchedulerLearnsWhenAnOperationHasRead(t *testing.T) {
	r := newRig(t, nil)
	tag := r.send(10, 3, 0, fma(40, 0, 1, 5))
	r.send(11, 3, 0, fma(41, 0))
	r.run()
	if len(r.Reading[0].Got) != 1 || r.Reading[0].Got[0].Cycle != 12 || r.Reading[0].Got[0].Msg.Tag != tag {
		t.Errorf("notices %+v, want one at 12 of %d", r.Reading[0].Got, tag)
	}
}
