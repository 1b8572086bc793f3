package sm

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/memsys/req"
	"kumiko/regfile"
)

// Warp 3 of CTA slot 5 adds to R1.
func TestASchedulerSaysWhatItsFirstWarpWaitsFor(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{2}, 1), inst(ir.ClassExit, nil))
	k.Insts[0].Op, k.Insts[0].Line = ir.OpAdd, 7
	const who = "warp 3 (CTA slot 5): "
	at := who + ir.OpAdd.String() + " at line 7 "
	for want, set := range map[string]func(s *Scheduler, w *warpState){
		who + "at a barrier":                              func(s *Scheduler, _ *warpState) { s.waitBar = 1 << 3 },
		who + "instruction buffer empty, waits for fetch": func(_ *Scheduler, w *warpState) { w.n = 0 },
		who + "has ended, waits for 1 results and 2 stores": func(s *Scheduler, w *warpState) {
			s.exited, w.n, w.board.flight, w.board.stores = 1<<3, 0, 1, 2
		},
		at + "is ready; its CTA is giving up its slots": func(s *Scheduler, _ *warpState) {
			s.clear, s.leaving = 1<<3, 1<<3
		},
		at + "is ready; it is not among the warps of which the scheduler chooses": func(s *Scheduler, _ *warpState) {
			s.clear, s.outside = 1<<3, 1<<3
		},
		at + "is ready; gate fill holds it": func(s *Scheduler, _ *warpState) {
			s.clear, s.gated = 1<<3, 1<<3
			shut := slotSignal{slots: 1 << 3}
			s.gates.list = []gate{{name: "lock", holds: 1 << 3}, {name: "fill", holds: 1 << 3, shut: shut}}
		},
		at + "is ready; the register file takes no operation": func(s *Scheduler, _ *warpState) { s.clear = 1 << 3 },
		at + "waits for 1 loads and 2 stores": func(s *Scheduler, w *warpState) {
			s.waitFence, w.board.loads, w.board.stores = 1<<3, 1, 2
		},
		at + "waits for registers R1": func(s *Scheduler, w *warpState) {
			w.board.pending.add(1)
			s.vacated = []uint16{4, 4}
		},
		at + "waits for registers R4 and above, which it gives up": func(s *Scheduler, _ *warpState) {
			s.vacated = []uint16{4, 4}
		},
		at + "waits for registers ": func(*Scheduler, *warpState) {},
		who + "prefetch waits for operands to be read": func(s *Scheduler, w *warpState) {
			w.buffer[0].PC, s.inserts = 2, "prefetch"
		},
	} {
		b := newBench(testSetup(), k)
		b.load(testSetup(), &regfile.Insertions{Group: []int32{0, 0}, Ops: make([]regfile.Inserted, 1)}, &planes{})
		b.s.live = 1 << 3
		w := b.s.at(3)
		w.cta, w.n, w.buffer[0] = 5, 1, Fetched{Inst: &k.Insts[0]}
		set(b.s, w)
		if got := b.s.Waiting(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := newBench(testSetup(), k).s.Waiting(); got != "" {
		t.Errorf("%q of a scheduler without warps, want nothing", got)
	}
}

// The first load enters at 5 and is answered at 12. The address path takes an operation in
// 20 cycles: the second enters at 25.
func TestALoadStoreUnitSaysWhatItHolds(t *testing.T) {
	b := pathBench(2, 20, 1)
	k := kernelOf(inst(ir.ClassLoad, []int{1}, 2))
	b.in.Send(4, op.Op{Inst: &k.Insts[0], Warp: 5})
	b.in.Send(4, op.Op{Inst: &k.Insts[0], Warp: 5})
	b.reply.Send(11, req.Reply{Tag: 0, Warp: 5})
	b.reply.Send(40, req.Reply{Tag: 0, Warp: 5})
	for _, k := range []struct {
		at   wire.Cycle
		want string
	}{
		{3, ""}, {10, "1 memory operations outstanding, 1 waiting to enter"},
		{20, "0 memory operations outstanding, 1 waiting to enter"},
		{30, "1 memory operations outstanding, 0 waiting to enter"}, {50, ""},
	} {
		b.d.RunUntil(k.at)
		if got := b.l.Waiting(); got != k.want {
			t.Errorf("at %d: %q, want %q", k.at, got, k.want)
		}
	}
}

// Operations of an interval of 8 and a latency of 10 come at 10; the last writes nothing.
func TestAUnitSaysHowManyOperationsItHolds(t *testing.T) {
	k := kernelOf(inst(ir.ClassSFU, []int{1}, 0), inst(ir.ClassSFU, nil, 0))
	d, u, in, _ := unitUnderTest(0)
	for _, i := range []int{0, 1, 1} {
		in.Send(9, op.Op{Inst: &k.Insts[i]})
	}
	for _, k := range []struct {
		at   wire.Cycle
		want string
	}{
		{8, ""}, {17, "1 operations executing, 2 waiting to enter"}, {20, "0 operations executing, 1 waiting to enter"},
		{40, ""},
	} {
		d.RunUntil(k.at)
		if got := u.Waiting(); got != k.want {
			t.Errorf("at %d: %q, want %q", k.at, got, k.want)
		}
	}
}

func TestAWritebackStageSaysHowManyResultsItHolds(t *testing.T) {
	k := kernelOf(inst(ir.ClassInt, []int{1}, 0))
	d := wire.NewDomain("core", ghz)
	w := NewWriteback("WB", d, 2, 1, nil)
	for i := range 2 {
		s := wiretest.NewSource("In", d, &w.In[i])
		s.Send(4, op.Result{Inst: &k.Insts[0]})
		s.Send(4, op.Result{Inst: &k.Insts[0]})
	}
	out := wiretest.NewSink("Out", d, &w.Out[0], 1)
	out.Refuse = func(now wire.Cycle) bool { return now < 20 }
	d.RunUntil(10)
	if got, want := w.Waiting(), "3 results wait for the register file"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	d.RunUntil(40)
	if got := w.Waiting(); got != "" {
		t.Errorf("%q, want nothing", got)
	}
}

// Of three live warps one is at barrier 2 of the CTA; then a second is at one for two warps.
func TestABarrierUnitSaysWhoseArrivalsItLacks(t *testing.T) {
	for _, k := range []struct {
		arrivals []Arrive
		want     string
	}{
		{nil, ""},
		{[]Arrive{{Warp: 1, CTA: 1, Bar: 2}}, "CTA slot 1, barrier 2: 1 of 3 warps have arrived"},
		{[]Arrive{{Warp: 1, CTA: 1, Bar: 4, Warps: 2}}, "CTA slot 1, barrier 4: 1 of 2 warps have arrived"},
		{[]Arrive{{Warp: 1, CTA: 1, Phase: PhaseOperation, Object: 24},
			{Warp: 1, CTA: 1, Phase: PhaseWait, Object: 24, Needed: 2}},
			"CTA slot 1, mbarrier at 0x18 of shared memory: 1 operations have issued, warp 1 waits for 2"},
	} {
		d := wire.NewDomain("core", ghz)
		b := NewBarrier("B", d, 2, 1, nil)
		start := wiretest.NewSource("Start", d, &b.Start)
		in := wiretest.NewSource("A", d, &b.Arrivals[0])
		wiretest.NewSink("R", d, &b.Release[0], 2)
		start.Send(1, &Residence{Slot: 1, Contexts: []uint16{0, 1, 2}})
		for _, a := range k.arrivals {
			in.Send(5, a)
		}
		d.RunUntil(20)
		if got := b.Waiting(); got != k.want {
			t.Errorf("%q, want %q", got, k.want)
		}
	}
}

// dealt is a dispatcher of three SMs, and which CTAs each has been given.
func dealt(ctas int) (d *wire.Domain, p *Dispatcher, rooms []*wiretest.Source[Room], given [][]int) {
	d = wire.NewDomain("core", ghz)
	p = NewDispatcher("D", d, 3, 4)
	given = make([][]int, 3)
	for i := range p.Rooms {
		rooms = append(rooms, wiretest.NewSource("R", d, &p.Rooms[i]))
		wiretest.NewSink("G", d, &p.Grants[i], 4).Receive = func(_ wire.Cycle, g Grant) {
			given[i] = append(given[i], g.CTA.Index)
		}
	}
	list := &ctaList{}
	for i := range ctas {
		list.ctas = append(list.ctas, &stream.CTA{Index: i})
	}
	p.Launch(list, func(wire.Cycle) {})
	return d, p, rooms, given
}

func TestADispatcherSaysHowManyCTAsAreOut(t *testing.T) {
	d, p, rooms, _ := dealt(3)
	d.RunUntil(5)
	if got := p.Waiting(); got != "" {
		t.Errorf("%q before any CTA is handed out, want nothing", got)
	}
	rooms[0].Send(10, Room{Free: 3})
	rooms[0].Send(20, Room{Gone: make([]*stream.CTA, 1)})
	d.RunUntil(30)
	if got, want := p.Waiting(), "3 CTAs handed out, 1 of them retired"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// SM 0 has had a CTA, which retires without another one. SM 1 is served first when all have
// room.
func TestTheSMBehindTheLastThatWasServedIsServedFirst(t *testing.T) {
	d, _, rooms, given := dealt(4)
	rooms[0].Send(5, Room{Free: 1})
	rooms[0].Send(10, Room{Gone: make([]*stream.CTA, 1)})
	for i := range rooms {
		rooms[i].Send(20, Room{Free: 1})
	}
	d.RunUntil(40)
	for i, want := range [][]int{{0, 3}, {1}, {2}} {
		if len(given[i]) != len(want) || given[i][len(want)-1] != want[len(want)-1] {
			t.Errorf("SM %d has CTAs %v, want %v", i, given[i], want)
		}
	}
}
