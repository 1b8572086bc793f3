package wire

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"
)

// events is a queue of Akita events by time. At equal times primary events come before secondary ones, and
// otherwise in the order of scheduling.
type events struct {
	waiting atomic.Int64 // len(list), to be read without the lock
	mu      sync.Mutex
	list    []queued // from the last event to the first, so that pop takes the end
	seq     uint64
}

type queued struct {
	time  sim.VTimeInSec
	rank  int // 0: primary, 1: secondary
	seq   uint64
	event sim.Event
}

// sooner is positive if a comes before b, negative if it comes after it.
func (a queued) sooner(b queued) int {
	return cmp.Or(cmp.Compare(b.time, a.time), cmp.Compare(b.rank, a.rank), cmp.Compare(b.seq, a.seq))
}

func (q *events) push(e sim.Event) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.seq++
	x := queued{e.Time(), 0, q.seq, e}
	if e.IsSecondary() {
		x.rank = 1
	}
	i, _ := slices.BinarySearchFunc(q.list, x, queued.sooner)
	q.list = slices.Insert(q.list, i, x)
	q.waiting.Store(int64(len(q.list)))
}

// peek returns the time of the first event. ok is false if there is none.
func (q *events) peek() (t sim.VTimeInSec, secondary, ok bool) {
	if q.waiting.Load() == 0 {
		return 0, false, false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	first := &q.list[len(q.list)-1]
	return first.time, first.rank == 1, true
}

func (q *events) pop() sim.Event {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := len(q.list) - 1
	e := q.list[n].event
	q.list[n] = queued{}
	q.list = q.list[:n]
	q.waiting.Store(int64(n))
	return e
}
