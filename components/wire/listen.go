package wire

// Listeners receive messages in the form used by the blocks themselves: typed, without an envelope, in the cycle of
// the put or pop, on the goroutine simulating the port's domain. Unlike Akita's hooks they do not put the
// partitions into one order of time, so they cost little. A listener must stay within one domain or do its own
// locking. It must not change a message or keep a pointer to it.

// Listen calls f for every message put from now on, with the cycle of the put and the first receiver cycle in which
// the message is visible. A second listener is called after the first.
func (p *OutPort[T]) Listen(f func(now, visible Cycle, m *T)) {
	if g := p.onPut; g != nil {
		second := f
		f = func(now, visible Cycle, m *T) { g(now, visible, m); second(now, visible, m) }
	}
	p.onPut = f
	p.marks.set(watched, true)
}

// Listen calls f for every message popped from now on, in the cycle of the pop. A second listener is called after
// the first.
func (p *InPort[T]) Listen(f func(now Cycle, m *T)) {
	if g := p.onPop; g != nil {
		second := f
		f = func(now Cycle, m *T) { g(now, m); second(now, m) }
	}
	p.onPop = f
	p.marks.set(watched, true)
}
