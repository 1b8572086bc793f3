package crossbar

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/wire"
)

func TestABundleCountsItsTransfersAndTheCyclesThatValuesWait(t *testing.T) {
	r := newRig(t, Spec{Inputs: 3, Outputs: 2, Bundled: true})
	for i := range 3 {
		r.send(10, i, 1, uint32(i))
	}
	r.arrivals(t, 0, 12, 13, 14)
	if s := r.reg.Snapshot(); s["regfile.crossbar.transfers"] != 3 || s["regfile.crossbar.conflicts"] != 2+1 {
		t.Errorf("%d transfers and %d conflict cycles, want 3 and 3", s["regfile.crossbar.transfers"],
			s["regfile.crossbar.conflicts"])
	}
}

func TestAnInputOfABundleSendsAsManyValuesPerCycleAsItIsWide(t *testing.T) {
	for _, c := range []struct {
		width int
		want  []wire.Cycle
	}{{1, []wire.Cycle{12, 13, 14}}, {2, []wire.Cycle{12, 12, 13}}} {
		// The second input is idle, so the width of the whole would allow more.
		r := newRig(t, Spec{Inputs: 4, Outputs: 3, InputWidth: c.width, Bundled: true})
		for o := range 3 {
			r.send(10, 0, o, uint32(o))
		}
		r.arrivals(t, 0, c.want...)
	}
}

func TestTheWidthOfABundleBoundsAllTransfersOfACycle(t *testing.T) {
	r := newRig(t, Spec{Paths: Paths{Width: 2}, Inputs: 5, Outputs: 5, Bundled: true})
	for i := range 5 {
		r.send(10, i, i, 1)
	}
	r.arrivals(t, 0, 12, 12, 13, 13, 14)
}

func TestABundleWithoutAWidthTakesWhatItsInputsSend(t *testing.T) {
	r := newRig(t, Spec{Inputs: 3, Outputs: 6, InputWidth: 2, Bundled: true})
	for v := range 6 {
		r.send(10, v/2, v, 1)
	}
	r.arrivals(t, 0, 12, 12, 12, 12, 12, 12)
}

func TestOutputsThatAre64ApartDoNotDisturbEachOther(t *testing.T) {
	for outputs, second := range map[int]int{64: 63, 65: 64, 128: 64} {
		t.Run(fmt.Sprint(outputs), func(t *testing.T) {
			r := newRig(t, Spec{Inputs: 3, Outputs: outputs, Bundled: true})
			r.send(10, 0, 0, 0)
			r.send(10, 1, second, 1)
			r.send(10, 2, second, 2)
			r.arrivals(t, 0, 12, 12, 13)
		})
	}
}

// A crossbar of width 1, with an output of its own for each input.
func TestTheFirstInputThatTheWidthHoldsUpGoesFirstInTheNextCycle(t *testing.T) {
	r := newRig(t, Spec{Paths: Paths{Width: 1}, Inputs: 3, Outputs: 3})
	for i := range 3 {
		r.send(10, i, i, 0)
		r.send(10, i, i, 1)
	}
	r.d.RunUntil(100)
	for o := range 3 {
		if d := cmp.Diff([]wire.Cycle{wire.Cycle(12 + o), wire.Cycle(15 + o)}, r.sink[o].Cycles()); d != "" {
			t.Errorf("output %d (-want +got):\n%s", o, d)
		}
	}
}

func TestAValueThatWaitsBehindAnotherOfItsInputIsCountedOnceACycle(t *testing.T) {
	r := newRig(t, Spec{Inputs: 2, Outputs: 2})
	for o := range 2 {
		r.send(10, 0, o, 1)
	}
	r.arrivals(t, 0, 12)
	r.arrivals(t, 1, 13)
	if n := r.conflicts(); n != 1 {
		t.Errorf("%d conflict cycles, want 1", n)
	}
}

func TestARouterHasAChannelToEveryOtherOfItsRowAndColumn(t *testing.T) {
	s := square()
	s.Inputs, s.Outputs, s.Rows, s.Columns = 12, 12, 2, 3
	for i, r := range newGrid(t, s).b.Routers {
		if len(r.To) != 3 || len(r.From) != 3 {
			t.Errorf("router %d has %d channels out and %d in, want 2 in its row and 1 in its column", i, len(r.To),
				len(r.From))
		}
	}
}

func TestACycleIsAHopConflictForEveryValueThatAChannelKeepsBack(t *testing.T) {
	s := square()
	s.Cycles = 4
	g := newGrid(t, s)
	g.send(10, 0, 2, 0)
	g.send(10, 1, 3, 1) // 10 to 13, while the channel to router 1 carries the first
	if n := len(g.arrivals(1)); n != 2 {
		t.Fatalf("%d values arrived, want 2", n)
	}
	if n := g.reg.Snapshot()["regfile.network.hop_conflicts"]; n != 4 {
		t.Errorf("%d hop conflicts, want 4", n)
	}
}
