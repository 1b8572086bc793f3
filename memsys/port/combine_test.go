package port

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// combineRig is a port that combines stores, before a network that does not take anything until it may.
type combineRig struct {
	d       *wire.Domain
	l1      *wiretest.Source[req.Packet]
	net     *wiretest.Sink[req.Packet]
	replies *wiretest.Source[req.Packet]
	out     *wiretest.Sink[req.Packet]
	from    wire.Cycle
}

func newCombineRig(packets int) *combineRig {
	r := &combineRig{d: wire.NewDomain("D", 1e9), from: 100}
	p := New("P", r.d, Spec{Flit: 40, Sectors: true, Combine: packets, Miss: [NumClients]int{4, 4, 4, 4, 4}, Net: 4},
		nil)
	r.l1 = wiretest.NewSource("L1", r.d, &p.In[L1])
	r.net = wiretest.NewSink("Net", r.d, &p.ToNet, 1)
	r.net.Refuse = func(now wire.Cycle) bool { return now < r.from }
	r.replies = wiretest.NewSource("Replies", r.d, &p.FromNet)
	r.out = wiretest.NewSink("Out", r.d, &p.Out[L1], 4)
	return r
}

// first is a packet that is under way before all others, so that these wait.
func (r *combineRig) first() {
	for range 3 {
		r.l1.Send(1, req.Packet{Addr: 1 << 20, Kind: req.Read})
	}
}

// stored is a store to sectors of a line.
func stored(line uint64, sectors uint8, slot uint16) req.Packet {
	return req.Packet{Addr: line * req.LineBytes, Kind: req.Write, Cause: req.GlobalStore, Sectors: sectors,
		Bytes: 4 * uint8(bits.OnesCount8(sectors)), Tag: req.Done{Slot: slot, Of: 1}.Tag()}
}

func TestStoresToALineThatWaitLeaveAsOne(t *testing.T) {
	r := newCombineRig(8)
	r.first()
	for i, p := range []req.Packet{stored(1, 0b0001, 1), stored(2, 0b0001, 2), stored(1, 0b0110, 3),
		stored(1, 0b0001, 4)} {
		r.l1.Send(wire.Cycle(10+i), p)
	}
	r.d.RunUntil(200)
	got := r.net.Got[3:]
	if len(got) != 2 {
		t.Fatalf("%d stores have left, want 2", len(got))
	}
	if p := got[0].Msg; p.Addr != req.LineBytes || p.Sectors != 0b0111 || p.Bytes != 16 {
		t.Errorf("the first has sectors %b and %d bytes of line %d, want 111 and 16 of line 1", p.Sectors, p.Bytes,
			p.Addr/req.LineBytes)
	}
	r.replies.Send(300, got[0].Msg.Answer())
	r.replies.Send(300, got[1].Msg.Answer())
	r.d.RunUntil(400)
	slots := map[uint16]int{}
	for _, g := range r.out.Got {
		d, ok := req.TagDone(g.Msg.Tag)
		if !ok {
			t.Fatalf("an answer has tag %#x", g.Msg.Tag)
		}
		slots[d.Slot]++
	}
	if len(slots) != 4 || slots[1] != 1 || slots[2] != 1 || slots[3] != 1 || slots[4] != 1 {
		t.Errorf("answers by store: %v, want one to each of 1 to 4", slots)
	}
}

func TestAStoreStandsAlone(t *testing.T) {
	read := req.Packet{Addr: req.LineBytes, Kind: req.Read}
	posted := stored(1, 1, 2)
	posted.Flags = req.Posted
	local := stored(1, 1, 2)
	local.Cause = req.LocalStore
	for name, list := range map[string][]req.Packet{
		"beside one to another line":        {stored(1, 1, 1), stored(2, 1, 2)},
		"if the line is read in between":    {stored(1, 1, 1), read, stored(1, 1, 2)},
		"beside one without acknowledgment": {stored(1, 1, 1), posted},
		"beside one to another space":       {stored(1, 1, 1), local},
	} {
		r := newCombineRig(4)
		r.first()
		for i, p := range list {
			r.l1.Send(wire.Cycle(10+i), p)
		}
		r.d.RunUntil(300)
		n := 0
		for _, g := range r.net.Got {
			if g.Msg.Addr != 1<<20 {
				n++
			}
		}
		if n != len(list) {
			t.Errorf("%s: %d packets, want %d", name, n, len(list))
		}
	}
}

func TestAStoreStandsAloneWhereTheOneBeforeHasLeft(t *testing.T) {
	r := newCombineRig(4)
	r.from = 0
	r.l1.Send(1, stored(1, 1, 1))
	r.l1.Send(9, stored(1, 1, 2))
	r.d.RunUntil(100)
	if n := len(r.net.Got); n != 2 {
		t.Errorf("%d packets, want 2", n)
	}
}

func TestEveryStoreIsAnsweredOnceAndPacketsOfALineKeepTheirOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := newCombineRig(rapid.IntRange(1, 6).Draw(t, "packets"))
		r.from = wire.Cycle(rapid.IntRange(0, 60).Draw(t, "from"))
		n := rapid.IntRange(1, 60).Draw(t, "stores")
		sectors := map[uint64]uint8{}
		for i := range n {
			line := rapid.Uint64Range(0, 5).Draw(t, "line")
			p := stored(line, 1<<rapid.IntRange(0, 3).Draw(t, "sector"), uint16(i))
			sectors[p.Addr] |= p.Sectors
			r.l1.Send(wire.Cycle(1+i/2), p)
		}
		r.d.RunUntil(1000)
		for i, g := range r.net.Got {
			sectors[g.Msg.Addr] &^= g.Msg.Sectors
			r.replies.Send(wire.Cycle(1001+i), g.Msg.Answer())
		}
		for line, left := range sectors {
			if left != 0 {
				t.Errorf("sectors %b of line %d have not left", left, line/req.LineBytes)
			}
		}
		r.d.RunUntil(3000)
		answered := make([]int, n)
		for _, g := range r.out.Got {
			d, _ := req.TagDone(g.Msg.Tag)
			answered[d.Slot]++
		}
		for slot, k := range answered {
			if k != 1 {
				t.Errorf("store %d is answered %d times", slot, k)
			}
		}
	})
}

func TestStoresStandAloneWhenNoAnswerHasAPlace(t *testing.T) {
	var c combiner
	c.init(4)
	for i := range mostJoined {
		c.join(&req.Packet{}) // is no store
		p := stored(uint64(i/512), 1, uint16(i))
		if !c.join(&p) && !c.add(&p) {
			t.Fatal("no room")
		}
	}
	if c.n != 2 || c.count != mostJoined-2 {
		t.Fatalf("%d packets and %d joined stores, want 2 and %d", c.n, c.count, mostJoined-2)
	}
	p := stored(0, 1, 1)
	if c.join(&p) {
		t.Error("a store joins, and its answer has no place")
	}
	q := stored(7, 1, 2)
	c.add(&q)
	c.joined[0].next, c.unused = none, 0 // a single place, too few for a packet that stands alone
	if c.join(&q) || c.unused != 0 || c.entry(2).packet.Tag != q.Tag {
		t.Error("one place is enough for two answers, or is lost")
	}
}
