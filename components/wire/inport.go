package wire

import "fmt"

// InPort is the receiving end of a link: a bounded queue of messages of type T. It must not be copied after Init.
//
// The fields read by Head and Pop come first and fit into 64 bytes: an SM has more than a hundred ports, and the
// ports and their rings are most of the memory touched in a cycle.
//
// Its methods are those of the blocks alone: see the package documentation, Akita.
type InPort[T any] struct {
	_    incomparable
	head *slot[T] // the oldest message, or the place of the next one
	queue
	*ring[T]
}

// queue is the state of an input port that does not depend on the type of its messages.
type queue struct {
	dom   *Domain
	from  int32 // the sender's component, to wake when there is space; unless the link crosses
	marks marks
	*queueRest
}

// queueRest holds the fields rarely needed for a message.
type queueRest struct {
	lane   *lane // the link comes from another domain
	src    *sender
	comp   *Comp
	name   string
	size   int    // capacity
	behind bool   // Connect adds capacity for the messages on the link
	onPop  func() // a listener of the oldest message, or nil
	sink   Sink
}

// maxCapacity is the largest capacity of a port, in messages.
const maxCapacity = 1<<31 - 1

// Init adds the port to its component. capacity is in messages and includes those still on the link, so a stream of
// one message per cycle over a link of latency L needs a capacity of L+1. For a link of configurable latency use
// Sink.SetBehind.
func (p *InPort[T]) Init(c *Comp, name string, capacity int) *Sink {
	initQueue(&p.queue, c, name, capacity, p, (*T)(nil))
	p.ring = newRing[T](capacity)
	p.head = p.fill
	return &p.sink
}

func initQueue(q *queue, c *Comp, name string, capacity int, p taker, message any) {
	c.mustBeInit("port", name)
	if capacity < 1 || capacity > maxCapacity {
		panic(fmt.Sprintf("wire: port %s.%s: capacity %d, want 1 to %d", c.name, name, capacity, maxCapacity))
	}
	if q.queueRest != nil {
		panic(fmt.Sprintf("wire: port %s is initialised again, as %s.%s", q.name, c.name, name))
	}
	*q = newQueue(c, c.name+"."+name, capacity)
	q.sink.init(q, p, message)
	c.AddPort(name, &q.sink)
}

func newQueue(c *Comp, name string, capacity int) queue {
	return queue{dom: c.dom, queueRest: &queueRest{comp: c, name: name, size: capacity}}
}

// Name returns the name of the port: the component's name, a dot, and the port's own.
func (q *queue) Name() string { return q.name }

// Capacity returns the largest number of messages held, messages still on the link included; 0 before Init.
func (q *queue) Capacity() int {
	if q.queueRest == nil {
		return 0
	}
	return q.size
}

// Sink returns the port as Akita and other observers see it.
func (q *queue) Sink() *Sink { return &q.sink }

// Head returns the oldest message visible in this cycle, or nil. The message stays unchanged to the end of the
// cycle, also after Pop.
func (p *InPort[T]) Head() *T {
	s := p.head
	if s == nil || !s.stamp.visible(p.dom.now) { // nil: a port without Init, of a block that does without
		return nil
	}
	return &s.v
}

// Behind returns the visible message of a port i places behind the head, or nil. Behind(p, 0) is p.Head().
func Behind[T any](p *InPort[T], i int) *T {
	if i >= p.Len() {
		return nil
	}
	s := p.head
	for ; i > 0; i-- {
		s = s.next
	}
	return &s.v
}

// Pop removes the message returned by Head. It panics if there is none. The place is free for the sender from the
// next cycle on.
func (p *InPort[T]) Pop() {
	s := p.head
	now := p.dom.now
	if !s.stamp.visible(now) {
		popOfNothing(&p.queue)
	}
	if p.marks != 0 && popMarked(&p.queue) {
		return
	}
	s.stamp = ^stamp(now)
	p.head = s.next
}

// Arrived returns 1 if Head would return a message, and 0 otherwise. It takes no branch: for many ports on which
// arrivals are hard to predict. The port must have been initialised.
func (p *InPort[T]) Arrived() uint64 { return p.head.stamp.arrived(p.dom.now) }

// Take removes the oldest message visible in this cycle and returns it, or nil if there is none. The message stays
// unchanged to the end of the cycle.
func (p *InPort[T]) Take() *T {
	s := p.head
	if s == nil {
		return nil
	}
	now := p.dom.now
	if !s.stamp.visible(now) {
		return nil
	}
	if p.marks != 0 && popMarked(&p.queue) {
		return &s.v
	}
	s.stamp = ^stamp(now)
	p.head = s.next
	return &s.v
}

func popOfNothing(q *queue) { panic("wire: pop without a visible message on " + q.name) }

// popMarked is called by a pop with an observer or a sender to notify. It reports whether it has removed the message:
// an observer is called before and after.
func popMarked(q *queue) bool {
	if q.marks&watched != 0 {
		q.sink.pop()
		return true
	}
	vacate(q)
	return false
}

// vacate notifies the sender of a pop.
func vacate(q *queue) {
	now := q.dom.now
	switch {
	case q.marks&crosses != 0:
		q.lane.release(now)
	case q.marks&blocked != 0:
		q.marks.set(blocked, false)
		q.dom.wakeAt(q.from, now+1)
	}
}

// Len returns the number of messages visible in this cycle. Messages still on the link are not counted: their
// number would depend on the order of ticks.
func (p *InPort[T]) Len() int {
	if p.head == nil {
		return 0
	}
	n, now := 0, p.dom.now
	for s := p.head; n < p.size && s.stamp.visible(now); s = s.next {
		n++
	}
	return n
}
