package wire

import "fmt"

// Tap is a signal seen by a reader in another clock domain, latency cycles of the writer late: a value set at cycle
// t is visible from the first edge of the reader's clock at or after t+latency on.
type Tap[T comparable] struct {
	from, to *Domain
	latency  Cycle
	direct   bool // one partition: no exchange is needed
	value    T    // seen at the last Get
	coming   changes[T]
	sent     [2]changes[T] // set by the writer and not yet taken over, by the parity of its window, as in a lane
}

// changes is a queue of values, each with the first reader cycle in which it is visible.
type changes[T any] struct {
	list []change[T]
	head int
}

type change[T any] struct {
	at    Cycle // the reader's
	setAt Cycle // the writer's
	v     T
}

func (q *changes[T]) push(c change[T]) {
	if q.head > 0 && len(q.list) == cap(q.list) {
		q.list = q.list[:copy(q.list, q.list[q.head:])]
		q.head = 0
	}
	q.list = append(q.list, c)
}

// NewTap lets a component in another clock domain of the same engine read the
// signal. Between partitions the latency must be at least the window.
func NewTap[T comparable](s *Signal[T], reader *Comp, latency int) *Tap[T] {
	reader.mustBeInit("reader of a", "signal")
	switch {
	case s.dom == nil:
		panic("wire: " + reader.name + " taps a signal before its Init")
	case latency < 1:
		panic(fmt.Sprintf("wire: %s taps a signal with latency %d, want at least 1", reader.name, latency))
	}
	t := &Tap[T]{from: s.dom, to: reader.dom, latency: Cycle(latency), direct: true, value: s.new}
	if s.dom != reader.dom {
		e := engineOf(s.dom, reader.dom, "signal of "+s.writer.name, reader.name)
		t.direct = s.dom.part == reader.dom.part
		if !t.direct {
			e.addTap(t, crossing{"signal of " + s.writer.name, reader.name, s.dom, reader.dom, Cycle(latency)})
		}
	}
	s.taps = append(s.taps, t)
	return t
}

// Get returns the value visible to the reader in this cycle. It changes nothing visible.
func (t *Tap[T]) Get() T {
	q := &t.coming
	for q.head < len(q.list) && q.list[q.head].at <= t.to.now {
		t.value = q.list[q.head].v
		q.head++
	}
	return t.value
}

// set records a value set by the writer at its cycle now. The last value of a cycle counts.
func (t *Tap[T]) set(now Cycle, v T) {
	q := &t.coming
	if !t.direct {
		q = &t.sent[t.from.part.parity]
	}
	if n := len(q.list); n > q.head && q.list[n-1].setAt == now {
		q.list[n-1].v = v
		return
	}
	at := edge{now + t.latency, t.from.hz}.ceilTo(t.to.hz)
	if t.direct {
		t.deliver(change[T]{at, now, v})
	} else {
		q.push(change[T]{at, now, v})
	}
}

func (t *Tap[T]) deliver(c change[T]) {
	t.Get() // forgets past values, in case nobody calls Get
	t.coming.push(c)
}

func (t *Tap[T]) bring(parity int) {
	sent := &t.sent[parity]
	for _, c := range sent.list {
		t.deliver(c)
	}
	sent.list = sent.list[:0]
}
