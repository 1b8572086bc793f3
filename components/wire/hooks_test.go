package wire_test

import (
	"bytes"
	"fmt"
	"log"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/analysis"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"

	"kumiko/components/wire"
)

type countingHook struct{ sent, received, retrieved int }

func (h *countingHook) Func(ctx sim.HookCtx) {
	switch ctx.Pos {
	case sim.HookPosPortMsgSend:
		h.sent++
	case sim.HookPosPortMsgRecvd:
		h.received++
	case sim.HookPosPortMsgRetrieve:
		h.retrieved++
	}
}

// word is a message body with a size.
type word uint32

func (word) TrafficBytes() int { return 4 }

// talker sends words 1, 2, 3 in cycles 1, 2, 3.
type talker struct {
	wire.Comp
	Out  wire.OutPort[word]
	next word
}

func (t *talker) Tick(wire.Cycle) bool {
	if t.next < 3 && t.Out.CanPut() {
		t.next++
		t.Out.Put(t.next)
	}
	return t.next < 3
}

// listener takes a word in every even cycle, and traces each as a task.
type listener struct {
	wire.Comp
	In wire.InPort[word]
}

func (l *listener) Tick(now wire.Cycle) bool {
	if l.In.Head() == nil {
		return false
	}
	if now%2 == 1 {
		return true
	}
	if l.NumHooks() > 0 {
		tracing.TraceReqReceive(l.In.Sink().Peek(), l)
		tracing.TraceReqComplete(l.In.Sink().Peek(), l)
	}
	l.In.Pop()
	return true
}

func conversation(e *wire.Engine) (*talker, *listener, *wire.Link) {
	d := e.NewDomain("Core", sim.GHz)
	t, l := &talker{}, &listener{}
	t.Init("Talker", d, t)
	t.Out.Init(&t.Comp, "Out")
	l.Init("Listener", d, l)
	l.In.Init(&l.Comp, "In", 4)
	return t, l, wire.Connect(&t.Out, &l.In, 2)
}

func TestAkitasPortMsgLoggerSeesEveryMessageWithItsTimes(t *testing.T) {
	e := wire.NewEngine()
	a, b, _ := conversation(e)
	var out bytes.Buffer
	logger := sim.NewPortMsgLogger(log.New(&out, "", 0), e)
	a.Out.Source().AcceptHook(logger)
	b.In.Sink().AcceptHook(logger)
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	var got []string
	ids := map[string]int{}
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		f := strings.Split(line, ",")
		got = append(got, fmt.Sprintf("%s %s %s %s>%s", f[0][10:], f[1], f[2], f[3], f[4]))
		ids[f[6]]++
	}
	// Put at 1, 2, 3; visible at 3, 4, 5; taken at 4, 6, 8.
	want := []string{
		"10 Talker.Out Port Msg Send Talker.Out>Listener.In",
		"20 Talker.Out Port Msg Send Talker.Out>Listener.In",
		"30 Talker.Out Port Msg Send Talker.Out>Listener.In",
		"30 Listener.In Port Msg Recv Talker.Out>Listener.In",
		"40 Listener.In Port Msg Retrieve Talker.Out>Listener.In",
		"40 Listener.In Port Msg Recv Talker.Out>Listener.In",
		"50 Listener.In Port Msg Recv Talker.Out>Listener.In",
		"60 Listener.In Port Msg Retrieve Talker.Out>Listener.In",
		"80 Listener.In Port Msg Retrieve Talker.Out>Listener.In",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(ids) != 3 {
		t.Errorf("three messages have %d IDs", len(ids))
	}
}

// rows is a trace backend recording all tasks.
type rows []tracing.Task

func (r *rows) Write(t tracing.Task) { *r = append(*r, t) }
func (r *rows) Flush()               {}

