package bank

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
)

//go:generate go tool mockgen -source=bank_test.go -destination=mock_test.go -package=bank

// operandSide is the receiver of a bank's values, in place of the crossbar.
type operandSide interface {
	Receive(now wire.Cycle, v Value)
}

type rig struct {
	d    *wire.Domain
	b    *Bank
	src  *wiretest.Source[Access]
	sink *wiretest.Sink[Value]
	reg  stats.Registry
}

func newRig(t *testing.T, s Spec) *rig {
	t.Helper()
	r := &rig{d: wire.NewDomain("Core", 1e9)}
	if s.Entries == 0 {
		s.Entries = 64
	}
	if s.Slices == 0 {
		s.Slices = 1
	}
	if s.ReadLatency == 0 {
		s.ReadLatency = 1
	}
	if s.WriteLatency == 0 {
		s.WriteLatency = 1
	}
	b, err := New("Bank", r.d, s, true, &r.reg)
	if err != nil {
		t.Fatal(err)
	}
	r.b = b
	r.src = wiretest.NewSource("Arbiter", r.d, &b.In)
	r.sink = wiretest.NewLooseSink[Value]("Crossbar", r.d, 16)
	b.Connect(&r.sink.In)
	return r
}

func (r *rig) read(put wire.Cycle, entry uint32) {
	r.src.Send(put, Access{Entry: entry, Tag: entry, Content: version.Content{Lanes: version.FullMask}})
}

func (r *rig) write(put wire.Cycle, entry, seq, lanes uint32) {
	r.src.Send(put, Access{Entry: entry, Kind: Write, Cause: Result, Content: version.Content{Seq: seq, Lanes: lanes}})
}

// arrivals runs the bank and compares the cycles in which values arrive.
func (r *rig) arrivals(t *testing.T, want ...wire.Cycle) {
	t.Helper()
	r.d.RunUntil(200)
	if d := cmp.Diff(want, r.sink.Cycles()); d != "" {
		t.Fatalf("arrivals (-want +got):\n%s", d)
	}
}

func TestAReadReturnsItsLatencyAfterItIsVisible(t *testing.T) {
	for latency := 1; latency <= 4; latency++ {
		r := newRig(t, Spec{Timing: Timing{ReadLatency: latency}})
		r.read(10, 3) // visible at 11
		r.arrivals(t, 11+wire.Cycle(latency))
	}
}

func TestAValueBearsWhatWasWrittenAndTheRequestersMarks(t *testing.T) {
	ctl := gomock.NewController(t)
	defer ctl.Finish()
	mock := NewMockoperandSide(ctl)
	var far operandSide = mock
	r := newRig(t, Spec{})
	r.sink.Receive = far.Receive
	written := version.Content{Seq: 42, Lanes: 0xff}
	mock.EXPECT().Receive(wire.Cycle(13), Value{Content: written, Tag: 7, To: 5, Slot: 2})
	r.write(10, 3, 42, 0xff)
	r.src.Send(11, Access{Entry: 3, Tag: 7, To: 5, Slot: 2})
	r.d.RunUntil(30)
}

// Accesses sent at 10, W writes and R reads, start at 11 where they have a port. A read arrives a cycle later.
func TestABankStartsAsManyAccessesPerCycleAsItHasPorts(t *testing.T) {
	for _, c := range []struct {
		accesses string
		ports    []Ports
		want     []wire.Cycle
	}{
		{"RWR", []Ports{Single}, []wire.Cycle{12, 14}},
		{"WR", []Ports{OneReadOneWrite, Dual, TwoReadOneWrite}, []wire.Cycle{12}},
		{"RR", []Ports{OneReadOneWrite}, []wire.Cycle{12, 13}},
		{"RR", []Ports{TwoReadOneWrite, Dual}, []wire.Cycle{12, 12}},
	} {
		for _, p := range c.ports {
			r := newRig(t, Spec{Ports: p})
			for i, a := range c.accesses {
				if a == 'R' {
					r.read(10, uint32(i))
				} else {
					r.write(10, uint32(i), 1, 1)
				}
			}
			r.arrivals(t, c.want...)
		}
	}
}

