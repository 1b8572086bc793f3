package tagarray

import (
	"testing"

	"github.com/golang/mock/gomock"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

//go:generate go tool mockgen -source=unit_test.go -destination=mock_test.go -package=tagarray

// answerSide is what surrounds a tag array on the side of its answers.
type answerSide interface {
	Answered(now wire.Cycle, a Answer)
}

var _ answerSide = (*MockanswerSide)(nil)

// unitRig is a unit of one set of two ways between a source and a mock.
type unitRig struct {
	d    *wire.Domain
	u    *Unit
	in   *wiretest.Source[Lookup]
	out  *wiretest.Sink[Answer]
	mock *MockanswerSide
}

func newUnitRig(t *testing.T, ports, latency int) *unitRig {
	t.Helper()
	r := &unitRig{d: wire.NewDomain("Core", 1e9), mock: NewMockanswerSide(gomock.NewController(t))}
	var err error
	r.u, err = NewUnit("Tags", "tags", r.d, UnitSpec{
		Spec:  Spec{Sets: 1, Ways: 2, Line: 128, Sector: 32, Replace: "lru", Index: "linear"},
		Ports: ports, Latency: latency, Queue: 4,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.in = wiretest.NewSource("In", r.d, &r.u.In)
	r.out = wiretest.NewLooseSink[Answer]("Out", r.d, 16)
	r.u.Connect(&r.out.In)
	return r
}

// run lets the mock see every answer with the cycle in which it was visible.
func (r *unitRig) run() {
	r.d.RunUntil(200)
	for _, g := range r.out.Got {
		r.mock.Answered(g.Cycle, g.Msg)
	}
}

func TestALookupIsAnsweredAfterTheLatency(t *testing.T) {
	r := newUnitRig(t, 1, 3)
	r.in.Send(9, Lookup{Addr: 0x80, Tag: 7, Sectors: 1}) // seen at 10, answered 3 later
	r.mock.EXPECT().Answered(wire.Cycle(13), Answer{Tag: 7, Entry: -1})
	r.run()
}

func TestOnePortStartsOneLookupPerCycle(t *testing.T) {
	r := newUnitRig(t, 1, 1)
	for i := range uint32(3) {
		r.in.Send(9, Lookup{Addr: 0x80, Tag: i, Sectors: 1})
	}
	for i := range uint32(3) {
		r.mock.EXPECT().Answered(wire.Cycle(11+i), Answer{Tag: i, Entry: -1})
	}
	r.run()
	if r.u.conflicts != 3 {
		t.Errorf("%d conflict cycles, want 3: two look-ups wait in the first cycle and one in the second", r.u.conflicts)
	}
}

func TestTwoPortsStartTwoLookupsPerCycle(t *testing.T) {
	r := newUnitRig(t, 2, 1)
	for i := range uint32(3) {
		r.in.Send(9, Lookup{Addr: 0x80, Tag: i, Sectors: 1})
		r.mock.EXPECT().Answered(wire.Cycle(11+i/2), Answer{Tag: i, Entry: -1})
	}
	r.run()
}

func TestAnAllocatedLineHitsOnceItsSectorsHaveCome(t *testing.T) {
	r := newUnitRig(t, 1, 1)
	for i, l := range []Lookup{
		{Addr: 0x80, Sectors: 0b0011, Action: Allocate},
		{Addr: 0x80, Sectors: 0b0001, Action: Probe},
		{Addr: 0x80, Sectors: 0b0011, Action: Fill},
		{Addr: 0x80, Sectors: 0b0001, Action: Probe},
		{Addr: 0x80, Sectors: 0b0100, Action: Probe},
	} {
		l.Tag = uint32(i)
		r.in.Send(wire.Cycle(9+i), l)
	}
	r.mock.EXPECT().Answered(wire.Cycle(11), Answer{Tag: 0, Entry: 0})
	r.mock.EXPECT().Answered(wire.Cycle(12), Answer{Tag: 1, Entry: 0, Line: true})
	r.mock.EXPECT().Answered(wire.Cycle(13), Answer{Tag: 2, Entry: 0, Line: true})
	r.mock.EXPECT().Answered(wire.Cycle(14), Answer{Tag: 3, Entry: 0, Line: true, Hit: true})
	r.mock.EXPECT().Answered(wire.Cycle(15), Answer{Tag: 4, Entry: 0, Line: true})
	r.run()
}

func TestAnAllocationEvictsTheLeastRecentlyUsedLineThatIsNotOnItsWay(t *testing.T) {
	r := newUnitRig(t, 1, 1)
	for i, l := range []Lookup{
		{Addr: 0x000, Sectors: 1, Action: Allocate},
		{Addr: 0x000, Sectors: 1, Action: Fill},
		{Addr: 0x080, Sectors: 1, Action: Allocate},
		{Addr: 0x080, Sectors: 1, Action: Fill},
		{Addr: 0x000, Sectors: 1, Action: Use},
		{Addr: 0x100, Sectors: 1, Action: Allocate}, // takes the place of 0x080
		{Addr: 0x180, Sectors: 1, Action: Allocate}, // of 0x000, since 0x100 is on its way
		{Addr: 0x200, Sectors: 1, Action: Allocate}, // both are on their way
	} {
		l.Tag = uint32(i)
		r.in.Send(wire.Cycle(9+i), l)
	}
	r.mock.EXPECT().Answered(wire.Cycle(16), Answer{Tag: 5, Entry: 1, Evicted: Evicted{Addr: 0x080, Valid: 1, Present: true}})
	r.mock.EXPECT().Answered(wire.Cycle(17), Answer{Tag: 6, Entry: 0, Evicted: Evicted{Addr: 0x000, Valid: 1, Present: true}})
	r.mock.EXPECT().Answered(wire.Cycle(18), Answer{Tag: 7, Entry: -1})
	r.mock.EXPECT().Answered(gomock.Any(), gomock.Any()).Times(5)
	r.run()
}

func TestAnInvalidatedLineIsGone(t *testing.T) {
	r := newUnitRig(t, 1, 1)
	for i, a := range []Action{Allocate, Invalidate, Probe} {
		r.in.Send(wire.Cycle(9+i), Lookup{Addr: 0x80, Sectors: 1, Tag: uint32(i), Action: a})
	}
	r.mock.EXPECT().Answered(wire.Cycle(13), Answer{Tag: 2, Entry: -1})
	r.mock.EXPECT().Answered(gomock.Any(), gomock.Any()).Times(2)
	r.run()
}
