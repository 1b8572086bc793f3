package constant

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kumiko/components/spec/spectest"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/memsys/req"
)

// l2 answers requests after 99 cycles, each by a packet of two sectors and another of two, one packet per cycle.
type l2 struct {
	wire.Comp
	in      wire.InPort[req.Packet]
	out     wire.OutPort[req.Packet]
	answers []wiretest.At[req.Packet]
	asked   []uint64
}

func (m *l2) Tick(now wire.Cycle) bool {
	for p := m.in.Take(); p != nil; p = m.in.Take() {
		m.asked = append(m.asked, p.Addr)
		for _, sectors := range []uint8{3, 12} {
			a := p.Answer()
			a.Sectors = sectors
			m.answers = append(m.answers, wiretest.At[req.Packet]{Cycle: now + 99, Msg: a})
		}
	}
	if len(m.answers) == 0 {
		return false
	}
	if a := &m.answers[0]; a.Cycle > now {
		m.WakeAt(a.Cycle)
		return false
	}
	if m.out.CanPut() {
		m.out.Put(m.answers[0].Msg)
		m.answers = m.answers[1:]
	}
	return len(m.answers) > 0
}

// rig is a second cache with clients and an L2.
type rig struct {
	d       *wire.Domain
	c       *Second
	l2      *l2
	reg     stats.Registry
	clients []*wiretest.Source[Line]
	answers []*wiretest.Sink[Line]
}

func newRig(t *testing.T, line, clients int) *rig {
	t.Helper()
	r := &rig{d: wire.NewDomain("D", 1e9)}
	r.c, r.l2 = secondOf(t, r.d, line, clients, &r.reg)
	for i := range clients {
		r.clients = append(r.clients, wiretest.NewSource("Src", r.d, &r.c.In[i]))
		r.answers = append(r.answers, wiretest.NewSink("Sink", r.d, &r.c.Out[i], 4))
	}
	return r
}

// secondOf builds a second cache, with an L2 if it asks one.
func secondOf(t *testing.T, d *wire.Domain, line, clients int, reg *stats.Registry) (*Second, *l2) {
	t.Helper()
	c, err := NewSecond("C2", d, SecondSpec{Line: line}, clients, reg)
	if err != nil {
		t.Fatal(err)
	}
	if line == 0 {
		return c, nil
	}
	m := &l2{}
	m.Init("L2", d, m)
	m.in.Init(&m.Comp, "In", 64)
	m.out.Init(&m.Comp, "Out")
	wire.Connect(&c.ToMem, &m.in, 1)
	wire.Connect(&m.out, &c.FromMem, 1)
	return c, m
}

// The request is there at 2. A line of 256 bytes takes two packets, asked for at 2 and 3, which are answered in four
// parts from 102 to 105. The last one is there at 106, and the client has the line at 107.
func TestALineComesFromTheL2InPacketsAndOnceForAllClients(t *testing.T) {
	r := newRig(t, 256, 2)
	r.clients[0].Send(1, Line{Bank + 4})
	r.clients[0].Send(1, Line{Bank + 260})
	r.clients[1].Send(1, Line{Bank + 128})
	r.d.RunUntil(300)
	if want := []uint64{Base, Base + 128, Base + 256, Base + 384}; !slices.Equal(r.l2.asked, want) {
		t.Errorf("asked for %#x, want %#x", r.l2.asked, want)
	}
	if got := r.answers[0].Got; len(got) != 2 || got[0].Cycle != 107 || got[1].Cycle != 111 {
		t.Errorf("the first client's answers: %+v, want them at 107 and, of four more parts, at 111", got)
	}
	if got := r.answers[1].Got; len(got) != 1 || got[0].Cycle != 107 {
		t.Errorf("the second client's answers: %+v, want one at 107", got)
	}
	if s := r.reg.Snapshot(); s["mem.constant.second.misses"] != 2 || s["mem.constant.second.answers"] != 3 {
		t.Errorf("%v, want 2 misses of 3", s)
	}
}

func TestALineStaysUntilTheNextLaunch(t *testing.T) {
	r := newRig(t, 128, 1)
	r.clients[0].Send(1, Line{Bank})
	r.clients[0].Send(200, Line{Bank + 64})
	r.d.RunUntil(300)
	if got := r.answers[0].Got; len(got) != 2 || got[1].Cycle != 202 || len(r.l2.asked) != 1 {
		t.Fatalf("answers %+v and %d packets, want the second at 202 without one", got, len(r.l2.asked))
	}
	r.c.Launch()
	r.clients[0].Send(301, Line{Bank})
	r.d.RunUntil(600)
	if len(r.l2.asked) != 2 || len(r.answers[0].Got) != 3 {
		t.Errorf("%d packets and %d answers, want the line again", len(r.l2.asked), len(r.answers[0].Got))
	}
}

func TestTheConstantsOfALaunchAndAllOfACacheWithoutLinesAreThere(t *testing.T) {
	for line, addr := range map[int]uint64{128: 0x160, 0: Bank + 64} {
		r := newRig(t, line, 1)
		r.clients[0].Send(1, Line{addr})
		r.d.RunUntil(300)
		if got := r.answers[0].Got; len(got) != 1 || got[0].Cycle != 3 {
			t.Errorf("lines of %d: answers %+v, want one at 3", line, got)
		}
	}
}

// Whatever clients ask for, each has its answers in its own order, and a line comes once.
func TestClientsHaveTheirLinesInOrderAndTheL2IsAskedOnceForEach(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 1))
		r := newRig(t, 256, 3)
		asked := make([][]Line, 3)
		lines := map[uint64]bool{}
		now := wire.Cycle(1)
		for range 150 {
			i, addr := rng.IntN(3), uint64(rng.IntN(Bytes))
			if rng.IntN(2) == 0 {
				addr %= 2048
			}
			r.clients[i].Send(now, Line{Bank + addr})
			asked[i] = append(asked[i], Line{Bank + addr})
			lines[addr/256] = true
			now += wire.Cycle(rng.IntN(20))
		}
		r.d.RunUntil(40000)
		for i, a := range r.answers {
			var got []Line
			for _, x := range a.Got {
				got = append(got, x.Msg)
			}
			if !slices.Equal(got, asked[i]) {
				t.Fatalf("seed %d: client %d: %d answers, want %d in its order", seed, i, len(got), len(asked[i]))
			}
		}
		if len(r.l2.asked) != 2*len(lines) {
			t.Errorf("seed %d: %d packets of %d lines, want two for each", seed, len(r.l2.asked), len(lines))
		}
	}
}

func TestASecondCacheTakesLinesWithinTheirBoundsAlone(t *testing.T) {
	x := spectest.Of(t, func() SecondSpec { return SecondSpec{} }, (*SecondSpec).Check)
	x.Only("line_bytes", map[int]bool{0: true, 64: false, 128: true, 192: false, 1024: true, 2048: false},
		func(s *SecondSpec, v int) { s.Line = v })
}
