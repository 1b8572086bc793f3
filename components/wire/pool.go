package wire

import (
	"fmt"
	"runtime/debug"

	"kumiko/components/wire/flow"
)

// pool has the workers of a run.
type pool struct {
	engine *Engine
	epoch  epoch
	flow   *flow.Flow // nil: the caller of Run works alone
}

// epoch is a number of windows in a row.
type epoch struct {
	first   Cycle // of the window's clock
	window  window
	limit   bound
	windows int
}

// windowsOfEpoch is the number of windows in an epoch: many, so that workers seldom wait for each other at its end, and
// not more, because a machine that falls idle still passes through the rest.
const windowsOfEpoch = 32

// end returns the end of window k.
func (e *epoch) end(k int) bound {
	return bound{edge{e.first + Cycle(k+1)*e.window.cycles, e.window.hz}, false}.earlier(e.limit)
}

// length returns the number of windows up to the limit, at most e.windows.
func (e *epoch) length() int {
	n := 1
	for n < e.windows && e.end(n-1) != e.limit {
		n++
	}
	return n
}

func newPool(e *Engine) *pool {
	p := &pool{engine: e}
	workers := min(e.workers, len(e.parts))
	if workers < 2 {
		return p
	}
	parts := make([]flow.Part, len(e.parts))
	for i, x := range e.parts {
		parts[i] = flow.Part{Neighbours: x.neighbours, Leader: flow.NoLeader}
		if x.leader != nil {
			parts[i].Leader = x.leader.index
		}
	}
	p.flow = flow.New(parts, workers,
		func(part, k int) { e.parts[part].runGuarded(k, p.epoch.end(k)) },
		func(part int) bool { return e.parts[part].failure != nil || e.stop.Load() })
	return p
}

func (p *pool) close() {
	if p.flow != nil {
		p.flow.Close()
	}
}

// run runs every partition for an epoch, of one window if the caller works alone, and returns its end.
func (p *pool) run(e epoch) bound {
	parts := p.engine.parts
	if p.flow == nil {
		p.engine.rounds++
		for k := range parts {
			if x := parts[turn(k, len(parts), p.engine.rounds)]; x.leader == nil {
				x.runWithFollowers(e.end(0), p.engine.rounds)
			}
		}
		return e.end(0)
	}
	p.epoch = e
	n := p.flow.Run(e.length())
	for _, part := range parts {
		if part.failure != nil {
			panic(part.failure)
		}
	}
	p.engine.exchange(1) // the caller brings in the rest
	for _, part := range parts {
		part.parity = 0
	}
	return e.end(n - 1)
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
			at := p
			if p.stepped != nil {
				at = p.stepped
			}
			p.failure = &PanicError{Partition: at.name, Value: r, Stack: debug.Stack()}
		}
	}()
	if p.leader != nil {
		p.collect(k) // what the leader has sent in this window
	} else {
		p.collect(k - 1)
	}
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
