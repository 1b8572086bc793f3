package subcore

import "kumiko/components/op"

// Queue is a queue of operations for a unit, of a fixed size.
type Queue struct {
	ring     []op.Op `bits:"type"`
	first, n int
}

// Init allocates the queue's places.
func (q *Queue) Init(size int) { q.ring = make([]op.Op, size) }

// Len returns the number of operations in the queue.
func (q *Queue) Len() int { return q.n }

// Free returns the number of free places.
func (q *Queue) Free() int { return len(q.ring) - q.n }

// Head returns the first operation. The queue must not be empty.
func (q *Queue) Head() *op.Op { return &q.ring[q.first] }

// Pop removes the first operation.
func (q *Queue) Pop() {
	if q.first++; q.first == len(q.ring) {
		q.first = 0
	}
	q.n--
}

// Put puts an operation behind the others. There must be a place for it.
func (q *Queue) Put(o *op.Op) {
	i := q.first + q.n
	if i >= len(q.ring) {
		i -= len(q.ring)
	}
	q.ring[i] = *o
	q.n++
}
