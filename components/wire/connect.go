package wire

import "fmt"

// Connect joins an output port to an input port by a link of the given latency in cycles of the sender, at least 1.
// It panics if either end has a link already: an input port has one sender, and fan-in is a component of its own.
//
// A message put at cycle t is visible from t+latency on; space freed by the receiver at t is visible to the sender
// from t+1 on. Between two clock domains of one engine, freed space also becomes visible only after the latency, so
// a stream of one message per cycle needs a capacity of 2*latency+1. Between two partitions the latency must be at
// least the engine's window.
func Connect[T any](out *OutPort[T], in *InPort[T], latency int) *Link[T] {
	switch {
	case !out.ready() || !in.ready():
		panic("wire: a port is connected before its Init")
	case latency < 1:
		panic(fmt.Sprintf("wire: link %s -> %s: latency %d, want at least 1", out.name, in.name, latency))
	case out.Connected():
		panic(fmt.Sprintf("wire: %s is connected already, to %s", out.name, out.q.name))
	case in.src != nil:
		panic(fmt.Sprintf("wire: %s has a sender already, %s", in.name, in.src.name))
	case in.akita != nil && in.akita.conn != nil:
		panic(fmt.Sprintf("wire: %s has an Akita connection already", in.name))
	}
	if in.behind {
		in.extend(latency, out.dom != in.dom)
	}
	if out.dom != in.dom {
		l := newLane(&out.sender, &in.queue, Cycle(latency), len(in.slots))
		l.move, l.free = func(at Cycle) { moveMessage(out, in, at) }, out.giveBack
		if e := engineOf(out.dom, in.dom, out.name, in.name); !l.direct {
			e.addLane(l)
		}
		out.lane, in.lane, out.q = l, l, &l.tx
		out.marks.set(crosses, true)
		in.marks.set(crosses, true)
		out.reach(newRing[T](len(in.slots)), latency, in.comp)
	} else {
		out.q = &in.queue
		out.reach(in.slots, latency, in.comp)
	}
	in.src, in.from, out.peer = &out.sender, out.comp.id, in
	out.link = &Link[T]{out: out, in: in}
	out.sender.link = out.link
	return out.link
}

// reach sets the ring into which messages are put, and the component to wake.
func (p *OutPort[T]) reach(ring []slot[T], latency int, to *Comp) {
	p.slots, p.tail, p.moving, p.waiting = ring, &ring[0], &ring[0], &ring[0]
	p.marks.set(distant, latency > 1)
	p.latency, p.to, p.group, p.bit = Cycle(latency), to.id, to.dom.group(to.id), 1<<(to.id%wheelSpan)
}

// moveMessage moves the oldest message of a link between domains that has not been moved to the receiver, where it
// is visible from cycle at on.
func moveMessage[T any](out *OutPort[T], in *InPort[T], at Cycle) {
	s := in.fill
	s.v, s.stamp = out.moving.v, int64(at)
	in.fill, out.moving = s.next, out.moving.next
}

// giveBack makes the oldest place in use free from cycle at on.
func (p *OutPort[T]) giveBack(at Cycle) {
	p.waiting.stamp = -int64(at)
	p.waiting = p.waiting.next
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
