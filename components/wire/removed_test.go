package wire_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// bodies records the words of the messages of each invocation, by position.
type bodies struct{ at map[string][]word }

func newBodies() *bodies { return &bodies{map[string][]word{}} }

func (h *bodies) Func(ctx sim.HookCtx) {
	h.at[ctx.Pos.Name] = append(h.at[ctx.Pos.Name], ctx.Item.(*wire.Env[word]).Body)
}

// want compares the recorded words with the expected ones.
func (h *bodies) want(t *testing.T, who string, want map[string][]word) {
	t.Helper()
	if d := cmp.Diff(want, h.at); d != "" {
		t.Errorf("%s: %s", who, d)
	}
}

var (
	received     = map[string][]word{"Port Msg Recv": {1, 2, 3}, "Port Msg Retrieve": {1, 2, 3}}
	buffered     = map[string][]word{"Buffer Push": {1, 2, 3}, "Buf Pop": {1, 2, 3}}
	carried      = map[string][]word{"Conn Start Send": {1, 2, 3}, "Conn Deliver": {1, 2, 3}}
	sentMessages = map[string][]word{"Port Msg Send": {1, 2, 3}}
)

// everywhere is a hook at each place of a link.
type everywhere struct{ in, buffer, link, out *bodies }

// hookAll attaches a hook at each place. A buffer never loses its hooks, so it has one only if that hook is to stay.
func hookAll(a *talker, b *listener, link *wire.Link, keep string) everywhere {
	h := everywhere{newBodies(), newBodies(), newBodies(), newBodies()}
	b.In.Sink().AcceptHook(h.in)
	if keep == "buffer" {
		b.In.Sink().Buffer().AcceptHook(h.buffer)
	}
	link.AcceptHook(h.link)
	a.Out.Source().AcceptHook(h.out)
	return h
}

func TestAHookAtOnePlaceOfALinkSeesItsMessagesWhenAllOtherHooksAreRemoved(t *testing.T) {
	all := map[string]map[string][]word{"in": received, "buffer": buffered, "link": carried, "out": sentMessages}
	for _, keep := range []string{"in", "buffer", "link", "out"} {
		e := wire.NewEngine()
		a, b, link := conversation(e)
		h := hookAll(a, b, link, keep)
		removed := newBodies()
		switch keep { // the last hook is removed from a place that has another one
		case "in":
			b.In.Sink().AcceptHook(removed)
			b.In.Sink().RemoveHook(removed)
		case "out":
			a.Out.Source().AcceptHook(removed)
			a.Out.Source().RemoveHook(removed)
		case "link":
			link.AcceptHook(removed)
			link.RemoveHook(removed)
		}
		if keep != "link" {
			link.RemoveHook(h.link)
		}
		if keep != "out" {
			a.Out.Source().RemoveHook(h.out)
		}
		if keep != "in" {
			b.In.Sink().RemoveHook(h.in)
		}
		if err := e.Run(); err != nil {
			t.Fatal(err)
		}
		removed.want(t, keep+", the removed hook", map[string][]word{})
		for who, got := range map[string]*bodies{"in": h.in, "link": h.link, "out": h.out, "buffer": h.buffer} {
			want := all[who]
			if who != keep {
				want = map[string][]word{}
			}
			got.want(t, keep+" alone: "+who, want)
		}
	}
}

func TestAHookRemovedFromOnePortLeavesThoseOfOthers(t *testing.T) {
	e := wire.NewEngine()
	_, b, _ := conversation(e)
	x, y := newScript(b.Domain(), "X", 1), newScript(b.Domain(), "Y", 1)
	wire.Connect(&x.out, &y.in, 1)
	x.do = func(now wire.Cycle) bool {
		if now == 1 {
			x.out.Put(7)
		}
		return false
	}
	seen, gone := &hooked{}, &hooked{}
	y.in.Sink().AcceptHook(seen)
	b.In.Sink().AcceptHook(gone)
	b.In.Sink().RemoveHook(gone)
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	if want := []string{"Port Msg Recv"}; !cmp.Equal(seen.at, want) || len(gone.at) != 0 {
		t.Errorf("the hook left: %q, the one removed: %q; want %q and none", seen.at, gone.at, want)
	}
}

