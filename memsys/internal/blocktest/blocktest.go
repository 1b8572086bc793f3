// Package blocktest has the common part of the tests of the memory system's blocks:
// a clock and statistics for a block under test, and accesses.
package blocktest

import (
	"testing"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/components/wire/wiretest"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Bench is a clock and statistics.
type Bench struct {
	D   *wire.Domain
	Reg stats.Registry

	t      *testing.T
	prefix string
}

// New returns a bench for a block. prefix begins the names of the block's statistics.
func New(t *testing.T, prefix string) *Bench {
	return &Bench{D: wire.NewDomain("D", 1e9), t: t, prefix: prefix}
}

// Built stops the test when a block could not be built.
func (b *Bench) Built(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

// Run runs the given number of cycles.
func (b *Bench) Run(cycles wire.Cycle) { b.D.RunUntil(b.D.Now() + cycles) }

// Next returns the next cycle.
func (b *Bench) Next() wire.Cycle { return b.D.Now() + 1 }

// Stat checks a statistic.
func (b *Bench) Stat(name string, want uint64) {
	b.t.Helper()
	v, ok := b.Reg.Snapshot()[b.prefix+name]
	if !ok || v != want {
		b.t.Errorf("%s is %d (known: %v), want %d", name, v, ok, want)
	}
}

// Stream checks the arrival of n messages, one per cycle from the first on.
func Stream[T any](t *testing.T, s *wiretest.Sink[T], n int, first wire.Cycle) {
	t.Helper()
	got := s.Cycles()
	if len(got) != n {
		t.Fatalf("%d messages came, want %d", len(got), n)
	}
	for i, c := range got {
		if want := first + wire.Cycle(i); c != want {
			t.Errorf("message %d came in cycle %d, want %d", i, c, want)
		}
	}
}

// Listed returns an access at listed addresses, one per executed lane.
func Listed(space ir.Space, addrs ...uint64) stream.Access {
	var a stream.Access
	a.SetList(space, &addrs, 0, len(addrs))
	return a
}
