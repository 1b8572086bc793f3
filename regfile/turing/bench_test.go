package turing

import (
	"testing"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
)

// flooded returns a sub-core without a checker. Its Control gets an instruction in every cycle in which it can
// accept one.
func flooded(tb testing.TB, flags uint8) (*wire.Domain, *drain) {
	d := wire.NewDomain("Core", 1e9)
	env := environment(d, &stats.Registry{}, 8)
	env.ReadNotice = false
	f, err := New(env, Default())
	if err != nil {
		tb.Fatal(err)
	}
	list := []*ir.Inst{fma(-1, flags, 8, 13, 18), fma(-1, flags, 8, 14, 19)}
	wiretest.NewFlood("Scheduler", d, f.DataPorts().Issue[0], func(n int) op.Op {
		return op.Op{Inst: list[n&1], Tag: uint32(n + 1), Exec: all, Warp: uint16(n >> 1 & 3)}
	})
	x := &drain{}
	x.Init("Unit", d, x)
	x.in.Init(&x.Comp, "In", 2)
	wire.Connect(f.DataPorts().Ready[0], &x.in, 1)
	return d, x
}

// drain takes every operation.
type drain struct {
	wire.Comp
	in wire.InPort[op.Op]
	n  int
}

func (x *drain) Tick(wire.Cycle) bool {
	for x.in.Head() != nil {
		x.in.Pop()
		x.n++
	}
	return false
}

func TestASubCoreAllocatesNothing(t *testing.T) {
	d, x := flooded(t, 1)
	d.RunUntil(1000)
	at := wire.Cycle(1000)
	if n := testing.AllocsPerRun(10, func() {
		at += 1000
		d.RunUntil(at)
	}); n != 0 || x.n < 5000 {
		t.Errorf("%v allocations in 1000 cycles; %d instructions", n, x.n)
	}
}

// BenchmarkSubCore measures the time per cycle of a sub-core never without an instruction.
func BenchmarkSubCore(b *testing.B) {
	for name, flags := range map[string]uint8{"no flags": 0, "flags": 1} {
		b.Run(name, func(b *testing.B) {
			d, x := flooded(b, flags)
			d.RunUntil(1000)
			b.ReportAllocs()
			b.ResetTimer()
			d.RunUntil(1000 + wire.Cycle(b.N))
			if x.n < b.N/2 {
				b.Fatalf("%d instructions in %d cycles", x.n, b.N)
			}
		})
	}
}