func TestAkitasTracerCollectsTheTasksOfABlock(t *testing.T) {
	e := wire.NewEngine()
	_, b, _ := conversation(e)
	var r rows
	tracing.CollectTrace(b, tracing.NewDBTracer(e, &r))
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range r {
		got = append(got, fmt.Sprintf("%s %s %s %.0f", x.Where, x.Kind, x.What, x.StartTime*1e9))
	}
	want := []string{
		"Listener req_in *wire.Env[kumiko/components/wire_test.word] 4",
		"Listener req_in *wire.Env[kumiko/components/wire_test.word] 6",
		"Listener req_in *wire.Env[kumiko/components/wire_test.word] 8",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// entries is a performance log.
type entries []analysis.PerfAnalyzerEntry

func (l *entries) AddDataEntry(e analysis.PerfAnalyzerEntry) { *l = append(*l, e) }

func TestAkitasPerfAnalyzerFindsTheBufferOfAPortAndCountsItsTraffic(t *testing.T) {
	e := wire.NewEngine()
	_, b, _ := conversation(e)
	pa := analysis.MakePerfAnalyzerBuilder().WithEngine(e).WithDBFilename("").WithPeriod(4.5e-9).Build()
	pa.RegisterComponent(b)
	if n := b.In.Sink().Buffer().NumHooks(); n == 0 {
		t.Error("the buffer of the port was not found")
	}
	pa.RegisterPort(b.In.Sink())
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	// In the first 4.5 ns two words of 4 bytes arrive, and one is popped; Akita
	// counts both.
	got := pa.GetCurrentTraffic("Listener")
	if !strings.Contains(got, `"remotePort":"Talker.Out"`) || !strings.Contains(got, `"unit":"Byte","value":"12"`) {
		t.Errorf("traffic %s", got)
	}
}

func TestAkitasBufferAnalyzerAveragesTheVisibleMessages(t *testing.T) {
	e := wire.NewEngine()
	a, b, _ := conversation(e)
	var l entries
	buf := b.In.Sink().Buffer()
	buf.AcceptHook(analysis.MakeBufferAnalyzerBuilder().
		WithTimeTeller(e).WithPerfLogger(&l).WithBuffer(buf).WithPeriod(10e-9).Build())
	// The analyzer closes a period at the first change after its end, so a
	// fourth word has to come later.
	later := newScript(b.Domain(), "Later", 1)
	later.WakeAt(25)
	later.do = func(now wire.Cycle) bool {
		if now == 25 {
			a.Out.Put(4)
		}
		return false
	}
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	// Visible from 3, 4, 5, popped at 4, 6, 8: one message in 3-5, two in 5-6,
	// one in 6-8, together 6 message cycles in the first ten.
	if len(l) == 0 || l[0].Where != "Listener.In.Buf" || l[0].Value < 0.599 || l[0].Value > 0.601 {
		t.Errorf("level entries %+v, want 0.6 first", l)
	}
}

func TestALinkTellsItsHooksOfStartAndDelivery(t *testing.T) {
	e := wire.NewEngine()
	_, _, link := conversation(e)
	var got []string
	link.AcceptHook(hookFunc(func(ctx sim.HookCtx) {
		m := ctx.Item.(sim.Msg).Meta()
		got = append(got, fmt.Sprintf("%s at %.0f, sent %.0f, %d bytes", ctx.Pos.Name, e.CurrentTime()*1e9,
			m.SendTime*1e9, m.TrafficBytes))
	}))
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"Conn Start Send at 1, sent 1, 4 bytes", "Conn Start Send at 2, sent 2, 4 bytes",
		"Conn Start Send at 3, sent 3, 4 bytes",
		"Conn Deliver at 3, sent 1, 4 bytes", "Conn Deliver at 4, sent 2, 4 bytes",
		"Conn Deliver at 5, sent 3, 4 bytes",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

type hookPtr struct{ f func(sim.HookCtx) }

func (h *hookPtr) Func(ctx sim.HookCtx) { h.f(ctx) }

func hookFunc(f func(sim.HookCtx)) sim.Hook { return &hookPtr{f} }

func TestABlockIsAnAkitaComponentWithItsPorts(t *testing.T) {
	e := wire.NewEngine()
	_, b, _ := conversation(e)
	var c sim.Component = b
	if got := c.GetPortByName("In"); got != sim.Port(b.In.Sink()) || got.Component() != c || len(c.Ports()) != 1 {
		t.Errorf("port %v of %v", got, got.Component())
	}
	mustPanic(t, "Listener has no port Out, but In", func() { c.GetPortByName("Out") })
	e.Schedule(sim.MakeTickEvent(17e-9, c))
	ticked := newScript(b.Domain(), "S", 1)
	e.Schedule(sim.MakeTickEvent(17e-9, ticked))
	e.Schedule(sim.MakeTickEvent(20.5e-9, ticked))
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if want := []wire.Cycle{1, 17, 21}; !cmp.Equal(ticked.seen, want) {
		t.Errorf("ticks at %v, want %v", ticked.seen, want)
	}
}

func TestAnEnvelopeIsSentAndReceivedByPortsOfItsTypeAlone(t *testing.T) {
	e := wire.NewEngine()
	a, b, link := conversation(e)
	if err := link.Send(&wire.Env[word]{Body: 9}); err != nil {
		t.Fatal("refused")
	}
	var got []word
	wire.OnPop(&b.In, func(_ wire.Cycle, m *word) { got = append(got, *m) })
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if want := []word{9, 1, 2, 3}; !cmp.Equal(got, want) {
		t.Errorf("received %v, want %v", got, want)
	}
	wrong, refusal := &wire.Env[int]{}, "*wire.Env[int], want *wire.Env[kumiko/components/wire_test.word]"
	mustPanic(t, "Talker.Out is to take "+refusal, func() { a.Out.Source().Send(wrong) })
	mustPanic(t, "Listener.In cannot be plugged", func() { b.In.Sink().Recv(wrong) })
	alone := newScript(b.Domain(), "Alone", 1)
	wire.PlugIn(&alone.in, sim.NewDirectConnection("Conn", e, sim.GHz), 1)
	mustPanic(t, "Alone.In is to take *wire.Env[kumiko/components/wire_test.word], want *wire.Env[int]",
		func() { alone.in.Sink().Recv(&wire.Env[word]{}) })
}

// The compiler compiles each method of a port anew for every type of message, in every package in sight of the port.
func TestPortsHaveTheMethodsOfTheBlocksAlone(t *testing.T) {
	for port, want := range map[any]string{
		&wire.InPort[int]{}:  "Arrived Capacity Head Init Len Name Obstacle Pop Sink Take",
		&wire.OutPort[int]{}: "CanPut Connected Held Init Name Obstacle Offer Put PutSlot Room Slot Source",
	} {
		var got []string
		for m := range reflect.TypeOf(port).Methods() {
			got = append(got, m.Name)
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%T has the methods %s, want %s", port, s, want)
		}
	}
}
