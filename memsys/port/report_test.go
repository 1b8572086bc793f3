package port

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// rig is a port with clients and an interconnect refusing messages on demand.
type rig struct {
	d       *wire.Domain
	p       *Port
	reg     stats.Registry
	in      [NumClients]*wiretest.Source[req.Packet]
	out     [NumClients]*wiretest.Sink[req.Packet]
	fromNet *wiretest.Source[req.Packet]
	net     *wiretest.Sink[req.Packet]
}

// newRig has sinks of one message each.
func newRig() *rig {
	r := &rig{d: wire.NewDomain("D", 1e9)}
	r.p = New("P", r.d, Spec{Flit: 40, Miss: [NumClients]int{4, 4, 4, 4, 4}, Net: 4}, &r.reg)
	for i := range NumClients {
		r.in[i] = wiretest.NewSource("In", r.d, &r.p.In[i])
		r.out[i] = wiretest.NewSink("Out", r.d, &r.p.Out[i], 1)
	}
	r.fromNet = wiretest.NewSource("Net", r.d, &r.p.FromNet)
	r.net = wiretest.NewSink("Net", r.d, &r.p.ToNet, 1)
	return r
}

func refuse(wire.Cycle) bool { return true }

func TestAPacketHasAsManyFlitsAsItsBytesFill(t *testing.T) {
	for bytes, want := range map[uint8]int{0: 1, 32: 1, 33: 2, 72: 2, 73: 3} { // and 8 bytes of header
		if got := Flits(&req.Packet{Kind: req.Write, Bytes: bytes}, 40); got != want {
			t.Errorf("%d bytes and the header: %d flits of 40 bytes, want %d", bytes, got, want)
		}
	}
}

func TestARequestTakesACycleForEachSectorAndOneForAMaskOrAnOperation(t *testing.T) {
	const all, half = req.AllSectors, 0b0011
	p := New("P", wire.NewDomain("core", 1e9),
		Spec{Flit: 136, Sectors: true, Miss: [NumClients]int{1, 1, 1, 1, 1}, Net: 1}, nil)
	for _, c := range []struct {
		q    req.Packet
		want int
	}{
		{req.Packet{Kind: req.Read, Sectors: all}, 1},
		{req.Packet{Kind: req.Write, Sectors: all, Full: all, Bytes: 128}, 4},
		{req.Packet{Kind: req.Write, Sectors: half, Full: half, Bytes: 64}, 2},
		{req.Packet{Kind: req.Write, Sectors: half, Full: 0b0001, Bytes: 36}, 3},
		{req.Packet{Kind: req.Write, Sectors: 0b0100, Bytes: 4}, 2},
		{req.Packet{Kind: req.Reduce, Sectors: all, Bytes: 128}, 5},
		{req.Packet{Kind: req.Atomic, Sectors: half, Bytes: 8}, 3},
		{req.Packet{Kind: req.Atomic, Sectors: 0b1000, Bytes: 4}, 1},
	} {
		if got := p.passes(&c.q); got != c.want {
			t.Errorf("%+v: %d cycles, want %d", c.q, got, c.want)
		}
	}
}

func TestRequestsFlitsAndRepliesAreCounted(t *testing.T) {
	r := newRig()
	r.in[L1].Send(1, req.Packet{Kind: req.Write, Bytes: 128}) // 4 flits
	r.in[Design].Send(1, req.Packet{})                        // 1 flit
	for range 3 {
		r.fromNet.Send(1, req.Packet{Client: Texture, Reply: true})
	}
	r.d.RunUntil(50)
	want := map[string]uint64{"mem.port.requests": 2, "mem.port.request_flits": 5, "mem.port.replies": 3}
	if d := cmp.Diff(want, r.reg.Snapshot()); d != "" {
		t.Errorf("counts (-want +got):\n%s", d)
	}
}

func TestAPortSaysForWhatItWaits(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(r *rig)
		want string
	}{
		{"nothing to do", func(*rig) {}, ""},
		{"a request", func(r *rig) {
			r.net.Refuse = refuse
			r.in[L1].Send(1, req.Packet{})
			r.in[L1].Send(1, req.Packet{})
		}, "a request waits for the interconnect"},
		{"a reply", func(r *rig) {
			r.out[Texture].Refuse = refuse
			for range 2 { // one at the client
				r.fromNet.Send(1, req.Packet{Client: Texture})
			}
		}, "a reply waits for P.Out[1]"},
		{"replies of which one has made way", func(r *rig) {
			r.out[Texture].Refuse = refuse
			for range 2 {
				r.fromNet.Send(1, req.Packet{Client: Texture})
			}
			r.fromNet.Send(1, req.Packet{Client: L1})
		}, "1 replies that were put aside wait for P.Out[1]"},
	} {
		r := newRig()
		c.do(r)
		r.d.RunUntil(50)
		if got := r.p.Waiting(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A store keeps its room when replies come and go, so it does not grow beyond
// the client's outstanding requests.
func TestTheStoreOfAClientReusesItsRoom(t *testing.T) {
	var a waiting
	for i := range 4 {
		a.add(&req.Packet{Tag: uint32(i)})
	}
	room := cap(a.replies)
	for i := range 100 {
		if n := a.n(); n != 4 {
			t.Fatalf("%d replies, want 4", n)
		}
		if got := a.take().Tag; got != uint32(i) {
			t.Fatalf("took reply %d, want %d", got, i)
		}
		if n := a.n(); n != 3 {
			t.Fatalf("%d replies after one was taken, want 3", n)
		}
		a.add(&req.Packet{Tag: uint32(i + 4)})
	}
	if cap(a.replies) != room {
		t.Errorf("room for %d replies, want the %d of the beginning", cap(a.replies), room)
	}
}

// A port with one reply stored and none in its queue goes on by itself when the client
// has room.
func TestAStoredReplyFollowsADeliveredOne(t *testing.T) {
	r := newRig()
	open := wire.Cycle(20)
	r.out[Texture].Refuse = func(now wire.Cycle) bool { return now < open }
	for range 3 { // one at the client, two that make way
		r.fromNet.Send(1, req.Packet{Client: Texture})
	}
	r.fromNet.Send(1, req.Packet{Client: L1})
	r.d.RunUntil(60)
	if n := len(r.out[L1].Got); n != 1 {
		t.Fatalf("the L1 got %d replies, want 1", n)
	}
	want := []wire.Cycle{20, 22, 24} // the sink has room for one: it is free again the cycle after
	if d := cmp.Diff(want, r.out[Texture].Cycles()); d != "" {
		t.Errorf("replies of the texture cache (-want +got):\n%s", d)
	}
}
