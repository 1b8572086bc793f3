package wire

import "github.com/sarchlab/akita/v3/sim"

// OutPort is the sending end of a link. It must not be copied after Init. As in InPort, the fields needed for a put
// come first and fit into 64 bytes.
type OutPort[T any] struct {
	tail *slot[T] // the place of the next message
	sender
	*outRest[T]
}

// outRest holds the fields rarely needed for a message.
type outRest[T any] struct {
	// slots is the ring of the receiving port, or the sender's own if the link leads to another domain. Without a
	// link there is one place without room, so that the fast path need not test for a link.
	slots []slot[T]
	// moving is the oldest message not yet moved to a receiver in another domain, waiting the oldest place whose
	// credit has not come back.
	moving, waiting *slot[T]
	peer            *InPort[T]
	link            *Link[T]
	hooks           sim.HookableBase
	onPut           func(now, visible Cycle, m *T) // a listener, or nil

	optional bool // the port may lack a link
}

// sender is the state of a sending port, independent of the message type.
type sender struct {
	dom     *Domain
	latency Cycle
	group   *group // of the component to wake
	bit     uint64 // of the component in its group
	to      int32  // the component to wake
	marks   marks
	*senderRest
}

// senderRest holds the fields rarely needed for a message.
type senderRest struct {
	q    *queue // the receiver's; of a link to another domain, the lane's for the sender; nil without a link
	lane *lane  // the link leads to another domain
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
	p.sender = sender{dom: c.dom, senderRest: &senderRest{comp: c, name: c.name + "." + name, port: p}}
	p.slots = newRing[T](1)
	p.tail = &p.slots[0]
	p.tail.stamp = occupied
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
func (p *OutPort[T]) Connected() bool { return p.ready() && p.q != nil }

// Room returns the number of messages that can be put in this cycle. Unlike CanPut it requests no wake.
func (p *OutPort[T]) Room() int {
	now := p.dom.now
	return p.tail.count(len(p.slots), func(s *slot[T]) bool { return s.free(now) })
}

// CanPut reports whether a message can be put in this cycle. If not, the component is woken in the first cycle with
// space.
func (p *OutPort[T]) CanPut() bool { return p.tail.free(p.dom.now) || p.await(p.tail.stamp) }

// await returns false, and has the component woken when there is space. stamp is that of the next place.
func (s *sender) await(stamp int64) bool {
	s.mustBeConnected()
	if stamp <= 0 {
		s.comp.WakeAt(Cycle(-stamp)) // a pop or a credit has made room for a later cycle
	} else {
		s.q.marks.set(blocked, true)
	}
	return false
}

func (s *sender) mustBeConnected() {
	if s.q == nil {
		panic("wire: " + s.name + " is not connected")
	}
}

// Offer returns the place of the next message, as Slot does, or nil if there is none in this cycle. Without a place
// the component is woken as by CanPut.
func (p *OutPort[T]) Offer() *T {
	s := p.tail
	if s.free(p.dom.now) || p.await(s.stamp) {
		return &s.v
	}
	return nil
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
	s := p.tail
	if !s.free(p.dom.now) {
		p.putWithoutRoom()
	}
	return &s.v
}

// PutSlot sends the message filled in at Slot.
func (p *OutPort[T]) PutSlot() {
	s := p.tail
	p.tail = s.next
	d := p.dom
	d.moves++
	if p.marks != 0 {
		p.putMarked(s)
		return
	}
	s.stamp = int64(d.now + 1)
	p.group.soon |= p.bit
}

// putMarked is PutSlot for a link of more than a cycle, for one to another domain, or with observers.
func (p *OutPort[T]) putMarked(s *slot[T]) {
	var at Cycle
	if p.marks&crosses != 0 {
		s.stamp = occupied
		at = p.lane.send(p.dom.now)
	} else {
		at = p.dom.now + p.latency
		s.stamp = int64(at)
		p.dom.wakeAt(p.to, at)
	}
	if p.marks&watched != 0 {
		p.invokePutHooks(s, at)
	}
}

func (s *sender) putWithoutRoom() {
	s.mustBeConnected()
	panic("wire: put without room on " + s.name)
}
