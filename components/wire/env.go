package wire

import "github.com/sarchlab/akita/v3/sim"

// Env is a message of ours as Akita sees it: hooks, tracers and stock
// components handle the envelope, blocks of ours the body. Envelopes and their
// IDs are made only when somebody looks.
type Env[T any] struct {
	sim.MsgMeta
	Body T
}

// Meta is the meta data of the envelope.
func (e *Env[T]) Meta() *sim.MsgMeta { return &e.MsgMeta }

// Sized is a message body that knows how many bytes it stands for on a wire.
// Akita's port analyzer adds them up; other bodies count none.
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
