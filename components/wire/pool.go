package wire

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// pool is the set of goroutines simulating partitions, including the caller of Run. A window is over when all
// partitions have finished it, whoever simulated them: a helper delayed by other work of its processor keeps nobody
// waiting.
type pool struct {
	engine  *Engine
	parts   []*Partition
	helpers []*helper
	bound   bound
	round   atomic.Uint64 // windows begun; the helpers wait for it to change
	closed  atomic.Bool
	_       [64]byte     // keeps polls of round off the cache line of left
	left    atomic.Int64 // partitions still running in the window
	done    gate
}

type helper struct {
	gate  gate
	index int
	_     [64]byte // keep the gates of two helpers on lines of their own
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
	p := &pool{engine: e, parts: e.parts}
	p.round.Store(e.rounds)
	p.done.wake = make(chan struct{}, 1)
	for i := 1; i < min(e.workers, len(p.parts)); i++ {
		h := &helper{index: i}
		h.gate.wake = make(chan struct{}, 1)
		p.helpers = append(p.helpers, h)
	}
	for _, h := range p.helpers {
		go p.help(h, e.rounds)
	}
	return p
}

func (p *pool) close() {
	p.closed.Store(true)
	p.engine.rounds = p.round.Add(1)
	for _, h := range p.helpers {
		h.gate.open()
	}
}

// run runs every partition up to the bound.
func (p *pool) run(b bound) {
	if len(p.helpers) == 0 {
		round := p.round.Add(1)
		for k := range p.parts {
			p.parts[turn(k, len(p.parts), round)].run(b)
		}
		return
	}
	p.bound = b
	p.left.Store(int64(len(p.parts)))
	round := p.round.Add(1)
	for _, h := range p.helpers {
		h.gate.open()
	}
	p.work(0, round)
	p.done.await(func() bool { return p.left.Load() == 0 })
	for _, part := range p.parts {
		if part.failure != nil {
			panic(part.failure)
		}
	}
}

func (p *pool) help(h *helper, seen uint64) {
	for {
		h.gate.await(func() bool { return p.round.Load() != seen })
		if seen = p.round.Load(); p.closed.Load() {
			return
		}
		p.work(h.index, seen)
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

// work simulates partitions not yet claimed in this round: first the worker's own, with their state in its caches,
// then others. A late worker, arriving after the next round has begun, finds all of them claimed.
func (p *pool) work(worker int, round uint64) {
	parts, workers := p.parts, len(p.helpers)+1
	done := int64(0)
	for other := range workers {
		first := (worker + other) % workers
		n := (len(parts) - first + workers - 1) / workers
		for k := range n {
			part := parts[first+workers*turn(k, n, round)]
			if last := part.claim.Load(); last < round && part.claim.CompareAndSwap(last, round) {
				part.runGuarded(p.bound)
				done++
			}
		}
	}
	if done > 0 && p.left.Add(-done) == 0 {
		p.done.open()
	}
}

// runGuarded runs the partition and records a panic for the caller of Run.
func (p *Partition) runGuarded(b bound) {
	defer func() {
		if r := recover(); r != nil {
			p.failure = &PanicError{Partition: p.name, Value: r, Stack: debug.Stack()}
		}
	}()
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
