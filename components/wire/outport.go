package wire

// OutPort is the sending end of a link. It must not be copied after Init. As in InPort, the fields needed for a put
// come first and fit into 64 bytes.
type OutPort[T any] struct {
	_    incomparable
	tail *slot[T] // the place of the next message
	sender
	*outRest[T]
}

// outRest holds the fields rarely needed for a message.
type outRest[T any] struct {
	// slots is the ring of the receiving port, or the sender's own if the link leads to another domain; nil without a
	// link.
	slots []slot[T]
	// moving is the oldest message not yet moved to a receiver in another domain, waiting the oldest place whose
	// credit has not come back.
	moving, waiting *slot[T]
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
	q      *queue // the receiver's; of a link to another domain, the lane's for the sender; nil without a link
	lane   *lane  // the link leads to another domain
	comp   *Comp
	behind *Comp // the component behind the link, for the answer to who blocks whom
	name   string
	link   *Link                            // nil also with a Socket
	onPut  func(visible Cycle, message any) // a listener of a pointer to the message, or nil
	source Source
}

// Init adds the port to its component.
func (p *OutPort[T]) Init(c *Comp, name string) *Source {
	initSender(&p.sender, c, name, p, (*T)(nil))
	p.outRest = &outRest[T]{}
	// Without a link there is one place without room, so that the fast path need not test for a link.
	p.tail = &slot[T]{stamp: occupied}
	return &p.source
}

func initSender(s *sender, c *Comp, name string, p putter, message any) {
	c.mustBeInit("port", name)
	if s.senderRest != nil {
		panic("wire: port " + s.name + " is initialised again, as " + c.name + "." + name)
	}
	*s = sender{dom: c.dom, senderRest: &senderRest{comp: c, name: c.name + "." + name}}
	s.source = Source{out: s, port: p, message: message}
	c.dom.senders = append(c.dom.senders, s)
	c.AddPort(name, &s.source)
}

// Name returns the name of the port: the component's name, a dot, and the port's own.
func (s *sender) Name() string { return s.name }

// Connected reports whether the port has a link.
func (s *sender) Connected() bool { return s.latency != 0 }

// Source returns the port as Akita and other observers see it.
func (s *sender) Source() *Source { return &s.source }

// Room returns the number of messages that can be put in this cycle, but at most the given number. Unlike CanPut it
// requests no wake. On a link to a follower it panics where it finds less and the port may not know all the room: see
// Partition.NewFollower.
func (p *OutPort[T]) Room(most int) int {
	n, now := 0, p.dom.now
	most = min(most, len(p.slots))
	for s := p.tail; n < most && s.stamp.free(now); s = s.next {
		n++
	}
	if n < most && p.marks&crosses != 0 {
		p.lane.mustKnow(now)
	}
	return n
}

// CanPut reports whether a message can be put in this cycle. If not, the component is woken in the first cycle with
// space.
func (p *OutPort[T]) CanPut() bool {
	return p.tail.stamp.free(p.dom.now) || await(&p.sender, p.tail.stamp)
}

// await returns false, and has the component woken when there is space. next is the stamp of the next place.
func await(s *sender, next stamp) bool {
	mustBeConnected(s)
	if next <= 0 {
		s.comp.WakeAt(Cycle(-next)) // a pop or a credit has made room for a later cycle
	} else {
		s.q.marks.set(blocked, true)
	}
	return false
}

func mustBeConnected(s *sender) {
	if s.q == nil {
		panic("wire: " + s.name + " is not connected")
	}
}

// Offer returns the place of the next message, as Slot does, or nil if there is none in this cycle. Without a place
// the component is woken as by CanPut.
func (p *OutPort[T]) Offer() *T {
	s := p.tail
	if s.stamp.free(p.dom.now) || await(&p.sender, s.stamp) {
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
	if !s.stamp.free(p.dom.now) {
		putWithoutRoom(&p.sender)
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
		putMarked(&p.sender, &s.stamp, &s.v)
		return
	}
	s.stamp = stamp(d.now + 1)
	p.group.soon |= p.bit
}

// putMarked is PutSlot for a link of more than a cycle, for one to another domain, or with observers. place is the
// stamp of the message's place.
func putMarked(s *sender, place *stamp, message any) {
	var at Cycle
	if s.marks&crosses != 0 {
		*place = occupied
		at = s.lane.send(s.dom.now)
	} else {
		at = s.dom.now + s.latency
		*place = stamp(at)
		s.dom.wakeAt(s.to, at)
	}
	if s.marks&watched != 0 {
		s.source.observePut(message, at)
	}
}

func putWithoutRoom(s *sender) {
	mustBeConnected(s)
	panic("wire: put without room on " + s.name)
}
