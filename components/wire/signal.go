package wire

import "fmt"

// Signal is a status wire: one writer, many readers. A value set at cycle t is
// seen from t+1 on. Reading a signal never changes anything. Readers tick in
// the writer's clock domain; others read through a Tap.
type Signal[T comparable] struct {
	dom      *Domain // the writer's
	old, new T
	setAt    Cycle
	watchers []*Comp
	taps     []setter[T]
	writer   *Comp
}

// setter is a Tap as its signal sees it. Since this is an interface, the compiler makes a Tap's methods only for types
// of values for which there is a tap, and not for those of all signals.
type setter[T any] interface {
	set(now Cycle, v T)
}

// Init assigns the signal to its writer and sets the value seen by readers until the first Set.
func (s *Signal[T]) Init(writer *Comp, v T) {
	writer.mustBeInit("signal of", "a component")
	s.writer = writer
	s.dom, s.old, s.new, s.setAt = writer.dom, v, v, Never
	for _, c := range s.watchers {
		s.mustShareDomain(c)
	}
}

func (s *Signal[T]) mustShareDomain(c *Comp) {
	if s.dom != nil && c.dom != s.dom {
		panic(fmt.Sprintf("wire: %s of domain %s watches a signal of domain %s", c.name, c.dom.name, s.dom.name))
	}
}

// Set changes the value from the next cycle on. If the value differs, the watchers are woken in that cycle.
func (s *Signal[T]) Set(v T) {
	if v == s.new {
		return
	}
	now := s.dom.now
	if s.setAt != now {
		s.old, s.setAt = s.new, now
	}
	s.new = v
	for _, c := range s.watchers {
		c.dom.wakeAt(c.id, now+1)
	}
	for _, t := range s.taps {
		t.set(now, v)
	}
}

// Get returns the value at the beginning of this cycle.
func (s *Signal[T]) Get() T {
	if s.setAt == s.dom.now {
		return s.old
	}
	return s.new
}

// Watch wakes c in the first cycle in which a changed value is visible.
func (s *Signal[T]) Watch(c *Comp) {
	s.mustShareDomain(c)
	s.watchers = append(s.watchers, c)
}
