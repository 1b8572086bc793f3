package wire

import "github.com/sarchlab/akita/v3/sim"

// OutPort is the sending end of a link. It must not be copied after Init. As in InPort, the fields needed for a put
// come first and fit into 64 bytes.
type OutPort[T any] struct {
	slots []slot[T] // the ring of the receiving port
	sender
	*outRest[T]
}

// outRest holds the fields rarely needed for a message.
type outRest[T any] struct {
	peer  *InPort[T]
	link  *Link[T]
	hooks sim.HookableBase
	onPut func(now, visible Cycle, m *T) // a listener, or nil

	optional bool // the port may lack a link
}

// sender is the state of a sending port, independent of the message type.
type sender struct {
	dom *Domain
	// q is the receiver's queue. Without a link it is a queue of size 0, so that the fast path need not test for a
	// link.
	q       *queue
	latency Cycle
	tail    int32 // slot of the next message
	to      int32 // the component to wake
	crosses bool  // the link leads to another domain: there is a lane, and q is its tx
	watched bool  // hooks or a listener are to be called for each put
	*senderRest
}

// senderRest holds the fields rarely needed for a message.
type senderRest struct {
	lane *lane // the link leads to another domain
	comp *Comp
	name string
	port sim.Port     // the port itself
	link sim.Hookable // the link
}

// Init adds the port to its component.
func (p *OutPort[T]) Init(c *Comp, name string) {
	c.mustBeInit("port", name)
	if p.ready() {
		panic("wire: port " + p.name + " is initialised again, as " + c.name + "." + name)
	}
	p.outRest = &outRest[T]{}
	p.sender = sender{dom: c.dom, q: &queue{}, senderRest: &senderRest{comp: c, name: c.name + "." + name, port: p}}
	c.dom.senders = append(c.dom.senders, &p.sender)
	c.AddPort(name, p)
}

// InitOptional is Init for a port that may stay without a link: Domain.Unconnected does not list it.
func (p *OutPort[T]) InitOptional(c *Comp, name string) {
	p.Init(c, name)
	p.optional = true
}

// Optional reports whether the port may stay without a link.
func (p *OutPort[T]) Optional() bool { return p.optional }

// ready reports whether Init has been called.
func (s *sender) ready() bool { return s.senderRest != nil }

// Name returns the name of the port: the component's name, a dot, and the port's own.
func (p *OutPort[T]) Name() string { return p.name }

// Connected reports whether the port has a link.
func (p *OutPort[T]) Connected() bool { return p.slots != nil }

// Room returns the number of messages that can be put in this cycle. Unlike CanPut it requests no wake.
func (p *OutPort[T]) Room() int { return int(p.q.size - p.refresh()) }

// refresh makes pops of past cycles visible to the sender, and returns the number of slots it then counts as
// occupied.
func (s *sender) refresh() int32 {
	if s.crosses {
		return s.lane.refresh()
	}
	q := s.q
	q.used = q.n
	if q.poppedAt == s.dom.now {
		q.used += q.popped
	}
	return q.used
}

// CanPut reports whether a message can be put in this cycle. If not, the component is woken in the first cycle with
// space.
func (p *OutPort[T]) CanPut() bool { return p.q.used < p.q.size || p.canPut() }

func (s *sender) canPut() bool {
	q := s.q
	if s.refresh() < q.size {
		return true
	}
	s.mustBeConnected()
	switch {
	case s.crosses:
		s.lane.await()
	case q.n < q.size:
		s.comp.Wake() // a pop of this cycle makes room for the next one
	default:
		q.blocked = true
	}
	return false
}

func (s *sender) mustBeConnected() {
	if s.q.size == 0 {
		panic("wire: " + s.name + " is not connected")
	}
}

// Put sends a message. It panics if there is no space: call CanPut first.
func (p *OutPort[T]) Put(v T) {
	*p.Slot() = v
	p.PutSlot()
}

// Slot returns the place of the next message. It saves copying messages with many fields. The place holds an old
// message: fill in every field, and call PutSlot in the same Tick. Slot panics if there is no space: call CanPut
// first.
func (p *OutPort[T]) Slot() *T {
	if p.q.used >= p.q.size {
		p.mustHaveRoom()
	}
	return &p.slots[p.tail].v
}

// PutSlot sends the message filled in at Slot.
func (p *OutPort[T]) PutSlot() {
	q := p.q
	q.used++
	q.n++
	i := p.tail
	if p.tail++; p.tail == q.size {
		p.tail = 0
	}
	s := &p.slots[i]
	p.dom.moves++
	if !p.crosses {
		s.at = p.dom.now + p.latency
		p.dom.wakeAt(p.to, s.at)
	} else {
		s.at = p.lane.send(i, p.dom.now)
	}
	if p.watched {
		p.tellPut(i, s.at)
	}
}

func (s *sender) mustHaveRoom() {
	s.mustBeConnected()
	if s.refresh() >= s.q.size {
		panic("wire: put without room on " + s.name)
	}
}
