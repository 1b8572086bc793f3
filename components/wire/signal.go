package wire

// Signal is a status wire: one writer, many readers. A value set at cycle t is
// seen from t+1 on. Reading a signal never changes anything.
type Signal[T comparable] struct {
	comp      *Comp // the writer
	old, new  T
	setAt     Cycle
	listeners []*Comp
}

// Init gives the signal to its writer and sets the value that readers see
// until the first Set.
func (s *Signal[T]) Init(writer *Comp, v T) { s.comp, s.old, s.new = writer, v, v }

// Set changes the value from the next cycle on, and wakes the watchers then if
// it differs.
func (s *Signal[T]) Set(v T) {
	now := s.comp.dom.now
	if s.setAt != now {
		s.old, s.setAt = s.new, now
	}
	if v == s.new {
		return
	}
	s.new = v
	for _, c := range s.listeners {
		c.WakeAt(now + 1)
	}
}

// Get is the value as of the beginning of this cycle.
func (s *Signal[T]) Get() T {
	if s.setAt == s.comp.dom.now {
		return s.old
	}
	return s.new
}

// Watch wakes c in the cycle in which a changed value becomes visible.
func (s *Signal[T]) Watch(c *Comp) { s.listeners = append(s.listeners, c) }
