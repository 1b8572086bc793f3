package port

import (
	"testing"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

func TestClientsTakeTurnsAtTheWidthOfThePort(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	p := New("P", d, 5, 40, Queues{Miss: [NumClients]int{4, 4, 4, 4}, Net: 4}, nil)
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
			t.Errorf("packet %d: client %d of SM %d in cycle %d, want client %d of SM 5 in cycle %d", i, g.Msg.Client, g.Msg.SM, g.Cycle, w.client, w.cycle)
		}
	}
}

func TestRepliesGoBackToTheirClient(t *testing.T) {
	d := wire.NewDomain("D", 1e9)
	p := New("P", d, 0, 40, Queues{Miss: [NumClients]int{4, 4, 4, 4}, Net: 4}, nil)
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
