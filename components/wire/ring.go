package wire

// slot is a place in the ring of a port.
type slot[T any] struct {
	// stamp is positive while a message is here: the first cycle of the receiver in which the message is visible.
	// Otherwise -stamp is the first cycle of the sender in which the place can be used. So one comparison decides
	// whether there is a visible message, and one whether there is room.
	stamp int64
	next  *slot[T] // in the ring
	v     T
}

// occupied is the stamp of a message whose place only the sender sees.
const occupied int64 = 1

// newRing returns n places, each linked to the next and the last to the first.
func newRing[T any](n int) []slot[T] {
	ring := make([]slot[T], n)
	for i := range ring {
		ring[i].next = &ring[(i+1)%n]
	}
	return ring
}

// visible reports whether the place holds a message visible at now.
func (s *slot[T]) visible(now Cycle) bool { return Cycle(s.stamp-1) < now }

// free reports whether the sender can use the place at now.
func (s *slot[T]) free(now Cycle) bool { return Cycle(-s.stamp) <= now }

// full reports whether the place holds a message, visible or still on the link.
func (s *slot[T]) full() bool { return s.stamp > 0 }

// count returns the number of places from s on for which a condition holds, up to the first for which it does not.
func (s *slot[T]) count(limit int, holds func(*slot[T]) bool) int {
	n := 0
	for n < limit && holds(s) {
		s = s.next
		n++
	}
	return n
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
