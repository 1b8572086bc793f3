package wire

import "fmt"

// Credit tracks the space at the end of two links in a row, for the block at the beginning of the first link. The
// middle block must pass on each message in the cycle of its arrival, so it needs no buffer of its own. A message
// occupies its place at the end from the moment it is sent to the middle block, and space freed at the end is
// visible one cycle later, as with a single link.
type Credit struct {
	first, last *sender
	under, over func() (taken, room, size int) // of the two links; see load
}

// NewCredit returns the credit for messages sent over first and passed on over last by the middle block. Nobody
// else may send over last. All three blocks belong to one clock domain.
func NewCredit[A, B any](first *OutPort[A], last *OutPort[B]) Credit {
	switch {
	case first.senderRest == nil || last.senderRest == nil:
		panic("wire: a credit for a port before its Init")
	case first.dom != last.dom:
		panic(fmt.Sprintf("wire: a credit of %s for %s, of another clock domain", first.name, last.name))
	}
	return Credit{&first.sender, &last.sender, func() (int, int, int) { return load(first) },
		func() (int, int, int) { return load(last) }}
}

// load returns the number of messages sent and not yet popped, the number that can be put in this cycle, and the
// capacity.
func load[T any](p *OutPort[T]) (taken, room, size int) {
	for i := range p.slots {
		switch s := &p.slots[i]; {
		case s.stamp.full():
			taken++
		case s.stamp.free(p.dom.now):
			room++
		}
	}
	return taken, room, len(p.slots)
}

// CanPut reports whether a message can be sent in this cycle. If not, the component of the first port is woken in
// the first cycle with space. The answer does not depend on whether the middle block has already ticked in this
// cycle: a message that leaves the first link takes a place at the end.
func (c Credit) CanPut() bool {
	under, _, _ := c.under()
	taken, room, size := c.over()
	if under < room {
		return true
	}
	mustBeConnected(c.last)
	if c.last.marks&crosses != 0 {
		panic(fmt.Sprintf("wire: a credit of %s for %s, which leads to another clock domain", c.first.name,
			c.last.name))
	}
	if under+taken < size {
		c.first.comp.Wake() // a pop of this cycle makes room for the next one
		return false
	}
	c.last.q.from = c.first.comp.id
	c.last.q.marks.set(blocked, true)
	return false
}
