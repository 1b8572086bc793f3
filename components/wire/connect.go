package wire

import (
	"fmt"
	"slices"
)

// Connect joins an output port to an input port by a link of the given latency in cycles of the sender, at least 1.
// It panics if either end has a link already: an input port has one sender, and fan-in is a component of its own.
//
// A message put at cycle t is visible from t+latency on; space freed by the receiver at t is visible to the sender
// from t+1 on. Between two clock domains of one engine, freed space also becomes visible only after the latency, so
// a stream of one message per cycle needs a capacity of 2*latency+1; between a follower and its leader it is seen at
// t+1 if the clocks are equal. Between two partitions the latency must be at least the engine's window.
func Connect[T any](out *OutPort[T], in *InPort[T], latency int) *Link {
	if n := capacityOf(&out.sender, &in.queue, latency); n > len(in.slots) {
		in.ring = newRing[T](n)
		in.head = in.fill
	}
	if out.dom != in.dom {
		own := newRing[T](in.size)
		out.tail, out.slots, out.moving, out.waiting = own.fill, own.slots, own.fill, own.fill
		cross(&out.sender, &in.queue, latency, func(at Cycle) {
			s := in.fill
			s.v, s.stamp = out.moving.v, stamp(at)
			in.fill, out.moving = s.next, out.moving.next
		}, func(at Cycle) {
			out.waiting.stamp = -stamp(at)
			out.waiting = out.waiting.next
		})
	} else {
		out.tail, out.slots, out.q = in.head, in.slots, &in.queue
	}
	return join(&out.sender, &in.queue, latency, &ends[T]{out, in})
}

// capacityOf checks the ends of a link to be. It returns the capacity of the receiver: between clock domains the credit
// of a message also travels back over the link, unless they are near.
func capacityOf(out *sender, in *queue, latency int) int {
	switch {
	case out.senderRest == nil || in.queueRest == nil:
		panic("wire: a port is connected before its Init")
	case latency < 1:
		panic(fmt.Sprintf("wire: link %s -> %s: latency %d, want at least 1", out.name, in.name, latency))
	case out.Connected():
		panic(fmt.Sprintf("wire: %s is connected already, to %s", out.name, out.q.name))
	case in.src != nil:
		panic(fmt.Sprintf("wire: %s has a sender already, %s", in.name, in.src.name))
	case in.sink.akita != nil && in.sink.akita.conn != nil:
		panic(fmt.Sprintf("wire: %s has an Akita connection already", in.name))
	}
	if in.behind {
		in.size += latency
		if out.dom != in.dom && !near(out.dom, in.dom) {
			in.size += latency
		}
	}
	return in.size
}

// cross makes the lane of a link between two domains. move and free are those of the lane.
func cross(out *sender, in *queue, latency int, move, free func(at Cycle)) {
	l := newLane(out, in, Cycle(latency))
	l.move, l.free = move, free
	if e := engineOf(out.dom, in.dom, out.name, in.name); !l.direct {
		e.addLane(l)
	}
	out.lane, in.lane, out.q = l, l, &l.tx
	out.marks.set(crosses, true)
	in.marks.set(crosses, true)
}

func join(out *sender, in *queue, latency int, both typed) *Link {
	reach(out, latency, in.comp)
	in.src, in.from = out, out.comp.id
	in.sink.typed, out.source.typed = both, both
	out.link = &Link{out: &out.source, in: &in.sink}
	return out.link
}

// reach sets the component to wake.
func reach(out *sender, latency int, to *Comp) {
	out.marks.set(distant, latency > 1)
	out.behind = to
	out.latency, out.to, out.group, out.bit = Cycle(latency), to.id, to.dom.group(to.id), 1<<(to.id%wheelSpan)
}

// engineOf returns the common engine of two domains, for a link between from and to. It panics if there is none.
func engineOf(a, b *Domain, from, to string) *Engine {
	switch {
	case a.part == nil || b.part == nil:
		panic(fmt.Sprintf("wire: link %s -> %s joins domains %s and %s, which must be in partitions of an engine first",
			from, to, a.name, b.name))
	case a.part.engine != b.part.engine:
		panic(fmt.Sprintf("wire: link %s -> %s joins domains %s and %s of different engines", from, to, a.name, b.name))
	}
	return a.part.engine
}

// Components returns the components of the domain in construction order.
func (d *Domain) Components() []Block { return slices.Clone(d.comps) }

// Unconnected returns the names of the output ports without a link, optional ports excluded.
func (d *Domain) Unconnected() (names []string) {
	for _, c := range d.comps {
		for _, p := range c.Ports() {
			if out, ok := p.(*Source); ok && !out.Connected() && !out.Optional() {
				names = append(names, p.Name())
			}
		}
	}
	return names
}
