package wire

import (
	"reflect"

	"github.com/sarchlab/akita/v3/sim"
)

// Source is an output port as seen by observers of the whole machine.
type Source interface {
	sim.Port
	// Peer returns the port at the other end of the link and its latency in cycles of the sender, or nil if the
	// port has no link.
	Peer() (to sim.Port, latency Cycle)
	// Connected reports whether the port has a link, Optional whether it may stay without one.
	Connected() bool
	Optional() bool
	// MessageType returns the Go type of the messages.
	MessageType() string
}

// Sink is an input port as seen by observers of the whole machine.
type Sink interface {
	sim.Port
	// Capacity returns the capacity in messages, including those on the link.
	Capacity() int
	MessageType() string
}

// Components returns the components of the domain in construction order.
func (d *Domain) Components() []Block { return append([]Block(nil), d.comps...) }

// Unconnected returns the names of the output ports without a link, optional ports excluded.
func (d *Domain) Unconnected() (names []string) {
	for _, c := range d.comps {
		for _, p := range c.Ports() {
			if out, ok := p.(Source); ok && !out.Connected() && !out.Optional() {
				names = append(names, p.Name())
			}
		}
	}
	return names
}

// Peer returns the port at the other end of the link and its latency, or nil without a link.
func (p *OutPort[T]) Peer() (to sim.Port, latency Cycle) {
	if p.peer == nil {
		return nil, 0
	}
	return p.peer, p.latency
}

// MessageType returns the Go type of the port's messages.
func (p *OutPort[T]) MessageType() string { return reflect.TypeFor[T]().String() }

// MessageType returns the Go type of the port's messages.
func (p *InPort[T]) MessageType() string { return reflect.TypeFor[T]().String() }

var (
	_ Source = (*OutPort[int])(nil)
	_ Sink   = (*InPort[int])(nil)
)
