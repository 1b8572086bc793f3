package wire

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
)

// InPort is the receiving end of a link: a bounded queue of messages of type T. It must not be copied after Init.
//
// The fields read by Head and Pop come first and fit into 64 bytes: an SM has more than a hundred ports, and the
// ports and their rings are most of the memory touched in a cycle.
type InPort[T any] struct {
	head *slot[T] // the oldest message, or the place of the next one
	queue
	*inRest[T]
	buffer sim.Buffer // the port itself: Akita finds a buffer among a port's own fields only
}

// inRest holds the fields rarely needed for a message.
type inRest[T any] struct {
	slots []slot[T]
	fill  *slot[T]              // of a port without a sender in its own clock domain: the place of the next message
	akita *inFace[T]            // nil: no Akita hook or connection
	onPop func(now Cycle, m *T) // a listener, or nil
	// behind: Connect adds capacity for the messages on the link.
	behind bool
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
	lane *lane // the link comes from another domain
	src  *sender
	comp *Comp
	name string
}

// maxCapacity is the largest capacity of a port, in messages.
const maxCapacity = 1<<31 - 1

// Init adds the port to its component. capacity is in messages and includes those still on the link, so a stream of
// one message per cycle over a link of latency L needs a capacity of L+1. For a link of configurable latency use
// InitBehind.
func (p *InPort[T]) Init(c *Comp, name string, capacity int) {
	c.mustBeInit("port", name)
	if capacity < 1 || capacity > maxCapacity {
		panic(fmt.Sprintf("wire: port %s.%s: capacity %d, want 1 to %d", c.name, name, capacity, maxCapacity))
	}
	if p.ready() {
		panic(fmt.Sprintf("wire: port %s is initialised again, as %s.%s", p.name, c.name, name))
	}
	p.inRest = &inRest[T]{}
	p.queue = newQueue(c, c.name+"."+name)
	p.hold(newRing[T](capacity))
	p.buffer = (*portBuffer[T])(p)
	c.AddPort(name, p)
}

// InitBehind is Init with the capacity behind the link, in messages. Connect adds capacity for the messages on the
// link, whatever the latency, so a stream of one message per cycle needs a room of 1.
func (p *InPort[T]) InitBehind(c *Comp, name string, room int) {
	p.Init(c, name, room)
	p.behind = true
}

// extend adds capacity for the messages on a link. Between clock domains the credit of a message also travels back
// over the link.
func (p *InPort[T]) extend(latency int, crosses bool) {
	if crosses {
		latency *= 2
	}
	p.hold(newRing[T](len(p.slots) + latency))
}

// hold gives the port its ring.
func (p *InPort[T]) hold(ring []slot[T]) { p.slots, p.head, p.fill = ring, &ring[0], &ring[0] }

func newQueue(c *Comp, name string) queue {
	return queue{dom: c.dom, queueRest: &queueRest{comp: c, name: name}}
}

// ready reports whether Init has been called.
func (q *queue) ready() bool { return q.queueRest != nil }

// Name returns the name of the port: the component's name, a dot, and the port's own.
func (p *InPort[T]) Name() string { return p.name }

// Capacity returns the largest number of messages held, messages still on the link included.
func (p *InPort[T]) Capacity() int { return len(p.slots) }

// Head returns the oldest message visible in this cycle, or nil. The message stays unchanged to the end of the
// cycle, also after Pop.
func (p *InPort[T]) Head() *T {
	s := p.head
	if s == nil || !s.visible(p.dom.now) { // nil: a port without Init, of a block that does without
		return nil
	}
	return &s.v
}

// Behind returns the visible message i places behind the head, or nil. Behind(0) is Head.
func (p *InPort[T]) Behind(i int) *T {
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
	if !s.visible(now) {
		p.popOfNothing()
	}
	if p.marks != 0 {
		p.popMarked()
		return
	}
	s.stamp = ^int64(now)
	p.head = s.next
}

// Take removes the oldest message visible in this cycle and returns it, or nil if there is none. The message stays
// unchanged to the end of the cycle.
func (p *InPort[T]) Take() *T {
	s := p.head
	if s == nil {
		return nil
	}
	now := p.dom.now
	if !s.visible(now) {
		return nil
	}
	if p.marks != 0 {
		p.popMarked()
	} else {
		s.stamp = ^int64(now)
		p.head = s.next
	}
	return &s.v
}

func (q *queue) popOfNothing() { panic("wire: pop without a visible message on " + q.name) }

// popMarked is Pop where a pop is observed, or concerns the sender at once.
func (p *InPort[T]) popMarked() {
	if p.marks&watched != 0 {
		p.popWatched()
		return
	}
	p.pop()
}

// pop removes the oldest message, visible or not.
func (p *InPort[T]) pop() {
	now := p.dom.now
	p.head.stamp = ^int64(now)
	p.head = p.head.next
	switch {
	case p.marks&crosses != 0:
		p.lane.release(now)
	case p.marks&blocked != 0:
		p.marks.set(blocked, false)
		p.dom.wakeAt(p.from, now+1)
	}
}

// Len returns the number of messages visible in this cycle. Messages still on the link are not counted: their
// number would depend on the order of ticks.
func (p *InPort[T]) Len() int {
	if p.head == nil {
		return 0
	}
	now := p.dom.now
	return p.head.count(len(p.slots), func(s *slot[T]) bool { return s.visible(now) })
}

// held returns the number of messages, including those still on the link.
func (p *InPort[T]) held() int { return p.head.count(len(p.slots), (*slot[T]).full) }
