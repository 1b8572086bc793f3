package wire

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
)

// SocketSpec describes the two sides of a socket. Either port may be nil.
type SocketSpec[Tx, Rx any] struct {
	Out  *OutPort[Tx]   // output port of the block
	In   *InPort[Rx]    // input port of the block
	Conn sim.Connection // to the stock component
	// Buffer is the number of messages waiting on the block's side of the connection, and as many on the
	// connection's: at least 1.
	Buffer int
	// Remote is the destination of messages for which Wrap names none.
	Remote sim.Port
	// Wrap converts a block's message to an Akita message; nil: an *Env[Tx].
	Wrap func(*Tx) sim.Msg
	// Unwrap converts an Akita message to a block's message; nil: the body of an *Env[Rx].
	Unwrap func(sim.Msg) Rx
}

// Socket joins ports of a Kumiko block to a stock Akita component, over an Akita connection of the same partition.
// To the stock component it is the sim.Port at the other end.
//
// A message put at cycle t goes to the connection at the end of cycle t, so over a sim.DirectConnection the stock
// component sees it in its next cycle. A message delivered by the connection is visible to the block at the first
// clock edge after its delivery.
type Socket[Tx, Rx any] struct {
	sim.HookableBase
	name  string
	spec  SocketSpec[Tx, Rx]
	comp  *Comp
	stage *InPort[Tx] // put, not yet accepted by the connection
	next  sim.Msg     // the oldest of them as an Akita message
	conn  sim.Connection
}

// NewSocket builds a socket and plugs it in.
func NewSocket[Tx, Rx any](name string, spec SocketSpec[Tx, Rx]) *Socket[Tx, Rx] {
	s := &Socket[Tx, Rx]{name: name, spec: spec}
	switch {
	case spec.Conn == nil:
		panic("wire: socket " + name + " has no connection")
	case spec.Buffer < 1:
		panic(fmt.Sprintf("wire: socket %s: buffer of %d messages, want at least 1", name, spec.Buffer))
	case spec.Out != nil:
		s.comp = spec.Out.comp
	case spec.In != nil:
		s.comp = spec.In.comp
	default:
		panic("wire: socket " + name + " joins no port")
	}
	s.mustShareEngine()
	spec.Conn.PlugIn(s, spec.Buffer)
	if spec.Out != nil {
		s.attachOut()
	}
	if spec.In != nil {
		accept(spec.In)
		spec.In.sink.plugIn(spec.Conn, s)
	}
	return s
}

// mustShareEngine panics if the events of the connection would run outside the partition of the ports.
func (s *Socket[Tx, Rx]) mustShareEngine() {
	p := s.comp.dom.part
	if p == nil {
		panic(fmt.Sprintf("wire: socket %s: domain %s must be in a partition of an engine first", s.name,
			s.comp.dom.name))
	}
	if p.leader != nil {
		panic(fmt.Sprintf("wire: socket %s: partition %s follows another and has no stock components", s.name, p.name))
	}
	if c, ok := s.spec.Conn.(*sim.DirectConnection); ok && c.Engine != sim.Engine(p) &&
		(c.Engine != sim.Engine(p.engine) || p.index != 0) {
		panic(fmt.Sprintf("wire: socket %s: connection %s does not run in partition %s", s.name, c.Name(), p.name))
	}
}

func (s *Socket[Tx, Rx]) attachOut() {
	out := s.spec.Out
	if out.Connected() {
		panic(fmt.Sprintf("wire: %s is connected already, to %s", out.name, out.q.name))
	}
	s.stage = &InPort[Tx]{queue: newQueue(out.comp, s.name, s.spec.Buffer)}
	s.stage.src, s.stage.from = &out.sender, out.comp.id
	s.stage.ring = newRing[Tx](s.spec.Buffer)
	s.stage.head = s.stage.fill
	out.tail, out.slots, out.q = s.stage.head, s.stage.slots, &s.stage.queue
	reach(&out.sender, 1, out.comp)
	out.source.typed = &ends[Tx]{out: out}
	out.dom.observers = append(out.dom.observers, s)
}

