package port

import (
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

func TestClientsTakeTurnsAtTheWidthOfThePort(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	p := New("P", d, Spec{SM: 5, Flit: 40, Miss: [NumClients]int{4, 4, 4, 4, 4}, Net: 4}, nil)
	var src [NumClients]*wiretest.Source[req.Packet]
	for i := range NumClients {
		src[i] = wiretest.NewSource("Src", d, &p.In[i])
		wiretest.NewSink("Out", d, &p.Out[i], 4)
	}
	net := wiretest.NewSink("Net", d, &p.ToNet, 8)
	for range 2 {
		src[L1].Send(1, req.Packet{Kind: req.Write, Bytes: 128}) // 136 bytes: 4 flits
		src[Texture].Send(1, req.Packet{})                       // 8 bytes: 1 flit
		src[Design].Send(1, req.Packet{})
	}
	d.RunUntil(100)
	want := []struct {
		client uint8
		cycle  wire.Cycle
	}{{L1, 3}, {Texture, 7}, {Design, 8}, {L1, 9}, {Texture, 13}, {Design, 14}}
	if len(net.Got) != len(want) {
		t.Fatalf("%d packets, want %d", len(net.Got), len(want))
	}
	for i, w := range want {
		if g := net.Got[i]; g.Msg.Client != w.client || g.Cycle != w.cycle || g.Msg.SM != 5 {
			t.Errorf("packet %d: client %d of SM %d in cycle %d, want client %d of SM 5 in cycle %d", i, g.Msg.Client,
				g.Msg.SM, g.Cycle, w.client, w.cycle)
		}
	}
}

func TestRepliesGoBackToTheirClient(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	p := New("P", d, Spec{Flit: 40, Miss: [NumClients]int{4, 4, 4, 4, 4}, Net: 4}, nil)
	wiretest.NewSink("Net", d, &p.ToNet, 8)
	src := wiretest.NewSource("Src", d, &p.FromNet)
	var out [NumClients]*wiretest.Sink[req.Packet]
	for i := range NumClients {
		out[i] = wiretest.NewSink("Out", d, &p.Out[i], 4)
		src.Send(1, req.Packet{Client: uint8(i), Tag: uint32(i)})
	}
	d.RunUntil(50)
	for i, o := range out {
		if len(o.Got) != 1 || o.Got[0].Msg.Tag != uint32(i) || o.Got[0].Cycle != wire.Cycle(3+i) {
			t.Errorf("client %d got %+v, want its reply in cycle %d", i, o.Got, 3+i)
		}
	}
}

func TestTheValuesOfAnAtomicTakeTheLinkForTheirTime(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	p := New("P", d, Spec{Flit: 40, Atomic: 4, Miss: [NumClients]int{4, 4, 4, 4, 4}, Net: 8}, nil)
	wiretest.NewSink("Net", d, &p.ToNet, 8)
	src, out := wiretest.NewSource("Src", d, &p.FromNet), wiretest.NewSink("Out", d, &p.Out[L1], 8)
	for _, k := range []req.Kind{req.Read, req.Atomic, req.Atomic, req.Reduce, req.Write} {
		src.Send(1, req.Packet{Client: L1, Kind: k, Reply: true})
	}
	d.RunUntil(50)
	for i, want := range []wire.Cycle{3, 4, 8, 12, 13} {
		if got := out.Got[i].Cycle; got != want {
			t.Errorf("reply %d is there in cycle %d, want %d", i, got, want)
		}
	}
}

// blockedRig is a port with one client that accepts no reply until it may.
type blockedRig struct {
	d   *wire.Domain
	p   *Port
	src *wiretest.Source[req.Packet]
	out [NumClients]*wiretest.Sink[req.Packet]
	may bool
}

func newBlockedRig(blocked int) *blockedRig {
	r := &blockedRig{d: wire.NewDomain("D", 1e9)}
	r.p = New("P", r.d, Spec{Flit: 40, Miss: [NumClients]int{4, 4, 4, 4, 4}, Net: 6}, nil)
	wiretest.NewSink("Net", r.d, &r.p.ToNet, 8)
	r.src = wiretest.NewSource("Src", r.d, &r.p.FromNet)
	for i := range NumClients {
		r.out[i] = wiretest.NewSink("Out", r.d, &r.p.Out[i], 2)
	}
	r.out[blocked].Refuse = func(wire.Cycle) bool { return !r.may }
	return r
}

func TestABlockedClientKeepsBackNoOthersReplies(t *testing.T) {
	for blocked := range NumClients {
		r := newBlockedRig(blocked)
		const each = 50
		for k := range each {
			for range 3 { // more of its replies than the port and the client hold
				r.src.Send(1, req.Packet{Client: uint8(blocked), Tag: uint32(k)})
			}
			for i := range NumClients {
				if i != blocked {
					r.src.Send(1, req.Packet{Client: uint8(i), Tag: uint32(k)})
				}
			}
		}
		r.d.RunUntil(1000)
		for i, o := range r.out {
			if i != blocked && len(o.Got) != each {
				t.Errorf("client %d is blocked and client %d got %d of %d replies", blocked, i, len(o.Got), each)
			}
		}
		if r.src.Left() != 0 || r.p.FromNet.Len() != 0 {
			t.Errorf("client %d is blocked: %d replies are left in the interconnect, %d in the port's queue", blocked,
				r.src.Left(), r.p.FromNet.Len())
		}
		if len(r.d.Waiting()) == 0 {
			t.Error("nobody says that replies wait")
		}
		r.may = true
		r.d.RunUntil(2000)
		for i, o := range r.out {
			want := each
			if i == blocked {
				want = 3 * each
			}
			if len(o.Got) != want {
				t.Fatalf("client %d got %d replies in the end, want %d", i, len(o.Got), want)
			}
			for k := 1; k < len(o.Got); k++ {
				if o.Got[k].Msg.Tag < o.Got[k-1].Msg.Tag {
					t.Fatalf("client %d got reply %d after %d", i, o.Got[k].Msg.Tag, o.Got[k-1].Msg.Tag)
				}
			}
		}
	}
}

// With replies to one client alone nothing is stored before the port is full. The full port
// blocks the interconnect as a queue does.
func TestRepliesToOneClientWaitInTheQueueOfThePort(t *testing.T) {
	r := newBlockedRig(L1)
	for range 7 { // two at the client, five in a queue of six
		r.src.Send(1, req.Packet{Client: L1})
	}
	r.d.RunUntil(100)
	if n := r.p.FromNet.Len(); n != 5 {
		t.Errorf("%d replies in the queue, want 5", n)
	}
}

// The replies of each client arrive once and in order, whenever the clients take
// them.
func TestEveryReplyArrivesOnceAndInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newBlockedRig(0)
		for i, o := range r.out {
			period := rapid.IntRange(1, 60).Draw(t, "period")
			refuses := rapid.IntRange(0, period-1).Draw(t, "refuses")
			o.Refuse = func(now wire.Cycle) bool { return (int(now)+i)%period < refuses }
		}
		var sent [NumClients]uint32
		at := wire.Cycle(1)
		for range rapid.IntRange(0, 200).Draw(t, "replies") {
			at += wire.Cycle(rapid.IntRange(0, 3).Draw(t, "gap"))
			c := rapid.IntRange(0, NumClients-1).Draw(t, "client")
			r.src.Send(at, req.Packet{Client: uint8(c), Tag: sent[c]})
			sent[c]++
		}
		r.d.RunUntil(20000)
		for c, o := range r.out {
			if len(o.Got) != int(sent[c]) {
				t.Fatalf("client %d got %d replies, want %d", c, len(o.Got), sent[c])
			}
			for k, g := range o.Got {
				if g.Msg.Tag != uint32(k) {
					t.Fatalf("client %d: reply %d is number %d", c, g.Msg.Tag, k)
				}
			}
		}
	})
}

