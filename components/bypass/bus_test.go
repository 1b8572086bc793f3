package bypass

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

func carry(t *testing.T, width, results, room int) (*stats.Registry, *wiretest.Sink[Result]) {
	t.Helper()
	d := wire.NewDomain("Core", 1e9)
	var reg stats.Registry
	b, err := NewBus("Bus", d, Spec{Width: width, Room: results}, &reg)
	if err != nil {
		t.Fatal(err)
	}
	in := wiretest.NewSource("Writeback", d, &b.In)
	out := wiretest.NewSink("Collectors", d, &b.Out, room)
	for i := range results {
		in.Send(9, Result{Tag: uint32(i + 1), Content: version.Content{Seq: uint32(i + 1), Lanes: 1}})
	}
	d.RunUntil(100)
	if len(out.Got) != results {
		t.Errorf("%d results came, want %d", len(out.Got), results)
	}
	for i, g := range out.Got {
		if g.Msg.Tag != uint32(i+1) || g.Msg.Content.Seq != g.Msg.Tag {
			t.Errorf("result %d came as %+v", i+1, g.Msg)
		}
	}
	return &reg, out
}

func TestABusCarriesAsManyResultsPerCycleAsItIsWide(t *testing.T) {
	for width, want := range map[int][]wire.Cycle{1: {11, 12, 13, 14, 15}, 2: {11, 11, 12, 12, 13},
		5: {11, 11, 11, 11, 11}} {
		reg, out := carry(t, width, 5, 10)
		if d := cmp.Diff(want, out.Cycles()); d != "" {
			t.Errorf("width %d: arrivals (-want +got):\n%s", width, d)
		}
		// Every cycle with results left at its end counts one.
		if got, want := reg.Snapshot()["regfile.bypass.conflicts"], uint64(5-1)/uint64(width); got != want {
			t.Errorf("width %d: %d conflicts, want %d", width, got, want)
		}
	}
}

func TestABusWaitsForRoomAndLosesNothing(t *testing.T) {
	reg, out := carry(t, 4, 5, 1)
	if len(out.Got) != 5 || reg.Snapshot()["regfile.bypass.results"] != 5 {
		t.Errorf("%d results arrived, %d counted", len(out.Got), reg.Snapshot()["regfile.bypass.results"])
	}
}
