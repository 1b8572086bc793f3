package wire

import (
	"reflect"

	"github.com/sarchlab/akita/v3/sim"
)

// Source is an output port as those see it who look at the machine as a whole.
type Source interface {
	sim.Port
	// Peer is the port at the other end of the link and its latency in cycles of
	// the sender; nil when the port has no link.
	Peer() (to sim.Port, latency Cycle)
	// Connected reports whether the port has a link, Optional whether it may lack one.
	Connected() bool
	Optional() bool
	// MessageType is the Go type of the messages.
	MessageType() string
}

// Sink is an input port as those see it who look at the machine as a whole.
type Sink interface {
	sim.Port
	// Capacity in messages, those on the link included.
	Capacity() int
	MessageType() string
}

// Components are the components of the domain in construction order.
func (d *Domain) Components() []Block { return append([]Block(nil), d.comps...) }

// Unconnected returns the names of the output ports that have no link and are not optional.
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

// Peer is the port to which the link leads, and its latency; nil without a link.
func (p *OutPort[T]) Peer() (to sim.Port, latency Cycle) {
	if p.peer == nil {
		return nil, 0
	}
	return p.peer, p.latency
}

// MessageType is the Go type of the port's messages.
func (p *OutPort[T]) MessageType() string { return reflect.TypeFor[T]().String() }

// MessageType is the Go type of the port's messages.
func (p *InPort[T]) MessageType() string { return reflect.TypeFor[T]().String() }

var (
	_ Source = (*OutPort[int])(nil)
	_ Sink   = (*InPort[int])(nil)
)
