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
	slots []slot[T] // ring
	queue
	*inRest[T]
	buffer sim.Buffer // the port itself: Akita finds a buffer among a port's own fields only
}

// inRest holds the fields rarely needed for a message.
type inRest[T any] struct {
	akita *inFace[T]            // nil: no Akita hook or connection
	onPop func(now Cycle, m *T) // a listener, or nil
	// behind: Connect adds capacity for the messages on the link.
	behind bool
}

type slot[T any] struct {
	at Cycle // the first cycle in which the message is visible
	v  T
}

// queue is the state of a port's ring, without the messages.
type queue struct {
	dom *Domain
	// popped counts the pops of cycle poppedAt. Their space is visible to the sender from the next cycle on, and
	// their slots stay unchanged until then.
	poppedAt Cycle
	popped   int32
	head     int32
	n        int32 // messages held, including those still on the link
	size     int32 // slots of the ring
	// used is the number of occupied slots from the sender's point of view: n plus the pops it has not yet seen.
	// See sender.refresh.
	used    int32
	from    int32 // the sender's component, to wake when there is space; unless the link crosses
	blocked bool  // the sender found the port full and waits for space
	crosses bool  // the link comes from another domain: there is a lane
	watched bool  // there is an Akita hook, an Akita connection or a listener
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
	p.queue = newQueue(c, c.name+"."+name, capacity)
	p.slots = make([]slot[T], capacity)
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
	p.size += int32(latency)
	p.slots = make([]slot[T], p.size)
}

func newQueue(c *Comp, name string, capacity int) queue {
	return queue{dom: c.dom, size: int32(capacity), poppedAt: Never, queueRest: &queueRest{comp: c, name: name}}
}

// ready reports whether Init has been called.
func (q *queue) ready() bool { return q.queueRest != nil }

// Name returns the name of the port: the component's name, a dot, and the port's own.
func (p *InPort[T]) Name() string { return p.name }

// Capacity returns the largest number of messages held, messages still on the link included.
func (p *InPort[T]) Capacity() int { return int(p.size) }

// Head returns the oldest message visible in this cycle, or nil. The message stays unchanged to the end of the
// cycle, also after Pop.
func (p *InPort[T]) Head() *T {
	if p.n == 0 {
		return nil
	}
	s := &p.slots[p.head]
	if s.at > p.dom.now {
		return nil
	}
	return &s.v
}

// Behind returns the visible message i places behind the head, or nil. Behind(0) is Head.
func (p *InPort[T]) Behind(i int) *T {
	if i >= int(p.n) {
		return nil
	}
	k := int(p.head) + i
	if k >= int(p.size) {
		k -= int(p.size)
	}
	if s := &p.slots[k]; s.at <= p.dom.now {
		return &s.v
	}
	return nil
}

// Pop removes the message returned by Head. It panics if there is none.
func (p *InPort[T]) Pop() {
	if p.n == 0 || p.slots[p.head].at > p.dom.now {
		p.popOfNothing()
	}
	if p.watched {
		p.popWatched()
		return
	}
	p.pop()
}

func (q *queue) popOfNothing() { panic("wire: pop without a visible message on " + q.name) }

func (q *queue) pop() {
	q.head++
	if q.head == q.size {
		q.head = 0
	}
	q.n--
	now := q.dom.now
	if q.poppedAt != now {
		q.poppedAt, q.popped = now, 0
	}
	q.popped++
	if q.crosses {
		q.lane.release(now)
		return
	}
	if q.blocked {
		q.blocked = false
		q.dom.wakeAt(q.from, now+1)
	}
}

// Len returns the number of messages visible in this cycle. Messages still on the link are not counted: their
// number would depend on the order of ticks.
func (p *InPort[T]) Len() int {
	n := p.n
	i := p.head + n - 1
	if i >= p.size {
		i -= p.size
	}
	for n > 0 && p.slots[i].at > p.dom.now {
		n--
		if i--; i < 0 {
			i = p.size - 1
		}
	}
	return int(n)
}
