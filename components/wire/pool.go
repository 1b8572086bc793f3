package wire

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// pool is the set of goroutines simulating partitions, including the caller of Run.
type pool struct {
	engine *Engine
	flow   *flow         // nil: the caller of Run works alone
	round  atomic.Uint64 // epochs begun; the helpers wait for it to change
	closed atomic.Bool
}

// gate lets one goroutine wait for another. The waiting one polls for a while, because windows are short, and then
// sleeps.
type gate struct {
	asleep atomic.Bool
	wake   chan struct{}
}

// polls is the number of polls of a waiting goroutine before it sleeps: some tens of microseconds, longer than the
// imbalance of workers within a window of a busy machine.
const polls = 1 << 14

func (g *gate) await(ready func() bool) {
	for i := 0; i < polls; i++ {
		if ready() {
			return
		}
		if i%256 == 255 {
			runtime.Gosched()
		}
	}
	for !ready() {
		g.asleep.Store(true)
		if ready() && g.asleep.CompareAndSwap(true, false) {
			return
		}
		<-g.wake
	}
}

func (g *gate) open() {
	if g.asleep.CompareAndSwap(true, false) {
		g.wake <- struct{}{}
	}
}

func newPool(e *Engine) *pool {
	p := &pool{engine: e}
	p.round.Store(e.rounds)
	workers := min(e.workers, len(e.parts))
	if workers < 2 {
		return p
	}
	p.flow = newFlow(e, workers)
	for i := 1; i < workers; i++ {
		go p.help(i, e.rounds)
	}
	return p
}

func (p *pool) close() {
	p.closed.Store(true)
	p.engine.rounds = p.round.Add(1)
	if p.flow != nil {
		for _, c := range p.flow.crews[1:] {
			c.gate.open()
		}
	}
}

// run runs every partition for an epoch, of one window if the caller works alone, and returns its end.
func (p *pool) run(e epoch) bound {
	round := p.round.Add(1)
	if p.flow == nil {
		for k := range p.engine.parts {
			p.engine.parts[turn(k, len(p.engine.parts), round)].run(e.end(0))
		}
		return e.end(0)
	}
	p.flow.begin(e)
	for _, c := range p.flow.crews[1:] {
		c.gate.open()
	}
	p.flow.work(0)
	for _, part := range p.engine.parts {
		if part.failure != nil {
			panic(part.failure)
		}
	}
	p.engine.exchange(1) // the caller brings in the rest
	for _, part := range p.engine.parts {
		part.parity = 0
	}
	return e.end(p.flow.last - 1)
}

// help works in every epoch until the pool is closed.
func (p *pool) help(worker int, seen uint64) {
	for {
		p.flow.crews[worker].gate.await(func() bool { return p.round.Load() != seen })
		if seen = p.round.Load(); p.closed.Load() {
			return
		}
		p.flow.work(worker)
	}
}

// turn returns the number of the k-th of n partitions to be run in a round. Every second round goes backwards: it
// begins with the partitions run last, whose state is still in the caches.
func turn(k, n int, round uint64) int {
	if round%2 == 1 {
		return n - 1 - k
	}
	return k
}

// runGuarded runs window k of an epoch, and records a panic for the caller of Run.
func (p *Partition) runGuarded(k int, b bound) {
	defer func() {
		if r := recover(); r != nil {
			p.failure = &PanicError{Partition: p.name, Value: r, Stack: debug.Stack()}
		}
	}()
	p.collect(k - 1)
	p.parity = k & 1
	p.run(b)
}

// PanicError is the panic of a component simulated by a worker. Run panics with it on the goroutine of its caller.
type PanicError struct {
	Partition string
	Value     any
	Stack     []byte
}

// Error describes the value, the partition and the stack of the panic.
func (e *PanicError) Error() string {
	return fmt.Sprintf("%v (in partition %s)\n%s", e.Value, e.Partition, e.Stack)
}
