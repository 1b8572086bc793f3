package wire

// Listeners are told of messages as the blocks themselves see them: typed,
// without an envelope, in the cycle in which things happen, by the goroutine
// that simulates the port's domain. Other than Akita's hooks they do not put
// the partitions into one order of time, so that they cost little; a listener
// must keep to one domain or do its own locking. A listener changes nothing of
// what it is shown and keeps no pointer to it.

// Listen calls f with every message that is put from now on: the cycle of the
// put, and the receiver's cycle from which the message is visible. A second
// listener is told after the first.
func (p *OutPort[T]) Listen(f func(now, visible Cycle, m *T)) {
	if g := p.onPut; g != nil {
		second := f
		f = func(now, visible Cycle, m *T) { g(now, visible, m); second(now, visible, m) }
	}
	p.onPut = f
	p.watched = true
}

// Listen calls f with every message that is popped from now on, in the cycle
// of the pop. A second listener is told after the first.
func (p *InPort[T]) Listen(f func(now Cycle, m *T)) {
	if g := p.onPop; g != nil {
		second := f
		f = func(now Cycle, m *T) { g(now, m); second(now, m) }
	}
	p.onPop = f
	p.watched = true
}
