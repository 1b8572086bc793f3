package wire_test

import (
	"slices"
	"testing"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// three returns a port for three words of latency 2, after words 1 and 2 have become visible and word 3 is on the link.
func three(t *testing.T) (*wire.Domain, *wire.Link, *script) {
	t.Helper()
	d := wire.NewDomain("Core", sim.GHz)
	a, b := newScript(d, "A", 1), newScript(d, "B", 3)
	link := wire.Connect(&a.out, &b.in, 2)
	a.do = func(now wire.Cycle) bool {
		a.out.Put(int(now))
		return now < 3
	}
	d.RunUntil(4)
	return d, link, b
}

func number(m any) int { return m.(*wire.Env[int]).Body }

func TestTheBufferOfAPortIsTheQueueOfItsVisibleMessages(t *testing.T) {
	d, _, b := three(t)
	buf := b.in.Sink().Buffer()
	if buf.CanPush() || buf.Capacity() != 3 || buf.Size() != 2 {
		t.Errorf("can push %v, capacity %d, size %d; want full with 2 visible of 3", buf.CanPush(), buf.Capacity(),
			buf.Size())
	}
	if m := buf.Peek(); number(m) != 1 || buf.Size() != 2 {
		t.Errorf("peek %v, %d left, want word 1 of 2", m, buf.Size())
	}
	if m := buf.Pop(); number(m) != 1 || buf.Size() != 1 || !buf.CanPush() {
		t.Errorf("pop %v, %d left, want word 1, and then one left and room", m, buf.Size())
	}
	d.RunUntil(5)
	if buf.Size() != 2 {
		t.Errorf("size %d, want 2: words 2 and 3", buf.Size())
	}
	buf.Clear()
	if buf.Size() != 0 || buf.Pop() != nil || buf.Peek() != nil {
		t.Errorf("size %d after Clear, want no message", buf.Size())
	}
}

func TestALinkHoldsVisibleMessagesAndThoseOnTheirWay(t *testing.T) {
	_, link, b := three(t)
	b.in.Sink().AcceptHook(&hooked{})
	visible, onLink := link.Held()
	var got []int
	for _, m := range slices.Concat(visible, onLink) {
		got = append(got, number(m))
	}
	if len(visible) != 2 || !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("%d visible of %v, want 1 and 2 visible, 3 on the link", len(visible), got)
	}
}

func TestBehindIsTheVisibleMessageSoManyPlacesBehindTheHead(t *testing.T) {
	d, _, b := three(t)
	at := func() (got []int) {
		for i := range 4 {
			v := 0
			if m := wire.Behind(&b.in, i); m != nil {
				v = *m
			}
			got = append(got, v)
		}
		return got
	}
	if got := at(); !slices.Equal(got, []int{1, 2, 0, 0}) {
		t.Errorf("messages %v, want 1, 2 and no other", got)
	}
	b.in.Pop()
	d.RunUntil(5)
	if got := at(); !slices.Equal(got, []int{2, 3, 0, 0}) {
		t.Errorf("messages %v after a pop, want 2, 3 and no other", got)
	}
}

func TestArrivedIsOneFromTheCycleInWhichTheHeadIsVisible(t *testing.T) {
	pair(t, 2, 3, func(t *testing.T, d *wire.Domain, from, to *script) {
		from.do = func(now wire.Cycle) bool {
			if now == 2 || now == 6 {
				from.out.Put(1)
			}
			return now < 6
		}
		to.do = func(now wire.Cycle) bool {
			want := uint64(0)
			if now == 5 || now == 6 || now == 9 {
				want = 1
			}
			if got := to.in.Arrived(); got != want {
				t.Errorf("cycle %d: %d arrived, want %d", now, got, want)
			}
			if now == 6 {
				to.in.Pop()
			}
			return now < 9
		}
		d.RunUntil(9)
	})
}

func TestAPortSetBehindItsLinkTakesAMessageInEveryCycle(t *testing.T) {
	for _, latency := range []int{1, 2, 5} {
		for _, partitions := range []int{1, 2} {
			e := wire.NewEngine()
			from := e.NewPartition("P[0]").NewDomain("D[0]", sim.GHz)
			to := from
			want := 1 + latency
			if partitions == 2 {
				to = e.NewPartition("P[1]").NewDomain("D[1]", sim.GHz)
				want += latency // a place is free at the sender a latency later
			}
			a, b := newScript(from, "A", 1), newScript(to, "B", 1)
			b.in.Sink().SetBehind()
			wire.Connect(&a.out, &b.in, latency)
			if n := b.in.Capacity(); n != want {
				t.Errorf("latency %d, %d partitions: capacity %d, want %d", latency, partitions, n, want)
			}
			a.do = func(now wire.Cycle) bool {
				if a.out.CanPut() {
					a.out.Put(int(now))
				}
				return now < 30
			}
			var got []int
			b.do = func(now wire.Cycle) bool {
				if m := b.in.Take(); m != nil {
					got = append(got, int(now)-*m)
				}
				return now < 40
			}
			if err := e.Run(); err != nil {
				t.Fatal(err)
			}
			if len(got) != 30 || slices.Min(got) != latency || slices.Max(got) != latency {
				t.Errorf("latency %d, %d partitions: %d messages after %v cycles, want 30 after %d each", latency,
					partitions, len(got), got, latency)
			}
		}
	}
}

func TestAPortBeforeItsInitHasNoCapacity(t *testing.T) {
	var p wire.InPort[int]
	if n := p.Capacity(); n != 0 {
		t.Errorf("capacity %d, want 0", n)
	}
}

func TestAnOutputPortKnowsItsConnection(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	a, b := newScript(d, "A", 1), newScript(d, "B", 1)
	if c := a.out.Source().Connection(); c != nil {
		t.Errorf("connection %v before Connect, want none", c)
	}
	link := wire.Connect(&a.out, &b.in, 1)
	if c := a.out.Source().Connection(); c != sim.Connection(link) {
		t.Errorf("connection %v, want the link", c)
	}
}

func TestAPortPluggedIntoAConnectionIsNotConnectedToo(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	a, b := newScript(d, "A", 1), newScript(d, "B", 1)
	b.in.Sink().AcceptHook(&hooked{}) // a port with a hook alone may be connected
	c := newScript(d, "C", 1)
	wire.Connect(&c.out, &b.in, 1)
	wire.PlugIn(&c.in, sim.NewDirectConnection("Conn", e, sim.GHz), 1)
	mustPanic(t, "C.In has an Akita connection already", func() { wire.Connect(&a.out, &c.in, 1) })
}

func TestAConnectionStaysWhenTheHookBesideItIsRemoved(t *testing.T) {
	e := wire.NewEngine()
	d := e.NewDomain("Core", sim.GHz)
	c := newScript(d, "C", 1)
	wire.PlugIn(&c.in, sim.NewDirectConnection("Conn", e, sim.GHz), 1)
	h := &hooked{}
	c.in.Sink().AcceptHook(h)
	c.in.Sink().RemoveHook(h)
	a := newScript(d, "A", 1)
	mustPanic(t, "C.In has an Akita connection already", func() { wire.Connect(&a.out, &c.in, 1) })
}
