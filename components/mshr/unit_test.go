package mshr

import (
	"testing"

	"github.com/golang/mock/gomock"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

//go:generate go tool mockgen -source=unit_test.go -destination=mock_test.go -package=mshr

// cacheSide is what surrounds a file of miss status holding registers.
type cacheSide interface {
	Taken(now wire.Cycle, m Taken)
	Woken(now wire.Cycle, w Woken)
}

var _ cacheSide = (*MockcacheSide)(nil)

type unitRig struct {
	d       *wire.Domain
	u       *Unit
	miss    *wiretest.Source[Miss]
	arrival *wiretest.Source[Arrival]
	taken   *wiretest.Sink[Taken]
	woken   *wiretest.Sink[Woken]
	mock    *MockcacheSide
}

func newUnitRig(t *testing.T, entries, merges int) *unitRig {
	t.Helper()
	r := &unitRig{d: wire.NewDomain("Core", 1e9), mock: NewMockcacheSide(gomock.NewController(t))}
	var err error
	if r.u, err = NewUnit("MSHR", "mshr", r.d, Spec{Entries: entries, Merges: merges}, nil); err != nil {
		t.Fatal(err)
	}
	r.miss = wiretest.NewSource("Miss", r.d, &r.u.Miss)
	r.arrival = wiretest.NewSource("Arrival", r.d, &r.u.Arrival)
	r.taken = wiretest.NewSink("Taken", r.d, &r.u.Taken, 4)
	r.woken = wiretest.NewSink("Woken", r.d, &r.u.Woken, 4)
	return r
}

// run lets the mock see every message with the cycle in which it was visible.
func (r *unitRig) run() {
	r.d.RunUntil(300)
	for _, g := range r.taken.Got {
		r.mock.Taken(g.Cycle, g.Msg)
	}
	for _, g := range r.woken.Got {
		r.mock.Woken(g.Cycle, g.Msg)
	}
}

func TestAMissIsTakenInACycleAndTellsWhatToFetch(t *testing.T) {
	r := newUnitRig(t, 2, 2)
	r.miss.Send(9, Miss{Line: 5, Tag: 1, Sectors: 0b0011}) // seen at 10
	r.mock.EXPECT().Taken(wire.Cycle(11), Taken{Line: 5, Tag: 1, Fetch: 0b0011})
	r.run()
}

func TestASecondMissOfALineFetchesOnlyWhatIsNotOnItsWay(t *testing.T) {
	r := newUnitRig(t, 2, 2)
	r.miss.Send(9, Miss{Line: 5, Tag: 1, Sectors: 0b0011})
	r.miss.Send(10, Miss{Line: 5, Tag: 2, Sectors: 0b0110})
	r.mock.EXPECT().Taken(wire.Cycle(11), Taken{Line: 5, Tag: 1, Fetch: 0b0011})
	r.mock.EXPECT().Taken(wire.Cycle(12), Taken{Line: 5, Tag: 2, Fetch: 0b0100})
	r.run()
	if r.u.merged != 1 || r.u.Used() != 1 {
		t.Errorf("merged %d, lines outstanding %d; want 1 and 1", r.u.merged, r.u.Used())
	}
}

func TestAnArrivalWakesTheAccessesThatHaveAllTheirSectorsOneACycle(t *testing.T) {
	r := newUnitRig(t, 2, 4)
	for i, s := range []uint8{0b0001, 0b0001, 0b0011} {
		r.miss.Send(wire.Cycle(9+i), Miss{Line: 5, Tag: uint32(i), Sectors: s})
	}
	r.arrival.Send(29, Arrival{Line: 5, Sectors: 0b0001})
	r.arrival.Send(39, Arrival{Line: 5, Sectors: 0b0010})
	r.mock.EXPECT().Taken(gomock.Any(), gomock.Any()).Times(3)
	r.mock.EXPECT().Woken(wire.Cycle(31), Woken{Line: 5, Tag: 0})
	r.mock.EXPECT().Woken(wire.Cycle(32), Woken{Line: 5, Tag: 1})
	r.mock.EXPECT().Woken(wire.Cycle(41), Woken{Line: 5, Tag: 2})
	r.run()
	if r.u.Used() != 0 {
		t.Errorf("%d lines outstanding, want none", r.u.Used())
	}
}

func TestAMissWaitsForAnEntryAndTakesTheOneThatAnArrivalFrees(t *testing.T) {
	r := newUnitRig(t, 1, 2)
	r.miss.Send(9, Miss{Line: 5, Tag: 1, Sectors: 1})
	r.miss.Send(9, Miss{Line: 6, Tag: 2, Sectors: 1})
	r.arrival.Send(49, Arrival{Line: 5, Sectors: 1})
	r.mock.EXPECT().Taken(wire.Cycle(11), Taken{Line: 5, Tag: 1, Fetch: 1})
	// the line arrives at 50, its access is woken and the entry closed; the miss
	// that has waited since 11 is taken in the same cycle
	r.mock.EXPECT().Woken(wire.Cycle(51), Woken{Line: 5, Tag: 1})
	r.mock.EXPECT().Taken(wire.Cycle(51), Taken{Line: 6, Tag: 2, Fetch: 1})
	r.run()
	if r.u.stalled[NoEntry] != 39 || r.u.stalled[NoMerge] != 0 {
		t.Errorf("stalled %v, want 39 cycles for an entry (11 to 49)", r.u.stalled)
	}
}

func TestAMissWaitsForRoomInTheEntryOfItsLine(t *testing.T) {
	r := newUnitRig(t, 4, 1)
	r.miss.Send(9, Miss{Line: 5, Tag: 1, Sectors: 1})
	r.miss.Send(9, Miss{Line: 5, Tag: 2, Sectors: 1})
	r.arrival.Send(29, Arrival{Line: 5, Sectors: 1})
	r.mock.EXPECT().Taken(wire.Cycle(11), Taken{Line: 5, Tag: 1, Fetch: 1})
	r.mock.EXPECT().Woken(wire.Cycle(31), Woken{Line: 5, Tag: 1})
	r.mock.EXPECT().Taken(wire.Cycle(31), Taken{Line: 5, Tag: 2, Fetch: 1})
	r.run()
	if r.u.stalled[NoMerge] != 19 {
		t.Errorf("stalled %v, want 19 cycles for a merge (11 to 29)", r.u.stalled)
	}
}
