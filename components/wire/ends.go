package wire

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
)

// typed is the part of a link for observers that depends on the type of the messages. Connect makes the typed part.
// Connect is compiled where a link is made; the methods of a port are compiled in every package that sees the port.
type typed interface {
	// message returns a pointer to the message k places behind the receiver's oldest one, its place in the ring, and
	// the cycle in which it becomes visible; 0: there is none.
	message(k int) (message any, place int, at Cycle)
	// sent returns the place of a message put, in the ring of the sender.
	sent(message any) (place int)
	// wrap returns an envelope, still without meta data, of the message at a pointer.
	wrap(message any) sim.Msg
	// send puts the body of an envelope. It panics on other messages.
	send(env sim.Msg)
}

// ends are the two ports of a link. One of them is nil where the other end is a stock component.
type ends[T any] struct {
	out *OutPort[T]
	in  *InPort[T]
}

func (e *ends[T]) message(k int) (message any, place int, at Cycle) {
	s := e.in.head
	for ; k > 0; k-- {
		s = s.next
	}
	for &e.in.slots[place] != s {
		place++
	}
	return &s.v, place, Cycle(max(s.stamp, 0))
}

func (e *ends[T]) sent(message any) (place int) {
	for &e.out.slots[place].v != message.(*T) {
		place++
	}
	return place
}

func (e *ends[T]) wrap(message any) sim.Msg { return &Env[T]{Body: *message.(*T)} }

func (e *ends[T]) send(msg sim.Msg) { e.out.Put(bodyOf[T](msg, e.out.name)) }

// bodyOf returns the body of an envelope for a port. It panics on other messages.
func bodyOf[T any](msg sim.Msg, port string) T {
	env, ok := msg.(*Env[T])
	if !ok {
		panic(fmt.Sprintf("wire: %s is to take %T, want %T", port, msg, env))
	}
	return env.Body
}
