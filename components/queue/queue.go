package queue

import (
	"cmp"
	"fmt"

	"kumiko/components/spec"
	"kumiko/components/wire"
)

// Spec configures a queue.
type Spec struct {
	Capacity int // messages held, those on the link to the queue included
	Width    int // messages per cycle
}

// Queue is a first-in first-out buffer.
type Queue[T any] struct {
	wire.Comp
	In    wire.InPort[T]
	Out   wire.OutPort[T]
	width int
}

// New builds a queue.
func New[T any](name string, d *wire.Domain, s Spec) (*Queue[T], error) {
	if err := cmp.Or(spec.InRange("capacity", s.Capacity, 1, spec.MostQueue), spec.InRange("width", s.Width, 1, spec.MostQueue)); err != nil {
		return nil, err
	}
	q := &Queue[T]{width: s.Width}
	q.Init(name, d, q)
	q.In.Init(&q.Comp, "In", s.Capacity)
	q.Out.Init(&q.Comp, "Out")
	return q, nil
}

// Tick passes messages on.
func (q *Queue[T]) Tick(wire.Cycle) bool {
	for n := 0; n < q.width; n++ {
		v := q.In.Head()
		if v == nil || !q.Out.CanPut() {
			return false
		}
		q.Out.Put(*v)
		q.In.Pop()
	}
	return q.In.Head() != nil
}

// Waiting says how many messages are held.
func (q *Queue[T]) Waiting() string {
	if q.In.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("%d messages wait for %s", q.In.Len(), q.Out.Name())
}
