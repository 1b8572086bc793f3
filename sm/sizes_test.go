package sm

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/sm/switching"
)

// Of 7 slots and 9 contexts of two schedulers the first has 4 and 5, the second 3 and 4.
func TestSchedulersShareSlotsAndContextsInTurn(t *testing.T) {
	s := testSetup()
	s.Schedulers, s.Slots, s.Contexts, s.Stale = 2, 7, 9, 3*2
	s.Switch.Switching = switching.VirtualThread
	d := wire.NewDomain("core", ghz)
	r := NewResidency("R", d, Places{Contexts: 9, CTAs: 4, Schedulers: 2}, nil)
	r.seat(7)
	for i, want := range [][2]int{{4, 5}, {3, 4}} {
		x := NewScheduler("S", d, s.config(&planes{}), schedulerLinks{index: i, units: [][]uint8{{0}, {1}}, planes: &planes{},
			audience: &audience{}, steady: &steady{}}, nil)
		if len(x.contextOf) != want[0] || len(x.warps) != want[1] || r.seating.free[i] != 1<<want[0]-1 {
			t.Errorf("scheduler %d has %d slots and %d contexts, residency knows of slots %b; want %d, %d", i,
				len(x.contextOf), len(x.warps), r.seating.free[i], want[0], want[1])
		}
		// a buffer of 2 for each slot; and what is under way for 1 + 2 cycles, 2 per cycle
		if n := x.Fetched.Capacity(); n != 2*want[0]+3*2 {
			t.Errorf("scheduler %d has room for %d instructions, want %d", i, n, 2*want[0]+6)
		}
	}
	if a := newActiveSet(setSpec(6, true, true, 0).rules(3), "A", nil); a.places != 2 {
		t.Errorf("%d places of 6 for one of three schedulers, want 2", a.places)
	}
}

func TestWhatIsUnderWayToAWarpThatLosesItsSlotHasRoom(t *testing.T) {
	f := FetchSpec{Width: 3, Instructions: 2, Latency: 5}
	if n := f.stale(&switching.Spec{Switching: switching.VirtualThread}); n != (5+2)*3*2 {
		t.Errorf("%d instructions, want those of 7 cycles, 42", n)
	}
	if n := f.stale(&switching.Spec{}); n != 0 {
		t.Errorf("%d instructions where no warp loses its slot, want 0", n)
	}
}

// Context 2 of two schedulers is the second of its own, and has that slot if it is free.
func TestAContextHasTheSlotOfItsNumberIfItCan(t *testing.T) {
	s := &seating{schedulers: 2}
	for _, k := range []struct {
		context int
		free    uint64
		want    int
	}{{2, 0b111, 1}, {2, 0b101, 0}, {2, 0b100, 2}, {300, 0b110, 1}} {
		free := [maxSchedulers]uint64{k.free}
		if slot, ok := s.take(k.context, &free); !ok || slot != k.want || free[0] != k.free&^(1<<k.want) {
			t.Errorf("context %d of free slots %b has %d, and %b are left", k.context, k.free, slot, free[0])
		}
	}
}

// One CTA may be active: the second starts when the first has ended, at 31.
func TestNoMoreCTAsStartThanMayHaveSlots(t *testing.T) {
	b := newSeatBench()
	b.r.Limit(regfile.Residency{Resident: 3, Active: 1}, 0)
	for w := range uint16(2) {
		b.ended.Send(30, WarpEnd{Warp: w})
	}
	b.d.RunUntil(20)
	if n := b.r.seating.rooms.Get(); n.Seats != 0 || n.Waiting != 2 {
		t.Errorf("rooms %+v, want none, and two warps waiting", n)
	}
	b.d.RunUntil(60)
	if d := cmp.Diff([]switching.Seat{seatOf(0, switching.Started, 0b11), seatOf(0, switching.Finished, 0),
		seatOf(0, switching.Started, 0b11)}, b.events()); d != "" {
		t.Errorf("seats (-want +got):\n%s", d)
	}
	if b.r.seating.seated != 1 {
		t.Errorf("%d CTAs have slots, want 1", b.r.seating.seated)
	}
}

