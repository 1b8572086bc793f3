// Package wiretest provides the two ends that a test puts around a block: a source
// that sends given messages at given cycles, and a sink that notes what arrives
// and when.
package wiretest

import "kumiko/components/wire"

// At is a message with the cycle in which it is sent or arrives.
type At[T any] struct {
	Cycle wire.Cycle
	Msg   T
}

// Source sends messages through Out, each at its cycle or, under
// back-pressure, as soon after it as there is room.
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

// Send queues a message to be sent at cycle c, from 1 on, the first cycle of a
// domain; cycles must not fall.
func (s *Source[T]) Send(c wire.Cycle, msg T) {
	s.todo = append(s.todo, At[T]{c, msg})
	s.WakeAt(c)
}

// Left is the number of messages not yet sent.
func (s *Source[T]) Left() int { return len(s.todo) }

// Tick sends what is due.
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

// Sink notes every message that arrives at In, up to PerCycle in a cycle (0:
// all), and none in cycles for which Refuse, if set, is true.
type Sink[T any] struct {
	wire.Comp
	In       wire.InPort[T]
	Got      []At[T]
	PerCycle int
	Refuse   func(now wire.Cycle) bool
	// Receive, if set, is called with every message as it is taken: a mock of
	// what surrounds the block can stand there.
	Receive func(now wire.Cycle, msg T)
}

// NewSink builds a sink with room for the given number of messages and joins
// it to out by a link of latency 1.
func NewSink[T any](name string, d *wire.Domain, out *wire.OutPort[T], capacity int) *Sink[T] {
	s := NewLooseSink[T](name, d, capacity)
	wire.Connect(out, &s.In, 1)
	return s
}

// NewLooseSink builds a sink whose In is still to be connected.
func NewLooseSink[T any](name string, d *wire.Domain, capacity int) *Sink[T] {
	s := &Sink[T]{}
	s.Init(name, d, s)
	s.In.Init(&s.Comp, "In", capacity)
	return s
}

// Cycles are the cycles in which the messages were taken.
func (s *Sink[T]) Cycles() []wire.Cycle {
	out := make([]wire.Cycle, len(s.Got))
	for i := range s.Got {
		out[i] = s.Got[i].Cycle
	}
	return out
}

// Tick takes what is there.
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
