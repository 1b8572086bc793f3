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
