package wire

// Cause names a block's part of the machine in the answer to who blocks whom. The machine gives the numbers their
// meaning; 0 is a block that says nothing.
type Cause uint8

// obstacle is what kept a component from taking the message at the head of its queue when it last waited: itself,
// or the full queue of the component behind one of its ports. As a Signal, it is seen from the next cycle on, so that
// an answer does not depend on the order of ticks.
type obstacle struct {
	now, before held
	setAt       Cycle
}

// held says what a component waits for: the component behind it or, if behind is nil, nothing but itself, because of
// cause.
type held struct {
	behind *Comp
	cause  Cause
}

func (o *obstacle) set(now Cycle, h held) {
	if o.now == h {
		return
	}
	if o.setAt != now {
		o.before, o.setAt = o.now, now
	}
	o.now = h
}

func (o *obstacle) get(now Cycle) held {
	if o.setAt == now {
		return o.before
	}
	return o.now
}

// Holds states that the component itself keeps the messages in its queue waiting, for a cause. It stays stated until
// the next Holds or HeldBy.
func (c *Comp) Holds(x Cause) { c.obstacle.set(c.dom.now, held{cause: x}) }

// Held states that messages wait in the queue of the port's component because the queue behind the port is full.
func (s *sender) Held() {
	if s.lane == nil { // otherwise the other side has another time
		s.comp.obstacle.set(s.dom.now, held{behind: s.behind})
	}
}

// Obstacle returns the cause stated by the component that keeps messages from leaving the port: the last one of a chain
// of full queues. It is asked after a put without room.
func (s *sender) Obstacle() Cause { return s.behind.obstructed() }

// Obstacle returns the same for the component that sends to the port, such as the messages that return room.
func (q *queue) Obstacle() Cause { return q.src.comp.obstructed() }

// longestChain bounds the components in a chain of full queues, should they form a ring.
const longestChain = 16

func (c *Comp) obstructed() Cause {
	h := c.obstacle.get(c.dom.now)
	for n := 0; h.behind != nil && n < longestChain; n++ {
		c = h.behind
		h = c.obstacle.get(c.dom.now)
	}
	return h.cause
}
