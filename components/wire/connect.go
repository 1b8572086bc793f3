package wire

import "fmt"

// Connect joins an output port to an input port by a link of the given latency
// in cycles, at least 1. It panics when either end has a link already: an
// input port has one sender, and fan-in is a component of its own.
func Connect[T any](out *OutPort[T], in *InPort[T], latency int) {
	switch {
	case out.comp == nil || in.comp == nil:
		panic("wire: a port is connected before its Init")
	case latency < 1:
		panic(fmt.Sprintf("wire: link %s -> %s: latency %d, want at least 1", out.name, in.name, latency))
	case out.Connected():
		panic(fmt.Sprintf("wire: %s is connected already, to %s", out.name, out.q.name))
	case in.src != nil:
		panic(fmt.Sprintf("wire: %s has a sender already, %s", in.name, in.src.name))
	case out.dom != in.dom:
		panic(fmt.Sprintf("wire: link %s -> %s joins domains %s and %s", out.name, in.name, out.dom.name, in.dom.name))
	}
	out.q, out.slots, out.latency = &in.queue, in.slots, Cycle(latency)
	in.src = &out.sender
}