// Two CTAs have slots, one of them has come back; then that ends.
func TestResidencyKnowsHowManyCTAsHaveSlots(t *testing.T) {
	b := newSeatBench()
	b.orders.Send(10, switching.Order{CTA: 0, Kind: switching.Leave})
	b.orders.Send(20, switching.Order{CTA: 0, Kind: switching.Left})
	b.orders.Send(30, switching.Order{CTA: 0, Kind: switching.Enter})
	b.d.RunUntil(25)
	if s := b.r.seating; s.seated != 1 || s.rooms.Get().Seats != 1 {
		t.Errorf("%d have slots, %d more may; want 1, 1", s.seated, s.rooms.Get().Seats)
	}
	b.d.RunUntil(40)
	if s := b.r.seating; s.seated != 2 || s.rooms.Get().Seats != 0 {
		t.Errorf("%d have slots, %d more may; want 2, 0", s.seated, s.rooms.Get().Seats)
	}
}

func TestACTAThatFindsNoContextsIsAMistake(t *testing.T) {
	r := NewResidency("R", wire.NewDomain("core", ghz), testPlaces(), nil)
	for w := range 7 {
		r.free.Remove(w)
	}
	defer func() {
		if e, _ := recover().(string); !strings.Contains(e, "without free warp contexts") {
			t.Errorf("panic %q", e)
		}
	}()
	r.deal(make([]uint16, 2)) // context 7 alone is free
	t.Error("two warps find contexts")
}

func TestFetchServesWarpsBeyondTheFirst64(t *testing.T) {
	d := wire.NewDomain("core", ghz)
	f := NewFetch("F", d, testSpec().Fetch, FetchClients{65, 1, 0}, nil)
	start := wiretest.NewSource("Start", d, &f.Start)
	out := wiretest.NewSink("Out", d, &f.Out[0], 16)
	k := kernelOf(inst(ir.ClassInt, nil))
	start.Send(1, &Residence{CTA: &stream.CTA{Kernel: k, Warps: []stream.Warp{straight(1)}}, Contexts: []uint16{64}})
	d.RunUntil(10)
	wantCycles(t, "fetched", arrivals(out), []wire.Cycle{3})
}

func TestADesignMayHaveFourGates(t *testing.T) {
	h := newHand("H", wire.NewDomain("core", ghz), WarpSet{})
	p := &planes{}
	for _, name := range []string{"a", "b", "c", "d"} {
		p.gates = append(p.gates, regfile.Gate{Reason: name, Closed: &h.signal})
	}
	if err := p.checkGates(1); err != nil {
		t.Error(err)
	}
}

// Warps 1 and 2 have a load each, and there is one issue register for the memory unit.
func TestWarpsWithoutAnIssueRegisterWait(t *testing.T) {
	k := kernelOf(inst(ir.ClassLoad, []int{1}, 0), inst(ir.ClassExit, nil))
	b := newBench(testSetup(), k)
	b.s.register(1, 2)
	room := wiretest.NewSource("Room", b.d, &b.s.Taken)
	b.warps(1, 0b1110)
	for _, w := range []int{1, 2, 3} {
		b.fetch(2, w, 0)
	}
	room.Send(10, op.Taken{Unit: 1})
	room.Send(20, op.Taken{Unit: 1})
	b.d.RunUntil(30)
	wantCycles(t, "issue", b.issuedAt(), []wire.Cycle{3, 11, 21})
}

// An operation of no bytes takes no place before its instruction, and of no program there
// is nothing to lay out.
func TestOperationsWithoutBytesTakeNoPlace(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, nil), inst(ir.ClassInt, nil))
	l := newLayout(k, &regfile.Insertions{Group: []int32{0, 1}, Ops: make([]regfile.Inserted, 2)}, 8)
	if d := cmp.Diff([][]uint32{{0, 8}, {0, 8}}, [][]uint32{l.at, l.op}); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if l := newLayout(kernelOf(), &regfile.Insertions{}, 8); len(l.at) != 0 {
		t.Errorf("%v", l.at)
	}
}

func TestRegistersAreKeptWhereNoInstructionGivesThemUp(t *testing.T) {
	p := NewProgram(kernelOf(inst(ir.ClassInt, nil), inst(ir.ClassExit, nil)), testSpec().Target(),
		&regfile.Insertions{Group: []int32{0, 0}, Ops: make([]regfile.Inserted, 1)})
	least := regfile.NumRegisters
	vacates := func(*ir.Inst) int { return least }
	if got := vacatedOf(vacates, p); got != nil {
		t.Errorf("%v, want nil", got)
	}
	least = 255
	if d := cmp.Diff([]uint16{255, 255, 256}, vacatedOf(vacates, p)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
