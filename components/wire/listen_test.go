package wire_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// taker takes a word per cycle from cycle 6 on.
type taker struct {
	wire.Comp
	In wire.InPort[word]
}

func (k *taker) Tick(now wire.Cycle) bool {
	if now < 6 {
		k.WakeAt(6)
		return false
	}
	if k.In.Head() != nil {
		k.In.Pop()
	}
	return k.In.Len() > 0
}

func listened(d *wire.Domain) (*talker, *taker) {
	a, b := &talker{}, &taker{}
	a.Init("A", d, a)
	a.Out.Init(&a.Comp, "Out")
	b.Init("B", d, b)
	b.In.Init(&b.Comp, "In", 4)
	wire.Connect(&a.Out, &b.In, 2)
	return a, b
}

func TestListenersSeeEveryMessageInTheCycleOfItsPutAndOfItsPop(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	a, b := listened(d)
	var got []string
	for _, who := range []string{"", "+"} {
		wire.OnPut(&a.Out, func(now, visible wire.Cycle, m *word) {
			got = append(got, fmt.Sprintf("%sput %d at %d for %d", who, *m, now, visible))
		})
		wire.OnPop(&b.In, func(now wire.Cycle, m *word) {
			got = append(got, fmt.Sprintf("%spop %d at %d", who, *m, now))
		})
	}
	d.RunUntil(20)
	var want []string
	for i := 1; i <= 3; i++ {
		want = append(want, fmt.Sprintf("put %d at %d for %d", i, i, i+2),
			fmt.Sprintf("+put %d at %d for %d", i, i, i+2))
	}
	for i := 1; i <= 3; i++ {
		want = append(want, fmt.Sprintf("pop %d at %d", i, i+5), fmt.Sprintf("+pop %d at %d", i, i+5))
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

func TestAListenerOfAReceiverObservesWhatIsSentToItWithoutItsSender(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	a, b := listened(d)
	var got []string
	wire.OnPut(&a.Out, func(now, _ wire.Cycle, m *word) { got = append(got, fmt.Sprintf("put %d at %d", *m, now)) })
	wire.OnArrival(&b.In, func(visible wire.Cycle, m *word) {
		got = append(got, fmt.Sprintf("arrival %d at %d", *m, visible))
	})
	d.RunUntil(20)
	want := []string{"put 1 at 1", "arrival 1 at 3", "put 2 at 2", "arrival 2 at 4", "put 3 at 3", "arrival 3 at 5"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%q, want\n%q", got, want)
	}
}

// hooked records the positions of its invocations.
type hooked struct{ at []string }

func (h *hooked) Func(ctx sim.HookCtx) { h.at = append(h.at, ctx.Pos.Name) }

func TestListenersAndHooksWatchOnePortTogether(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	a, b := listened(d)
	var puts, pops int
	h := &hooked{}
	wire.OnPut(&a.Out, func(_, _ wire.Cycle, _ *word) { puts++ })
	b.In.Sink().AcceptHook(h)
	wire.OnPop(&b.In, func(wire.Cycle, *word) { pops++ })
	a.Out.Source().AcceptHook(h)
	d.RunUntil(20)
	if puts != 3 || pops != 3 || len(h.at) != 9 {
		t.Errorf("%d puts and %d pops heard, %d hooks called (%q); want 3, 3 and 3 times send, receive, retrieve", puts,
			pops, len(h.at), h.at)
	}
}

func TestTheStructureOfAMachineCanBeRead(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	a, b := listened(d)
	lone := &talker{}
	lone.Init("C", d, lone)
	lone.Out.Init(&lone.Comp, "Out")
	if got := d.Components(); len(got) != 3 || got[0] != a || got[1] != b || got[2] != lone {
		t.Errorf("components %v", got)
	}
	out := a.Ports()[0].(*wire.Source)
	if to, latency := out.Peer(); to != b.In.Sink() || latency != 2 || out.MessageType() != "wire_test.word" {
		t.Errorf("%s leads to %v with latency %d and messages of type %s", out.Name(), to, latency, out.MessageType())
	}
	if in := b.Ports()[0].(*wire.Sink); in.Capacity() != 4 || in.MessageType() != "wire_test.word" {
		t.Errorf("%s has capacity %d and messages of type %s", in.Name(), in.Capacity(), in.MessageType())
	}
	if to, _ := lone.Out.Source().Peer(); to != nil {
		t.Errorf("an unconnected port has the peer %v", to)
	}
}

func TestADomainListsTheOutputPortsThatAreToHaveALinkAndLackOne(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	listened(d)
	lone := &talker{}
	lone.Init("C", d, lone)
	lone.Out.Init(&lone.Comp, "Out")
	var other wire.OutPort[word]
	other.Init(&lone.Comp, "Other").SetOptional()
	if got := d.Unconnected(); len(got) != 1 || got[0] != "C.Out" {
		t.Errorf("unconnected: %v, want C.Out alone", got)
	}
}

// hiding is a block with a method hiding one of its Comp.
type hiding struct{ wire.Comp }

func (*hiding) Tick(wire.Cycle) bool { return false }
func (*hiding) Ports() int           { return 0 }

// The compiler refuses to give such a block to Init.
func TestABlockThatHidesTheMethodsOfAComponentIsNone(t *testing.T) {
	if _, ok := any(&hiding{}).(wire.Block); ok {
		t.Error("a block whose ports cannot be listed counts as one")
	}
	if _, ok := any(&talker{}).(wire.Block); !ok {
		t.Error("a block with a Comp and a Tick does not count as one")
	}
}
