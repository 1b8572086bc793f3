package wiretest

import "kumiko/components/wire"

// Flood keeps a port full.
type Flood[T any] struct {
	wire.Comp
	Out  wire.OutPort[T]
	next func(n int) T
	n    int
}

// NewFlood builds a flood and joins it to in by a link of latency 1. next makes
// its n-th message, from 0.
func NewFlood[T any](name string, d *wire.Domain, in *wire.InPort[T], next func(n int) T) *Flood[T] {
	f := &Flood[T]{next: next}
	f.Init(name, d, f)
	f.Out.Init(&f.Comp, "Out")
	wire.Connect(&f.Out, in, 1)
	return f
}

// Tick sends until the port is full.
func (f *Flood[T]) Tick(wire.Cycle) bool {
	for f.Out.CanPut() {
		f.Out.Put(f.next(f.n))
		f.n++
	}
	return true
}
