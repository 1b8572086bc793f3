package wire

import "github.com/sarchlab/akita/v3/sim"

// Env wraps a message of this package for Akita: hooks, tracers and stock components handle the envelope, Kumiko's
// blocks the body. Envelopes and their IDs are made only when needed.
type Env[T any] struct {
	sim.MsgMeta
	Body T
}

// Meta returns the meta data of the envelope.
func (e *Env[T]) Meta() *sim.MsgMeta { return &e.MsgMeta }

// Sized is a message body with a known size in bytes on a wire. Akita's port analyzer adds the sizes up; other
// bodies count as none.
type Sized interface {
	TrafficBytes() int
}

func newEnv[T any](body T, src, dst sim.Port, sent, seen sim.VTimeInSec) *Env[T] {
	e := &Env[T]{Body: body}
	e.ID = sim.GetIDGenerator().Generate()
	e.Src, e.Dst = src, dst
	e.SendTime, e.RecvTime = sent, seen
	if s, ok := any(&body).(Sized); ok {
		e.TrafficBytes = s.TrafficBytes()
	}
	return e
}
