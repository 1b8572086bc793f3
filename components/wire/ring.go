package wire

import "math/bits"

// slot is a place in the ring of a port.
type slot[T any] struct {
	_     incomparable
	stamp stamp
	next  *slot[T] // in the ring
	v     T
}

// incomparable takes == from a struct, so that the compiler need not write it for each type of message.
type incomparable [0]func()

// stamp is positive while a message is in its place: the first cycle of the receiver in which the message is visible.
// Otherwise -stamp is the first cycle of the sender in which the place can be used. So one comparison decides whether
// there is a visible message, and one whether there is room.
type stamp int64

// occupied is the stamp of a message whose place only the sender sees.
const occupied stamp = 1

// visible reports whether the place holds a message visible at now.
func (s stamp) visible(now Cycle) bool { return Cycle(s-1) < now }

// arrived returns 1 if the place holds a message visible at now, and 0 otherwise.
func (s stamp) arrived(now Cycle) uint64 {
	_, less := bits.Sub64(Cycle(s-1), now, 0)
	return less
}

// free reports whether the sender can use the place at now.
func (s stamp) free(now Cycle) bool { return Cycle(-s) <= now }

// full reports whether the place holds a message, visible or still on the link.
func (s stamp) full() bool { return s > 0 }

// ring is a ring of places for messages. An input port has a ring. An output port has one of its own only if its link
// leads to another domain.
type ring[T any] struct {
	slots []slot[T]
	fill  *slot[T] // of a port without a sender in its own clock domain: the place of the next message
}

// newRing returns n places, each linked to the next and the last to the first. The first one is the next to fill.
func newRing[T any](n int) *ring[T] {
	r := &ring[T]{slots: make([]slot[T], n)}
	for i := range r.slots {
		r.slots[i].next = &r.slots[(i+1)%n]
	}
	r.fill = &r.slots[0]
	return r
}

// marks says what a put or a pop has to do beside moving a message.
type marks uint8

const (
	crosses marks = 1 << iota // the link joins two clock domains: there is a lane
	watched                   // there is a listener, an Akita hook or an Akita connection
	blocked                   // the sender found no room and waits for a pop
	distant                   // the link takes more than a cycle
)

func (m *marks) set(x marks, on bool) {
	*m &^= x
	if on {
		*m |= x
	}
}
