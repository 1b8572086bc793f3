package wire

import "fmt"

// Credit tracks the space at the end of two links in a row, for the block at the beginning of the first link. The
// middle block must pass on each message in the cycle of its arrival, so it needs no buffer of its own. A message
// occupies its place at the end from the moment it is sent to the middle block, and space freed at the end is
// visible one cycle later, as with a single link.
type Credit struct {
	first, last *sender
}

// NewCredit returns the credit for messages sent over first and passed on over last by the middle block. Nobody
// else may send over last. All three blocks belong to one clock domain.
func NewCredit[A, B any](first *OutPort[A], last *OutPort[B]) Credit {
	if !first.ready() || !last.ready() {
		panic("wire: a credit for a port before its Init")
	}
	if first.dom != last.dom {
		panic(fmt.Sprintf("wire: a credit of %s for %s, of another clock domain", first.name, last.name))
	}
	return Credit{&first.sender, &last.sender}
}

// used returns the number of occupied places at the end. It does not depend on whether the middle block has already
// ticked in this cycle: a message leaves one queue for the other, and the sum stays the same.
func (c Credit) used() int32 {
	near, far := c.first.q, c.last.q
	used := near.n + far.n
	if far.poppedAt == far.dom.now {
		used += far.popped
	}
	return used
}

// CanPut reports whether a message can be sent in this cycle. If not, the component of the first port is woken in
// the first cycle with space.
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
