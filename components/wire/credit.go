package wire

import "fmt"

// Credit is the room at the end of two links in a row, kept by the block at the beginning of the first one. The
// block between must pass on each message in the cycle in which it comes, so it needs no room of its own: a
// message takes its place at the end when it is sent to the block between, and room freed at the end is
// visible one cycle later, as if one link led there.
type Credit struct {
	first, last *sender
}

// NewCredit returns the credit for messages sent over first, which a block passes on over last.
// Nobody else may send over last. All three blocks belong to one clock domain.
func NewCredit[A, B any](first *OutPort[A], last *OutPort[B]) Credit {
	if !first.ready() || !last.ready() {
		panic("wire: a credit for a port before its Init")
	}
	if first.dom != last.dom {
		panic(fmt.Sprintf("wire: a credit of %s for %s, of another clock domain", first.name, last.name))
	}
	return Credit{&first.sender, &last.sender}
}

// used is the places at the end that are taken. Neither term of the sum depends on whether the block between
// has passed on the messages of this cycle, since these leave one queue for the other.
func (c Credit) used() int32 {
	near, far := c.first.q, c.last.q
	used := near.n + far.n
	if far.poppedAt == far.dom.now {
		used += far.popped
	}
	return used
}

// CanPut reports whether a message can be sent in this cycle. When none can, the component of the first port is woken
// in the first cycle in which one can.
func (c Credit) CanPut() bool {
	far := c.last.q
	if c.used() < far.size {
		return true
	}
	c.last.mustBeConnected()
	if c.last.crosses {
		panic(fmt.Sprintf("wire: a credit of %s for %s, which leads to another clock domain", c.first.name,
			c.last.name))
	}
	if c.first.q.n+far.n < far.size {
		c.first.comp.Wake() // a pop of this cycle makes room for the next one
		return false
	}
	far.from, far.blocked = c.first.comp.id, true
	return false
}