func TestAPipelinedBankStartsAReadPerCycleWhateverItsLatency(t *testing.T) {
	r := newRig(t, Spec{Timing: Timing{ReadLatency: 5}})
	for i := wire.Cycle(0); i < 4; i++ {
		r.read(10+i, 1)
	}
	r.arrivals(t, 16, 17, 18, 19)
}

func TestABlockingBankIsOccupiedForTheWholeLatency(t *testing.T) {
	r := newRig(t, Spec{Timing: Timing{ReadLatency: 3, WriteLatency: 2, Blocking: true}})
	r.read(10, 1) // starts at 11, occupies 11 to 13
	r.write(10, 1, 1, 1)
	r.read(12, 1) // write starts at 14, occupies 14 and 15; this starts at 16
	r.arrivals(t, 14, 19)
}

func TestABlockingBankWithTwoPortsReadsWhileItWrites(t *testing.T) {
	r := newRig(t, Spec{Timing: Timing{ReadLatency: 3, WriteLatency: 9, Blocking: true}, Ports: OneReadOneWrite})
	r.write(10, 1, 1, 1)
	r.read(11, 1)
	r.read(12, 1) // behind the first read: starts at 15
	r.arrivals(t, 15, 18)
}

func TestAReadBehindAWriteInTheSameCycleReturnsWhatIsWritten(t *testing.T) {
	r := newRig(t, Spec{Ports: OneReadOneWrite})
	r.write(10, 4, 9, 3)
	r.read(10, 4)
	r.arrivals(t, 12)
	if got := r.sink.Got[0].Msg.Content.Lane(1); got != 9 {
		t.Fatalf("version %d, want 9", got)
	}
}

func TestAMaskedWriteKeepsTheOtherLanesAndAFillDoesNot(t *testing.T) {
	r := newRig(t, Spec{})
	r.write(10, 4, 1, 0xff)
	r.write(11, 4, 2, 0x0f)
	r.d.RunUntil(20)
	if c := r.b.Holds(4); c.Lane(0) != 2 || c.Lane(7) != 1 {
		t.Fatalf("after a masked write: %+v", c)
	}
	r.src.Send(21, Access{Entry: 4, Kind: Fill, Cause: Prefetch, Content: version.Content{Seq: 3, Lanes: 1}})
	r.d.RunUntil(30)
	if c := r.b.Holds(4); c.Mask() != 1 || c.Lane(0) != 3 {
		t.Fatalf("after a fill: %+v", c)
	}
}

func TestABankWhoseOutputIsBlockedHoldsItsAccessesInOrder(t *testing.T) {
	r := newRig(t, Spec{Ports: Dual})
	r.sink.Refuse, r.sink.PerCycle = func(now wire.Cycle) bool { return now < 60 }, 1
	for i := uint32(0); i < 24; i++ {
		r.read(10, i)
	}
	r.d.RunUntil(200)
	if len(r.sink.Got) != 24 {
		t.Fatalf("%d values, want 24", len(r.sink.Got))
	}
	for i, g := range r.sink.Got {
		if g.Msg.Tag != uint32(i) {
			t.Fatalf("value %d is of entry %d", i, g.Msg.Tag)
		}
	}
}

func TestSlicesWithoutAnActiveLaneStayOff(t *testing.T) {
	for _, c := range []struct {
		slices int
		lanes  uint32
		want   uint64
	}{
		{8, version.FullMask, 8}, {8, 1, 1}, {8, 0x8000_0010, 2}, {8, 0, 0}, {1, 1, 1}, {1, 0, 0},
		{2, 0xffff, 1}, {2, 0x1_0001, 2}, {4, 0x0100_0001, 2},
	} {
		r := newRig(t, Spec{Slices: c.slices})
		r.src.Send(1, Access{Content: version.Content{Lanes: c.lanes}})
		r.write(2, 1, 1, c.lanes)
		r.d.RunUntil(10)
		s := r.reg.Snapshot()
		if s["regfile.bank.slice_reads"] != c.want || s["regfile.bank.slice_writes"] != c.want {
			t.Errorf("%d slices, lanes %#x: %d read, %d written, want %d", c.slices, c.lanes,
				s["regfile.bank.slice_reads"], s["regfile.bank.slice_writes"], c.want)
		}
	}
}

