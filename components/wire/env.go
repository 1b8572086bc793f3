package wire

import "github.com/sarchlab/akita/v3/sim"

// Env wraps a message of this package for Akita: hooks, tracers and stock components handle the envelope, Kumiko's
// blocks the body. Envelopes and their IDs are made only when needed.
type Env[T any] struct {
	sim.MsgMeta
	_    incomparable
	Body T
}

// Meta returns the meta data of the envelope.
func (e *Env[T]) Meta() *sim.MsgMeta { return &e.MsgMeta }

// Sized is a message body with a known size in bytes on a wire. Akita's port analyzer adds the sizes up; other
// bodies count as none.
type Sized interface {
	TrafficBytes() int
}

// address fills in the meta data of an envelope of ours. body points to its body.
func address(env sim.Msg, body any, src, dst sim.Port, sent, seen sim.VTimeInSec) {
	m := env.Meta()
	m.ID = sim.GetIDGenerator().Generate()
	m.Src, m.Dst = src, dst
	m.SendTime, m.RecvTime = sent, seen
	if s, ok := body.(Sized); ok {
		m.TrafficBytes = s.TrafficBytes()
	}
}