// Between two requests of a client every other client with a request sends one.
func TestClientsThatAlwaysHaveARequestSendEquallyMany(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := wire.NewDomain("D", 1e9)
		p := New("P", d, Spec{Flit: 40, Miss: [NumClients]int{3, 3, 3, 3, 3}, Net: 4}, nil)
		var full [NumClients]bool
		for i := range NumClients {
			wiretest.NewSink("Out", d, &p.Out[i], 4)
			full[i] = rapid.Bool().Draw(t, "full")
			if size := rapid.IntRange(0, 4).Draw(t, "sectors"); full[i] {
				wiretest.NewFlood("Flood", d, &p.In[i],
					func(int) req.Packet { return req.Packet{Kind: req.Write, Bytes: uint8(32 * size)} })
				continue
			}
			src := wiretest.NewSource("Src", d, &p.In[i])
			for at := wire.Cycle(1); at < 1000; at += wire.Cycle(rapid.IntRange(2, 300).Draw(t, "gap")) {
				src.Send(at, req.Packet{})
			}
		}
		net := wiretest.NewSink("Net", d, &p.ToNet, rapid.IntRange(1, 4).Draw(t, "room"))
		period := rapid.IntRange(1, 5).Draw(t, "period")
		refuses := rapid.IntRange(0, period-1).Draw(t, "refuses")
		net.Refuse = func(now wire.Cycle) bool { return int(now)%period < refuses }
		d.RunUntil(1000)
		var n [NumClients]int
		for _, g := range net.Got {
			n[g.Msg.Client]++
		}
		for i := range n {
			for j := range i {
				if full[i] && full[j] && (n[i]-n[j] > 1 || n[j]-n[i] > 1) {
					t.Fatalf("clients %d and %d, which always have a request, sent %d and %d", j, i, n[j], n[i])
				}
			}
		}
	})
}
