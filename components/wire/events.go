package wire

import (
	"sync"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"
)

// events is a queue of Akita events by time. At equal times primary events come before secondary ones, and
// otherwise in the order of scheduling.
type events struct {
	waiting atomic.Int64 // len(heap), to be read without the lock
	mu      sync.Mutex
	heap    []queued
	seq     uint64
}

type queued struct {
	time      sim.VTimeInSec
	seq       uint64
	secondary bool
	event     sim.Event
}

func (a *queued) before(b *queued) bool {
	switch {
	case a.time != b.time:
		return a.time < b.time
	case a.secondary != b.secondary:
		return b.secondary
	}
	return a.seq < b.seq
}

func (q *events) push(e sim.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.seq++
	x := queued{e.Time(), q.seq, e.IsSecondary(), e}
	h := append(q.heap, x)
	i := len(h) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if h[parent].before(&x) {
			break
		}
		h[i] = h[parent]
		i = parent
	}
	h[i] = x
	q.heap = h
	q.waiting.Store(int64(len(h)))
}

// peek returns the time of the first event. ok is false if there is none.
func (q *events) peek() (t sim.VTimeInSec, secondary, ok bool) {
	if q.waiting.Load() == 0 {
		return 0, false, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.heap[0].time, q.heap[0].secondary, true
}

func (q *events) pop() sim.Event {
	q.mu.Lock()
	defer q.mu.Unlock()
	h := q.heap
	top, last := h[0].event, h[len(h)-1]
	h[len(h)-1] = queued{}
	h = h[:len(h)-1]
	i := 0
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1].before(&h[child]) {
			child++
		}
		if last.before(&h[child]) {
			break
		}
		h[i] = h[child]
		i = child
	}
	if len(h) > 0 {
		h[i] = last
	}
	q.heap = h
	q.waiting.Store(int64(len(h)))
	return top
}
