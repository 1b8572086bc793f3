package wire

import "fmt"

// Credit tracks the space at the end of two links in a row, for the block at the beginning of the first link. The
// middle block must pass on each message in the cycle of its arrival, so it needs no buffer of its own. A message
// occupies its place at the end from the moment it is sent to the middle block, and space freed at the end is
// visible one cycle later, as with a single link.
type Credit struct {
	first, last *sender
	under, over func() int       // messages sent over the first link and over the last one, not yet popped
	room        func(n int) bool // reports whether n messages can be put over the last link in this cycle
}

// NewCredit returns the credit for messages sent over first and passed on over last by the middle block. Nobody
// else may send over last. All three blocks belong to one clock domain, or the first two to a follower and the last one
// to its leader, with equal clocks.
func NewCredit[A, B any](first *OutPort[A], last *OutPort[B]) Credit {
	switch {
	case first.senderRest == nil || last.senderRest == nil:
		panic("wire: a credit for a port before its Init")
	case first.dom != last.dom:
		panic(fmt.Sprintf("wire: a credit of %s for %s, of another clock domain", first.name, last.name))
	}
	return Credit{&first.sender, &last.sender, func() int { return load(first) }, func() int { return load(last) },
		func(n int) bool { return hasRoom(last, n) }}
}

// load returns the number of messages sent and not yet popped.
func load[T any](p *OutPort[T]) int {
	n := 0
	for i := range p.slots {
		if p.slots[i].stamp.full() {
			n++
		}
	}
	return n
}

// hasRoom reports whether n messages can be put in this cycle.
func hasRoom[T any](p *OutPort[T], n int) bool {
	if n > len(p.slots) {
		return false
	}
	for s := p.tail; n > 0; s, n = s.next, n-1 {
		if !s.stamp.free(p.dom.now) {
			return false
		}
	}
	return true
}

// CanPut reports whether a message can be sent in this cycle. If not, the component of the first port is woken in
// the first cycle with space. The answer does not depend on whether the middle block has already ticked in this
// cycle: a message that leaves the first link takes a place at the end.
func (c Credit) CanPut() bool {
	under := c.under()
	if c.room(under + 1) {
		return true
	}
	mustBeConnected(c.last)
	if l := c.last.lane; l != nil {
		if !near(l.out.dom, l.rx.dom) || l.led {
			panic(fmt.Sprintf("wire: a credit of %s for %s, whose link leads to another clock or to a follower",
				c.first.name, c.last.name))
		}
		l.waits = c.first.comp
	}
	if under+c.over() < c.last.q.size {
		c.first.comp.Wake() // a pop has made room for a later cycle
		return false
	}
	c.last.q.from = c.first.comp.id
	c.last.q.marks.set(blocked, true)
	return false
}
