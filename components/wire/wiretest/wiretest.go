// Package wiretest provides both ends of a test setup around a block: a source sending given messages at given
// cycles, and a sink recording the arriving messages and their cycles.
package wiretest

import "kumiko/components/wire"

// At is a message with the cycle of its sending or arrival.
type At[T any] struct {
	Cycle wire.Cycle
	Msg   T
}

// Source sends messages through Out, each at its cycle or, under back-pressure, as soon after as there is space.
type Source[T any] struct {
	wire.Comp
	Out  wire.OutPort[T]
	Sent []wire.Cycle // when each message was put
	todo []At[T]
}

// NewSource builds a source and joins it to in by a link of latency 1: a
// message sent at cycle c is visible to the block at c+1.
func NewSource[T any](name string, d *wire.Domain, in *wire.InPort[T]) *Source[T] {
	s := &Source[T]{}
	s.Init(name, d, s)
	s.Out.Init(&s.Comp, "Out")
	wire.Connect(&s.Out, in, 1)
	return s
}

// Send queues a message to be sent at cycle c, at least 1, the first cycle of a domain. Cycles must not decrease
// from call to call.
func (s *Source[T]) Send(c wire.Cycle, msg T) {
	s.todo = append(s.todo, At[T]{c, msg})
	s.WakeAt(c)
}

// Left returns the number of messages not yet sent.
func (s *Source[T]) Left() int { return len(s.todo) }

// Tick sends the due messages.
func (s *Source[T]) Tick(now wire.Cycle) bool {
	for len(s.todo) > 0 && s.todo[0].Cycle <= now && s.Out.CanPut() {
		s.Out.Put(s.todo[0].Msg)
		s.Sent = append(s.Sent, now)
		s.todo = s.todo[1:]
	}
	if len(s.todo) > 0 {
		s.WakeAt(s.todo[0].Cycle)
	}
	return false
}

// Sink records the messages arriving at In, up to PerCycle in a cycle (0: all), and none while Refuse, if set,
// returns true.
type Sink[T any] struct {
	wire.Comp
	In       wire.InPort[T]
	Got      []At[T]
	PerCycle int
	Refuse   func(now wire.Cycle) bool
	// Receive, if set, is called with every received message. It can be a mock of the block's surroundings.
	Receive func(now wire.Cycle, msg T)
}

// NewSink builds a sink of the given capacity in messages, and joins it to out by a link of latency 1.
func NewSink[T any](name string, d *wire.Domain, out *wire.OutPort[T], capacity int) *Sink[T] {
	s := NewLooseSink[T](name, d, capacity)
	wire.Connect(out, &s.In, 1)
	return s
}

// NewLooseSink builds a sink without connecting its In.
func NewLooseSink[T any](name string, d *wire.Domain, capacity int) *Sink[T] {
	s := &Sink[T]{}
	s.Init(name, d, s)
	s.In.Init(&s.Comp, "In", capacity)
	return s
}

// Cycles returns the cycles of arrival of the messages.
func (s *Sink[T]) Cycles() []wire.Cycle {
	out := make([]wire.Cycle, len(s.Got))
	for i := range s.Got {
		out[i] = s.Got[i].Cycle
	}
	return out
}

// Tick receives the visible messages.
func (s *Sink[T]) Tick(now wire.Cycle) bool {
	if s.Refuse != nil && s.Refuse(now) {
		return s.In.Len() > 0
	}
	for n := 0; s.PerCycle == 0 || n < s.PerCycle; n++ {
		m := s.In.Head()
		if m == nil {
			return false
		}
		s.Got = append(s.Got, At[T]{now, *m})
		if s.Receive != nil {
			s.Receive(now, *m)
		}
		s.In.Pop()
	}
	return s.In.Len() > 0
}
