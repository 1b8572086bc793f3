package wire_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

// The benchmarks below are BenchmarkTick and BenchmarkMessage for stock Akita.

type stockBusy struct {
	*sim.TickingComponent
	left int
}

func (b *stockBusy) Tick(sim.VTimeInSec) bool { b.left--; return b.left > 0 }

func BenchmarkTickOfStockAkita(b *testing.B) {
	e := sim.NewSerialEngine()
	const n = 128
	for i := range n {
		c := &stockBusy{left: b.N / n}
		c.TickingComponent = sim.NewTickingComponent(fmt.Sprintf("C[%d]", i), e, sim.GHz, c)
		c.TickLater(0)
	}
	b.ReportAllocs()
	b.ResetTimer()
	_ = e.Run()
}

type stockMsg struct {
	sim.MsgMeta
	body body
}

func (m *stockMsg) Meta() *sim.MsgMeta { return &m.MsgMeta }

type stockRelay struct {
	*sim.TickingComponent
	in, out sim.Port
	next    *stockRelay
	left    int
}

func (r *stockRelay) Tick(now sim.VTimeInSec) bool {
	m := r.in.Peek()
	if m == nil || r.left == 0 {
		return false
	}
	if !r.send(now, m.(*stockMsg).body) {
		return false
	}
	r.in.Retrieve(now)
	r.left--
	return true
}

func (r *stockRelay) send(now sim.VTimeInSec, b body) bool {
	m := &stockMsg{body: b}
	m.ID = sim.GetIDGenerator().Generate()
	m.Src, m.Dst, m.SendTime = r.out, r.next.in, now
	return r.out.Send(m) == nil
}

func BenchmarkMessageOfStockAkita(b *testing.B) {
	e := sim.NewSerialEngine()
	const n = 64
	rs := make([]*stockRelay, n)
	for i := range rs {
		r := &stockRelay{left: b.N / n}
		r.TickingComponent = sim.NewTickingComponent(fmt.Sprintf("R[%d]", i), e, sim.GHz, r)
		r.in = sim.NewLimitNumMsgPort(r, 2, r.Name()+".In")
		r.out = sim.NewLimitNumMsgPort(r, 2, r.Name()+".Out")
		rs[i] = r
	}
	for i, r := range rs {
		r.next = rs[(i+1)%n]
		c := sim.NewDirectConnection(fmt.Sprintf("Conn[%d]", i), e, sim.GHz)
		c.PlugIn(r.out, 2)
		c.PlugIn(r.next.in, 2)
	}
	for _, r := range rs {
		r.send(0, body{})
	}
	b.ReportAllocs()
	b.ResetTimer()
	_ = e.Run()
}

// ringOver is a ring of relays over the domains, with one message each.
func ringOver(domains []*wire.Domain, relays, latency, capacity int) {
	rs := make([]*relay, relays)
	for i := range rs {
		r := &relay{}
		r.Init(fmt.Sprintf("R[%d]", i), domains[i%len(domains)], r)
		r.In.Init(&r.Comp, "In", capacity)
		r.Out.Init(&r.Comp, "Out")
		rs[i] = r
	}
	for i, r := range rs {
		wire.Connect(&r.Out, &rs[(i+1)%relays].In, latency)
		for range latency {
			r.Out.Put(body{})
		}
	}
}

// BenchmarkMessageOverLane measures a message, as BenchmarkMessage does, over
// lanes between two partitions; over local links of the same latency; and
// between two clock domains of one partition.
func BenchmarkMessageOverLane(b *testing.B) {
	const n, latency = 64, 8
	for _, x := range []struct {
		name                string
		partitions, domains int
	}{{"local", 1, 1}, {"domains", 1, 2}, {"partitions", 2, 2}} {
		b.Run(x.name, func(b *testing.B) {
			e := wire.NewEngine()
			var ds []*wire.Domain
			for i := range x.domains {
				if i < x.partitions {
					e.NewPartition(fmt.Sprintf("P[%d]", i))
				}
				ps := e.Partitions()
				ds = append(ds, ps[i%len(ps)].NewDomain(fmt.Sprintf("D[%d]", i), sim.GHz))
			}
			ringOver(ds, n, latency, 2*latency+1)
			b.ReportAllocs()
			b.ResetTimer()
			_, _ = e.RunUntil(ds[0], wire.Cycle(b.N/n))
		})
	}
}
