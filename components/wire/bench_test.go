package wire_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"

	"kumiko/components/wire"
)

type busy struct {
	wire.Comp
	n uint64
}

func (b *busy) Tick(wire.Cycle) bool { b.n++; return true }

// BenchmarkTick measures one tick of an awake component among 128.
func BenchmarkTick(b *testing.B) {
	d := wire.NewDomain("Core", sim.GHz)
	const n = 128
	for i := range n {
		c := &busy{}
		c.Init(fmt.Sprintf("C[%d]", i), d, c)
	}
	b.ReportAllocs()
	b.ResetTimer()
	d.RunUntil(wire.Cycle(b.N / n))
}

// body is as large as a small message of the machine.
type body [2]uint64

type relay struct {
	wire.Comp
	In  wire.InPort[body]
	Out wire.OutPort[body]
}

func newRelay(d *wire.Domain, i int) *relay {
	r := &relay{}
	r.Init(fmt.Sprintf("R[%d]", i), d, r)
	r.In.Init(&r.Comp, "In", 2)
	r.Out.Init(&r.Comp, "Out")
	return r
}

func (r *relay) Tick(wire.Cycle) bool {
	if m := r.In.Head(); m != nil && r.Out.CanPut() {
		r.Out.Put(*m)
		r.In.Pop()
	}
	return r.In.Head() != nil
}

// BenchmarkMessage measures one message from put to pop, with the wake and the
// tick of the component that passes it on, in a ring of 64 components.
func BenchmarkMessage(b *testing.B) {
	d := wire.NewDomain("Core", sim.GHz)
	const n = 64
	rs := make([]*relay, n)
	for i := range rs {
		rs[i] = newRelay(d, i)
	}
	for i := range rs {
		wire.Connect(&rs[i].Out, &rs[(i+1)%n].In, 1)
		rs[i].Out.Put(body{})
	}
	b.ReportAllocs()
	b.ResetTimer()
	d.RunUntil(wire.Cycle(b.N / n))
}

// BenchmarkMachineCycle measures one cycle of 16 partitions that each have a
// ring of 64 relays with a message each, and lanes of 8 cycles to their
// neighbours: some 1000 messages a cycle.
func BenchmarkMachineCycle(b *testing.B) {
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprintf("workers=%d", workers), func(b *testing.B) {
			e := wire.NewEngine()
			e.SetWorkers(workers)
			var across []*relay
			for i := range 16 {
				d := e.NewPartition(fmt.Sprintf("P[%d]", i)).NewDomain("Core", sim.GHz)
				ringOver([]*wire.Domain{d}, 64, 1, 2)
				r := &relay{}
				r.Init("Across", d, r)
				r.In.Init(&r.Comp, "In", 17)
				r.Out.Init(&r.Comp, "Out")
				across = append(across, r)
			}
			for i, r := range across {
				wire.Connect(&r.Out, &across[(i+1)%len(across)].In, 8)
				r.Out.Put(body{})
			}
			b.ReportAllocs()
			b.ResetTimer()
			_, _ = e.RunUntil(across[0].Domain(), wire.Cycle(b.N))
		})
	}
}