// observe sends the messages put to the connection, as far as it accepts them.
func (s *Socket[Tx, Rx]) observe() {
	for s.stage.head.stamp.full() {
		if s.next == nil {
			s.next = s.wrap(&s.stage.head.v)
		}
		if !s.conn.CanSend(s) {
			return // the connection calls NotifyAvailable
		}
		s.next.Meta().SendTime = s.stage.dom.Time()
		if s.Send(s.next) != nil {
			return
		}
		s.next = nil
		vacate(&s.stage.queue)
		s.stage.head.stamp = ^stamp(s.stage.dom.now)
		s.stage.head = s.stage.head.next
	}
}

func (s *Socket[Tx, Rx]) wrap(v *Tx) sim.Msg {
	var msg sim.Msg
	if s.spec.Wrap != nil {
		msg = s.spec.Wrap(v)
	} else {
		msg = &Env[Tx]{Body: *v}
		address(msg, v, s, s.spec.Remote, 0, 0)
	}
	m := msg.Meta()
	m.Src = s
	if m.Dst == nil {
		m.Dst = s.spec.Remote
	}
	if m.ID == "" {
		m.ID = sim.GetIDGenerator().Generate()
	}
	return msg
}

// Name returns the name of the socket.
func (s *Socket[Tx, Rx]) Name() string { return s.name }

// Component returns the owner of the ports.
func (s *Socket[Tx, Rx]) Component() sim.Component { return s.comp.self }

// SetConnection is called by the connection.
func (s *Socket[Tx, Rx]) SetConnection(c sim.Connection) { s.conn = c }

// Recv receives a message from the connection.
func (s *Socket[Tx, Rx]) Recv(msg sim.Msg) *sim.SendError {
	in := s.spec.In
	if in == nil {
		panic("wire: socket " + s.name + " received a message and has no input port")
	}
	m := *msg.Meta()
	env, isEnv := msg.(*Env[Rx])
	if s.spec.Unwrap != nil {
		env = &Env[Rx]{MsgMeta: m, Body: s.spec.Unwrap(msg)}
	} else if !isEnv {
		panic(fmt.Sprintf("wire: socket %s received %T, want %T", s.name, msg, env))
	}
	err := in.sink.Recv(env)
	if err == nil {
		s.InvokeHook(sim.HookCtx{Domain: s, Pos: sim.HookPosPortMsgRecvd, Item: msg})
	}
	return err
}

// NotifyAvailable tries again to send, at the first clock edge after now.
func (s *Socket[Tx, Rx]) NotifyAvailable(now sim.VTimeInSec) { s.comp.wakeAfter(now) }

// CanSend reports whether the connection accepts a message.
func (s *Socket[Tx, Rx]) CanSend() bool { return s.conn.CanSend(s) }

// Send sends a message over the connection.
func (s *Socket[Tx, Rx]) Send(msg sim.Msg) *sim.SendError {
	err := s.conn.Send(msg)
	if err == nil {
		s.InvokeHook(sim.HookCtx{Domain: s, Pos: sim.HookPosPortMsgSend, Item: msg})
	}
	return err
}

// Retrieve returns nil: the block pops messages from its own port.
func (s *Socket[Tx, Rx]) Retrieve(sim.VTimeInSec) sim.Msg { return nil }

// Peek returns nil: the block reads messages from its own port.
func (s *Socket[Tx, Rx]) Peek() sim.Msg { return nil }

// filler is an input port without a link, for a stock component.
type filler interface {
	// fill adds the body of an envelope, visible in cycle at, and returns its place in the ring. It panics on other
	// messages.
	fill(env sim.Msg, at Cycle) (place int)
}

type open[T any] struct{ in *InPort[T] }

func (o *open[T]) fill(msg sim.Msg, at Cycle) (place int) {
	s := o.in.fill
	s.v, s.stamp = bodyOf[T](msg, o.in.name), stamp(at)
	o.in.fill = s.next
	for &o.in.slots[place] != s {
		place++
	}
	return place
}

// PlugIn joins an input port to an Akita connection without a Socket. buffer is as in sim.Connection. The messages of
// the connection must be *Env[T].
func PlugIn[T any](p *InPort[T], conn sim.Connection, buffer int) {
	accept(p)
	conn.PlugIn(&p.sink, buffer)
}

// accept lets a port take messages of a stock component.
func accept[T any](p *InPort[T]) { p.sink.typed, p.sink.filler = &ends[T]{in: p}, &open[T]{p} }
