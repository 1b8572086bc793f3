package wire

// Listeners receive messages in the form used by the blocks themselves: typed, without an envelope, in the cycle of
// the put or pop, on the goroutine simulating the port's domain. Unlike Akita's hooks they do not put the
// partitions into one order of time, so they cost little. A listener must stay within one domain or do its own
// locking. It must not change a message or keep a pointer to it.

// OnPut calls f for every message put from now on, with the cycle of the put and the first receiver cycle in which
// the message is visible. A second listener is called after the first.
func OnPut[T any](p *OutPort[T], f func(now, visible Cycle, m *T)) {
	first := p.onPut
	p.onPut = func(visible Cycle, message any) {
		if first != nil {
			first(visible, message)
		}
		f(p.dom.now, visible, message.(*T))
	}
	p.marks.set(watched, true)
}

// OnPop calls f for every message popped from now on, in the cycle of the pop. A second listener is called after
// the first.
func OnPop[T any](p *InPort[T], f func(now Cycle, m *T)) {
	first := p.onPop
	p.onPop = func() {
		if first != nil {
			first()
		}
		f(p.dom.now, &p.head.v)
	}
	p.marks.set(watched, true)
}

// OnArrival calls f for every message sent to p from now on, in the cycle of the put, with the cycle in which p shows
// it. It is for observers of a receiver who do not know the sender. The port must have a link in one clock domain.
func OnArrival[T any](p *InPort[T], f func(visible Cycle, m *T)) {
	s := p.src
	first := s.onPut
	s.onPut = func(visible Cycle, message any) {
		if first != nil {
			first(visible, message)
		}
		f(visible, message.(*T))
	}
	s.marks.set(watched, true)
}
