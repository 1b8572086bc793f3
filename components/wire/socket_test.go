package wire_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/mem/idealmemcontroller"
	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// stock is a stock Akita component. It answers each message with another one after a cycle, or only accepts it.
type stock struct {
	*sim.TickingComponent
	port sim.Port
	got  []string
	back func(sim.Msg) sim.Msg
	held sim.Msg
}

func newStock(e sim.Engine, name string, freq sim.Freq) *stock {
	s := &stock{}
	s.TickingComponent = sim.NewTickingComponent(name, e, freq, s)
	s.port = sim.NewLimitNumMsgPort(s, 1, name+".Port")
	s.AddPort("Port", s.port)
	return s
}

func (s *stock) Tick(now sim.VTimeInSec) bool {
	progress := false
	if s.held != nil {
		s.held.Meta().SendTime = now
		if s.port.Send(s.held) == nil {
			s.held, progress = nil, true
		}
	}
	if s.held == nil {
		if m := s.port.Retrieve(now); m != nil {
			s.got = append(s.got, fmt.Sprintf("%v at %.1f", m.(*wire.Env[int]).Body, now*1e9))
			if s.back != nil {
				s.held = s.back(m)
			}
			progress = true
		}
	}
	return progress
}

func TestASocketAddsNoCycleOnTheWayToAStockComponentNorBack(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	ours := newScript(d, "Ours", 2)
	theirs := newStock(e, "Theirs", sim.GHz)
	conn := sim.NewDirectConnection("Conn", e, sim.GHz)
	socket := wire.NewSocket("Socket", wire.SocketSpec[int, int]{
		Out: &ours.out, In: &ours.in, Conn: conn, Buffer: 1, Remote: theirs.port,
	})
	conn.PlugIn(theirs.port, 1)
	theirs.back = func(m sim.Msg) sim.Msg {
		return &wire.Env[int]{MsgMeta: sim.MsgMeta{ID: "x", Src: theirs.port, Dst: m.Meta().Src},
			Body: m.(*wire.Env[int]).Body + 100}
	}
	h := &countingHook{}
	socket.AcceptHook(h)
	var got []string
	n := 0
	ours.do = func(now wire.Cycle) bool {
		for m := ours.in.Head(); m != nil; m = ours.in.Head() {
			got = append(got, fmt.Sprintf("%d at %d", *m, now))
			ours.in.Pop()
		}
		if now >= 5 && n < 2 && ours.out.CanPut() {
			n++
			ours.out.Put(n)
		}
		return n < 2
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	// Put at 5: seen by the stock component at 6, answered at 7, seen at 8.
	if want := []string{"1 at 6.0", "2 at 7.0"}; !cmp.Equal(theirs.got, want) {
		t.Errorf("they got %v, want %v", theirs.got, want)
	}
	if want := []string{"101 at 8", "102 at 9"}; !cmp.Equal(got, want) {
		t.Errorf("we got %v, want %v", got, want)
	}
	if h.sent != 2 || h.received != 2 {
		t.Errorf("the socket's hook saw %d sent, %d received", h.sent, h.received)
	}
}

func TestBackPressureCrossesASocketInBothDirections(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", 3*sim.GHz)
	ours := newScript(d, "Ours", 1)
	slow := newStock(e, "Slow", sim.GHz/2)
	conn := sim.NewDirectConnection("Conn", e, sim.GHz)
	wire.NewSocket("Socket", wire.SocketSpec[int, int]{
		Out: &ours.out, In: &ours.in, Conn: conn, Buffer: 2, Remote: slow.port,
	})
	conn.PlugIn(slow.port, 1)
	slow.back = func(m sim.Msg) sim.Msg {
		return &wire.Env[int]{MsgMeta: sim.MsgMeta{ID: "x", Src: slow.port, Dst: m.Meta().Src},
			Body: m.(*wire.Env[int]).Body}
	}
	const n = 200
	sent, refused := 0, 0
	var got []int
	ours.do = func(now wire.Cycle) bool {
		if m := ours.in.Head(); m != nil && now%40 == 0 { // slower than they are
			got = append(got, *m)
			ours.in.Pop()
		}
		for sent < n {
			if !ours.out.CanPut() {
				refused++
				break
			}
			ours.out.Put(sent)
			sent++
		}
		return ours.in.Head() != nil
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if len(got) != n || refused == 0 {
		t.Fatalf("%d of %d came back, %d times refused", len(got), n, refused)
	}
	for i, x := range got {
		if x != i {
			t.Fatalf("reply %d is %d", i, x)
		}
	}
}

func TestABlockThatOnlySendsThroughASocketIsWokenWhenItHasRoom(t *testing.T) {
	e := wire.NewEngine()
	ours := newScript(e.NewDomain("Core", sim.GHz), "Ours", 1)
	slow := newStock(e, "Slow", sim.GHz/8)
	conn := sim.NewDirectConnection("Conn", e, sim.GHz)
	wire.NewSocket("Socket", wire.SocketSpec[int, int]{Out: &ours.out, Conn: conn, Buffer: 1, Remote: slow.port})
	conn.PlugIn(slow.port, 1)
	sent := 0
	ours.do = func(wire.Cycle) bool {
		for sent < 20 && ours.out.CanPut() {
			ours.out.Put(sent)
			sent++
		}
		return false
	}
	if err := e.Run(); err != nil || len(slow.got) != 20 {
		t.Errorf("%d of 20 arrived, %v", len(slow.got), err)
	}
	if n := len(ours.seen); n > 80 {
		t.Errorf("%d ticks for 20 messages: the block polls", n)
	}
}

// reader reads words from a memory of Akita's.
type reader struct {
	wire.Comp
	Out  wire.OutPort[uint64]
	In   wire.InPort[byte]
	next uint64
	got  []string
}

func (r *reader) Tick(now wire.Cycle) bool {
	for m := r.In.Head(); m != nil; m = r.In.Head() {
		r.got = append(r.got, fmt.Sprintf("%d at %d", *m, now))
		r.In.Pop()
	}
	if r.next < 3 && r.Out.CanPut() {
		r.Out.Put(r.next)
		r.next++
	}
	return r.next < 3
}

func TestAkitasIdealMemoryServesABlockOfOurs(t *testing.T) {
	e := wire.NewEngine()
	p := e.NewPartition("Memory")
	r := &reader{}
	r.Init("Reader", p.NewDomain("Core", sim.GHz), r)
	r.Out.Init(&r.Comp, "Out")
	r.In.Init(&r.Comp, "In", 8)

	ctrl := idealmemcontroller.MakeBuilder().
		WithEngine(p).WithFreq(sim.GHz).WithLatency(20).WithNewStorage(4096).
		Build("Mem")
	ctrl.Storage = mem.NewStorage(4096)
	if err := ctrl.Storage.Write(0, []byte{50, 51, 52}); err != nil {
		t.Fatal(err)
	}
	top := ctrl.GetPortByName("Top")
	conn := sim.NewDirectConnection("Conn", p, sim.GHz)
	wire.NewSocket("Socket", wire.SocketSpec[uint64, byte]{
		Out: &r.Out, In: &r.In, Conn: conn, Buffer: 4, Remote: top,
		Wrap: func(addr *uint64) sim.Msg {
			return mem.ReadReqBuilder{}.WithAddress(*addr).WithByteSize(1).Build()
		},
		Unwrap: func(m sim.Msg) byte { return m.(*mem.DataReadyRsp).Data[0] },
	})
	conn.PlugIn(top, 16)
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	// Put at 1, taken at 2, answered 20 cycles later, seen in the cycle after.
	if want := []string{"50 at 23", "51 at 24", "52 at 25"}; !cmp.Equal(r.got, want) {
		t.Errorf("got %v, want %v", r.got, want)
	}
}

func TestAConnectionOfAnotherPartitionIsRefused(t *testing.T) {
	e := wire.NewEngine()
	e.NewPartition("A")
	b := e.NewPartition("B")
	s := newScript(b.NewDomain("D", sim.GHz), "S", 1)
	mustPanic(t, "connection Conn does not run in partition B", func() {
		wire.NewSocket("Socket", wire.SocketSpec[int, int]{Out: &s.out, Buffer: 1,
			Conn: sim.NewDirectConnection("Conn", e, sim.GHz)})
	})
	mustPanic(t, "joins no port", func() {
		wire.NewSocket("Socket", wire.SocketSpec[int, int]{Buffer: 1, Conn: sim.NewDirectConnection("Conn", b,
			sim.GHz)})
	})
	for _, port := range s.Ports() {
		mustPanic(t, port.Name()+" cannot be plugged into an Akita connection",
			func() { sim.NewDirectConnection("Conn", b, sim.GHz).PlugIn(port, 1) })
	}
}

func TestAnInputPortPlugsIntoAnAkitaConnectionDirectly(t *testing.T) {
	e := wire.NewEngine()
	ours := newScript(e.NewDomain("Core", sim.GHz), "Ours", 1)
	theirs := newStock(e, "Theirs", sim.GHz)
	conn := sim.NewDirectConnection("Conn", e, sim.GHz)
	wire.PlugIn(&ours.in, conn, 1)
	conn.PlugIn(theirs.port, 1)
	theirs.held = &wire.Env[int]{MsgMeta: sim.MsgMeta{ID: "x", Src: theirs.port, Dst: ours.in.Sink()}, Body: 5}
	theirs.TickLater(3e-9)
	var at wire.Cycle
	ours.do = func(now wire.Cycle) bool {
		if m, ok := ours.in.Sink().Retrieve(0).(*wire.Env[int]); ok && m.Body == 5 {
			at = now
		}
		return false
	}
	if err := e.Run(); err != nil || at != 5 {
		t.Errorf("received at %d, %v; want sent at 4, seen at 5", at, err)
	}
}

// TestStockComponentsRunAsOnAkitasOwnEngine runs a stock ping-pong on both
// engines and compares all times.
func TestStockComponentsRunAsOnAkitasOwnEngine(t *testing.T) {
	play := func(e sim.Engine, run func() error) [][]string {
		conn := sim.NewDirectConnection("Conn", e, 924*sim.MHz)
		a, b := newStock(e, "A", 1126*sim.MHz), newStock(e, "B", 1753*sim.MHz)
		for _, s := range []*stock{a, b} {
			conn.PlugIn(s.port, 1)
			s.back = func(m sim.Msg) sim.Msg {
				in := m.(*wire.Env[int])
				if in.Body == 300 {
					return nil
				}
				return &wire.Env[int]{MsgMeta: sim.MsgMeta{ID: "x", Src: m.Meta().Dst, Dst: m.Meta().Src},
					Body: in.Body + 1}
			}
		}
		a.held = &wire.Env[int]{MsgMeta: sim.MsgMeta{ID: "x", Src: a.port, Dst: b.port}}
		a.TickLater(0)
		if err := run(); err != nil {
			t.Fatal(err)
		}
		return [][]string{a.got, b.got}
	}
	serial := sim.NewSerialEngine()
	want := play(serial, serial.Run)
	e := wire.NewEngine()
	busy := newScript(e.NewDomain("Core", sim.GHz), "Busy", 1) // in between
	busy.do = func(now wire.Cycle) bool { return now < 1000 }
	got := play(e, e.Run)
	if d := cmp.Diff(want, got); d != "" || len(got[0]) != 150 {
		t.Errorf("%d: %s", len(got[0]), d)
	}
}

// orderly records the order of events.
type orderly struct{ log *[]string }

func (o orderly) Handle(e sim.Event) error {
	*o.log = append(*o.log, fmt.Sprintf("%s at %.0f", e.(named).name, e.Time()*1e9))
	return nil
}

type named struct {
	*sim.EventBase
	name      string
	secondary bool
}

func (n named) IsSecondary() bool { return n.secondary }

type handlerFunc func()

func (f handlerFunc) Handle(sim.Event) error { f(); return nil }

func TestWhatAnEventWakesTicksNotBeforeTheEvent(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	s := newScript(d, "S", 4)
	wire.PlugIn(&s.in, sim.NewDirectConnection("Conn", e, sim.GHz), 1)
	var got []wire.Cycle
	s.do = func(now wire.Cycle) bool {
		for s.in.Head() != nil {
			s.in.Pop()
			got = append(got, now)
		}
		return false
	}
	at := func(t sim.VTimeInSec, f func()) { e.Schedule(sim.NewEventBase(t, handlerFunc(f))) }
	deliver := func(t sim.VTimeInSec) func() {
		return func() { s.in.Sink().Recv(&wire.Env[int]{MsgMeta: sim.MsgMeta{RecvTime: t}}) }
	}
	at(1000e-9, s.Wake)
	at(2000.5e-9, s.Wake)
	at(3000e-9, deliver(3000e-9))
	at(4000.5e-9, deliver(4000.5e-9))
	at(5000.5e-9, func() {})
	if out, err := e.RunUntil(d, 2500); out != wire.LimitReached || err != nil || d.Now() != 2500 {
		t.Errorf("%v, %v at %d", out, err, d.Now())
	}
	if want := []wire.Cycle{1, 1000, 2001}; !cmp.Equal(s.seen, want) {
		t.Errorf("ticks at %v, want %v", s.seen, want)
	}
	if err := e.Run(); err != nil || d.Now() != 5000 {
		t.Errorf("%v at cycle %d, want the last event's, 5000", err, d.Now())
	}
	if want := []wire.Cycle{3001, 4001}; !cmp.Equal(got, want) {
		t.Errorf("messages at %v, want %v", got, want)
	}
}

func TestPrimaryEventsThenClockEdgesThenSecondaryEvents(t *testing.T) {
	e := wire.NewEngine()
	s := newScript(e.NewDomain("Core", sim.GHz), "S", 1)
	var log []string
	s.do = func(now wire.Cycle) bool { log = append(log, fmt.Sprintf("edge at %d", now)); return now < 3 }
	at := func(t sim.VTimeInSec, name string, secondary bool) {
		e.Schedule(named{sim.NewEventBase(t, orderly{&log}), name, secondary})
	}
	at(2e-9, "late", true)
	for i := range 5 {
		at(2e-9, fmt.Sprintf("early %d", i), false)
	}
	at(1.5e-9, "between", false)
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	want := []string{"edge at 1", "between at 2", "early 0 at 2", "early 1 at 2", "early 2 at 2", "early 3 at 2",
		"early 4 at 2", "edge at 2", "late at 2", "edge at 3"}
	if d := cmp.Diff(want, log); d != "" {
		t.Error(d)
	}
	mustPanic(t, "before the current time", func() { at(1e-9, "past", false) })
}
