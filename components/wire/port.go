package wire

import "fmt"

// InPort is the receiving end of a link: a bounded queue of messages of type T.
type InPort[T any] struct {
	comp *Comp
	name string
	src  *OutPort[T]
	// ring of capacity slots; at is the first cycle in which a message is visible
	slots []slot[T]
	head  int
	n     int
	// pops of the current cycle: their room is visible to the sender from the next one on
	popped   int
	poppedAt Cycle
}

type slot[T any] struct {
	at Cycle
	v  T
}

// Init gives the port to its component. capacity is in messages and includes
// those that are still on the link, so a stream of one message per cycle over
// a link of latency L needs a capacity of L+1.
func (p *InPort[T]) Init(c *Comp, name string, capacity int) {
	if capacity < 1 {
		panic(fmt.Sprintf("wire: port %s.%s: capacity %d, want at least 1", c.name, name, capacity))
	}
	p.comp, p.name = c, c.name+"."+name
	p.slots = make([]slot[T], capacity)
}

// Name of the port: the component's name, a dot, and the port's own.
func (p *InPort[T]) Name() string { return p.name }

// Head is the oldest message visible in this cycle, or nil. What it points to
// stays unchanged to the end of the cycle, also after Pop.
func (p *InPort[T]) Head() *T {
	if p.n == 0 {
		return nil
	}
	s := &p.slots[p.head]
	if s.at > p.comp.dom.now {
		return nil
	}
	return &s.v
}

// Pop removes the message that Head returned.
func (p *InPort[T]) Pop() {
	p.head++
	if p.head == len(p.slots) {
		p.head = 0
	}
	p.n--
	now := p.comp.dom.now
	if p.poppedAt != now {
		p.poppedAt, p.popped = now, 0
	}
	p.popped++
	if p.src != nil && p.src.blocked {
		p.src.blocked = false
		p.src.comp.WakeAt(now + 1)
	}
}

// Len is the number of messages held, those still on the link included.
func (p *InPort[T]) Len() int { return p.n }

// OutPort is the sending end of a link.
type OutPort[T any] struct {
	comp    *Comp
	name    string
	dst     *InPort[T]
	latency Cycle
	// blocked: CanPut was false, so the component wants to know when room appears
	blocked bool
}

// Init gives the port to its component.
func (p *OutPort[T]) Init(c *Comp, name string) { p.comp, p.name = c, c.name+"."+name }

// Name of the port: the component's name, a dot, and the port's own.
func (p *OutPort[T]) Name() string { return p.name }

// Connected tells whether the port has a link.
func (p *OutPort[T]) Connected() bool { return p.dst != nil }

// Room is the number of messages that can be put in this cycle.
func (p *OutPort[T]) Room() int {
	in := p.dst
	used := in.n
	if in.poppedAt == p.comp.dom.now {
		used += in.popped
	}
	return len(in.slots) - used
}

// CanPut tells whether a message can be put in this cycle. When it cannot, the
// component is woken in the first cycle in which it can.
func (p *OutPort[T]) CanPut() bool {
	in := p.dst
	if in.n < len(in.slots) && in.poppedAt != p.comp.dom.now {
		return true
	}
	if p.Room() > 0 {
		return true
	}
	if in.n < len(in.slots) {
		p.comp.Wake()
	} else {
		p.blocked = true
	}
	return false
}

// Put sends a message. It panics when there is no room: ask CanPut first.
func (p *OutPort[T]) Put(v T) {
	in := p.dst
	if p.Room() <= 0 {
		panic("wire: put without room on " + p.name)
	}
	i := in.head + in.n
	if i >= len(in.slots) {
		i -= len(in.slots)
	}
	at := p.comp.dom.now + p.latency
	s := &in.slots[i]
	s.at, s.v = at, v
	in.n++
	in.comp.WakeAt(at)
}

// Connect joins an output port to an input port by a link of the given latency
// in cycles, at least 1. It panics when either end has a link already: an
// input port has one sender, and fan-in is a component of its own.
func Connect[T any](out *OutPort[T], in *InPort[T], latency int) {
	switch {
	case latency < 1:
		panic(fmt.Sprintf("wire: link %s -> %s: latency %d, want at least 1", out.name, in.name, latency))
	case out.dst != nil:
		panic(fmt.Sprintf("wire: %s is connected already, to %s", out.name, out.dst.name))
	case in.src != nil:
		panic(fmt.Sprintf("wire: %s has a sender already, %s", in.name, in.src.name))
	}
	out.dst, out.latency = in, Cycle(latency)
	in.src = out
}
