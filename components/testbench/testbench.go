// Package testbench drives single hardware blocks through their ports: sources
// that send given messages in given cycles, and sinks that note what arrives
// when. It is for tests.
package testbench

import "kumiko/components/wire"

// Source sends messages in the cycles given to it, later if the link is full.
type Source[T any] struct {
	wire.Comp
	Out  wire.OutPort[T]
	Sent []wire.Cycle // when each message was put
	todo []timed[T]
}

type timed[T any] struct {
	at wire.Cycle
	v  T
}

// NewSource builds a source whose link to in has the given latency.
func NewSource[T any](name string, d *wire.Domain, in *wire.InPort[T], latency int) *Source[T] {
	s := &Source[T]{}
	s.Init(name, d, s)
	s.Out.Init(&s.Comp, "Out")
	wire.Connect(&s.Out, in, latency)
	return s
}

// Send makes the source put v at cycle at, which must not be before that of the
// last Send.
func (s *Source[T]) Send(at wire.Cycle, v T) {
	s.todo = append(s.todo, timed[T]{at, v})
	s.WakeAt(at)
}

// Tick puts the messages that are due.
func (s *Source[T]) Tick(now wire.Cycle) bool {
	for len(s.todo) > 0 && s.todo[0].at <= now && s.Out.CanPut() {
		s.Out.Put(s.todo[0].v)
		s.Sent = append(s.Sent, now)
		s.todo = s.todo[1:]
	}
	if len(s.todo) > 0 && s.todo[0].at > now {
		s.WakeAt(s.todo[0].at)
	}
	return false
}

// Left is the number of messages not yet put.
func (s *Source[T]) Left() int { return len(s.todo) }

// Sink takes what arrives.
type Sink[T any] struct {
	wire.Comp
	In wire.InPort[T]
	// PerCycle bounds what is taken per cycle; 0: everything. Nothing is taken
	// before cycle From.
	PerCycle int
	From     wire.Cycle
	// Receive, if set, is called with every message.
	Receive func(now wire.Cycle, v T)
	Got     []Received[T]
}

// Received is a message and the cycle in which it was taken.
type Received[T any] struct {
	At wire.Cycle
	V  T
}

// NewSink builds a sink with room for capacity messages. Connect its In.
func NewSink[T any](name string, d *wire.Domain, capacity int) *Sink[T] {
	s := &Sink[T]{}
	s.Init(name, d, s)
	s.In.Init(&s.Comp, "In", capacity)
	return s
}

// Tick takes what is there.
func (s *Sink[T]) Tick(now wire.Cycle) bool {
	if now < s.From {
		s.WakeAt(s.From)
		return false
	}
	for n := 0; ; n++ {
		v := s.In.Head()
		if v == nil {
			return false
		}
		if s.PerCycle > 0 && n == s.PerCycle {
			return true
		}
		s.Got = append(s.Got, Received[T]{now, *v})
		if s.Receive != nil {
			s.Receive(now, *v)
		}
		s.In.Pop()
	}
}

// Cycles are the cycles in which the messages were taken.
func (s *Sink[T]) Cycles() []wire.Cycle {
	out := make([]wire.Cycle, len(s.Got))
	for i := range s.Got {
		out[i] = s.Got[i].At
	}
	return out
}