func TestListenersReceiveEveryMessageAfterTheHooksBesideThemAreRemoved(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	a, b := listened(d)
	var puts, pops int
	wire.OnPut(&a.Out, func(_, _ wire.Cycle, _ *word) { puts++ })
	wire.OnPop(&b.In, func(wire.Cycle, *word) { pops++ })
	h := &hooked{}
	b.In.Sink().AcceptHook(h)
	a.Out.Source().AcceptHook(h)
	b.In.Sink().RemoveHook(h)
	a.Out.Source().RemoveHook(h)
	d.RunUntil(20)
	if puts != 3 || pops != 3 || len(h.at) != 0 {
		t.Errorf("%d puts, %d pops, removed hook invoked at %q; want 3, 3 and never", puts, pops, h.at)
	}
}

func TestAHookIsRemovedFromAPortThatNeverHadOne(t *testing.T) {
	d := wire.NewDomain("Core", sim.GHz)
	_, b := listened(d)
	in := b.In.Sink()
	h := &hooked{}
	in.RemoveHook(h)
	if in.NumHooks() != 0 || len(in.Hooks()) != 0 || in.Buffer().NumHooks() != 0 || len(in.Buffer().Hooks()) != 0 {
		t.Errorf("%d hooks of the port, %d of its buffer, want none", in.NumHooks(), in.Buffer().NumHooks())
	}
	in.AcceptHook(h)
	if got := in.Hooks(); len(got) != 1 || got[0] != sim.Hook(h) {
		t.Errorf("hooks %v, want the one attached", got)
	}
}

func TestALinkLosesItsHooksBeforeAndAfterThePortDoes(t *testing.T) {
	for _, portFirst := range []bool{true, false} {
		e := wire.NewEngine()
		a, b, link := conversation(e)
		one, two, port := newBodies(), newBodies(), newBodies()
		link.RemoveHook(one) // nobody has attached it
		link.AcceptHook(one)
		link.AcceptHook(two)
		b.In.Sink().AcceptHook(port)
		link.RemoveHook(one)
		if portFirst {
			b.In.Sink().RemoveHook(port)
			link.RemoveHook(two)
			link.RemoveHook(two) // of a port without any
		} else {
			link.RemoveHook(two)
			b.In.Sink().RemoveHook(port)
		}
		if err := e.Run(); err != nil {
			t.Fatal(err)
		}
		for who, h := range map[string]*bodies{"first": one, "second": two, "port": port} {
			h.want(t, who, map[string][]word{})
		}
		if n := link.NumHooks() + b.In.Sink().NumHooks() + a.Out.Source().NumHooks(); n != 0 {
			t.Errorf("%d hooks are left", n)
		}
	}
}

func TestHooksAttachedWhileMessagesWaitSeeThemRetrieved(t *testing.T) {
	for _, place := range []string{"port", "buffer"} {
		e := wire.NewEngine()
		_, b, _ := conversation(e)
		if out, err := e.RunUntil(b.Domain(), 5); out != wire.LimitReached || err != nil {
			t.Fatal(out, err)
		}
		// The first word was taken in cycle 4. Two are visible.
		h := newBodies()
		want := map[string][]word{"Port Msg Retrieve": {2, 3}}
		if place == "port" {
			b.In.Sink().AcceptHook(h)
		} else {
			b.In.Sink().Buffer().AcceptHook(h)
			want = map[string][]word{"Buf Pop": {2, 3}}
		}
		if err := e.Run(); err != nil {
			t.Fatal(err)
		}
		h.want(t, place, want)
	}
}

func TestAMachineRunsInWindowsAgainWhenItsHooksAreRemoved(t *testing.T) {
	e := wire.NewEngine()
	_, b, link := conversation(e)
	s := newScript(b.Domain(), "S", 1)
	var times []sim.VTimeInSec
	s.do = func(now wire.Cycle) bool { times = append(times, e.CurrentTime()); return now < 5 }
	h := newBodies()
	link.AcceptHook(h)
	b.AcceptHook(h)
	link.RemoveHook(h)
	b.RemoveHook(h)
	if err := e.Run(); err != nil {
		t.Fatal(err)
	}
	// With a hook the engine's time is that of each step; without one it is that of the window.
	if len(times) != 5 || times[0] != times[4] {
		t.Errorf("times %v, want one window", times)
	}
}