func TestAccessesAreCountedByCause(t *testing.T) {
	r := newRig(t, Spec{Causes: 1<<Operand | 1<<Result | 1<<Prefetch})
	r.read(1, 0)
	r.write(2, 0, 1, 1)
	r.src.Send(3, Access{Cause: Prefetch})
	r.d.RunUntil(10)
	s := r.reg.Snapshot()
	for name, want := range map[string]uint64{"regfile.bank.reads.operand": 1, "regfile.bank.reads.prefetch": 1,
		"regfile.bank.writes.result": 1, "regfile.bank.writes.prefetch": 0} {
		if s[name] != want {
			t.Errorf("%s = %d, want %d", name, s[name], want)
		}
	}
}

func TestValuesForRequestersFromANumberOnLeaveByTheSide(t *testing.T) {
	r := newRig(t, Spec{Timing: Timing{ReadLatency: 2}, SideFrom: 5, Ports: Dual})
	side := wiretest.NewLooseSink[Value]("Back", r.d, 16)
	r.b.ConnectSide(&side.In)
	r.write(5, 3, 9, version.FullMask)
	for i, to := range []uint8{4, 5, 7} {
		r.src.Send(10+wire.Cycle(i), Access{Entry: 3, Tag: 70, Slot: 2, To: to,
			Content: version.Content{Lanes: version.FullMask}})
	}
	r.arrivals(t, 13)
	if got := r.sink.Got[0].Msg; got.To != 4 {
		t.Errorf("by Out: %+v", got)
	}
	if d := cmp.Diff([]wire.Cycle{14, 15}, side.Cycles()); d != "" {
		t.Fatalf("by Side (-want +got):\n%s", d)
	}
	for i, to := range []uint8{0, 2} {
		if got := side.Got[i].Msg; got.To != to || got.Tag != 70 || got.Slot != 2 || got.Content.Lane(8) != 9 {
			t.Errorf("by Side: %+v, want it for requester %d", got, to)
		}
	}
}

func TestAFullSideHoldsUpWhatComesBehind(t *testing.T) {
	r := newRig(t, Spec{SideFrom: 1, Ports: OneReadOneWrite})
	side := wiretest.NewSink("Back", r.d, &r.b.Side, 1)
	side.Refuse = func(now wire.Cycle) bool { return now < 40 }
	for i, to := range []uint8{1, 1, 0} {
		r.src.Send(10+wire.Cycle(i), Access{Entry: 3, To: to, Content: version.Content{Lanes: version.FullMask}})
	}
	// The first is at the sink at 12 and stays to 40; its room is seen at 41.
	r.arrivals(t, 43)
}

func TestBanksOfASecondLevelAreCountedUnderANameOfTheirOwn(t *testing.T) {
	r := newRig(t, Spec{Prefix: "x.cache", Of: "a cache", Causes: 1<<Operand | 1<<Prefetch})
	r.read(10, 3)
	r.src.Send(12, Access{Entry: 4, Kind: Write, Cause: Prefetch, Content: version.Content{Seq: 1, Lanes: 0xff}})
	r.d.RunUntil(50)
	want := map[string]uint64{"x.cache.reads.operand": 1, "x.cache.reads.prefetch": 0, "x.cache.writes.prefetch": 1,
		"x.cache.group_reads": 8, "x.cache.group_writes": 2}
	if d := cmp.Diff(want, r.reg.Snapshot()); d != "" {
		t.Errorf("statistics (-want +got):\n%s", d)
	}
}
