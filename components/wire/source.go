package wire

import (
	"reflect"

	"github.com/sarchlab/akita/v3/sim"
)

// Source is an output port as seen by Akita and by observers of the whole machine: a sim.Port with its messages in
// envelopes.
type Source struct {
	out      *sender
	port     putter
	typed    typed // nil without a link and without a Socket
	message  any   // a nil pointer to a message
	hooks    sim.HookableBase
	optional bool // the port may lack a link
}

// putter is an OutPort.
type putter interface {
	CanPut() bool
}

// Name returns the name of the port: the component's name, a dot, and the port's own.
func (s *Source) Name() string { return s.out.name }

// SetOptional lets the port stay without a link: Domain.Unconnected does not list it.
func (s *Source) SetOptional() { s.optional = true }

// Optional reports whether the port may stay without a link.
func (s *Source) Optional() bool { return s.optional }

// Connected reports whether the port has a link.
func (s *Source) Connected() bool { return s.out.Connected() }

// Peer returns the port at the other end of the link and its latency in cycles of the sender, or nil if the port has
// no link.
func (s *Source) Peer() (to *Sink, latency Cycle) {
	if s.out.link == nil {
		return nil, 0
	}
	return s.out.link.in, s.out.latency
}

// MessageType returns the Go type of the port's messages.
func (s *Source) MessageType() string { return reflect.TypeOf(s.message).Elem().String() }

// AcceptHook attaches an Akita hook to the port. It is invoked for each message put.
func (s *Source) AcceptHook(h sim.Hook) {
	s.hooks.AcceptHook(h)
	s.out.marks.set(watched, true)
	s.out.dom.hooks++
}

// RemoveHook removes an attached hook.
func (s *Source) RemoveHook(h sim.Hook) {
	removeHook(&s.hooks, h, s.out.dom)
	s.unwatch()
}

// unwatch returns the port to the fast path if no listener or hook is left.
func (s *Source) unwatch() {
	p := s.out
	p.marks.set(watched, p.onPut != nil || s.hooks.NumHooks() > 0 || p.link == nil || p.link.NumHooks() > 0)
}

// NumHooks returns the number of hooks attached.
func (s *Source) NumHooks() int { return s.hooks.NumHooks() }

// Hooks returns the hooks attached.
func (s *Source) Hooks() []sim.Hook { return s.hooks.Hooks() }

// Component returns the owner of the port.
func (s *Source) Component() sim.Component { return s.out.comp.self }

// SetConnection panics: an output port needs a Socket to reach a stock
// component.
func (s *Source) SetConnection(sim.Connection) {
	panic("wire: " + s.out.name + " cannot be plugged into an Akita connection: use NewSocket")
}

// Recv panics: the port sends.
func (s *Source) Recv(sim.Msg) *sim.SendError {
	panic("wire: " + s.out.name + " is an output port and cannot receive")
}

// NotifyAvailable wakes the component.
func (s *Source) NotifyAvailable(now sim.VTimeInSec) { s.out.comp.NotifyPortFree(now, s) }

// CanSend is OutPort.CanPut.
func (s *Source) CanSend() bool { return s.port.CanPut() }

// Send puts the body of an envelope. For messages of type T it must be an *Env[T].
func (s *Source) Send(msg sim.Msg) *sim.SendError {
	if !s.port.CanPut() {
		return sim.NewSendError()
	}
	s.typed.send(msg)
	return nil
}

// Retrieve returns nil: the port sends.
func (s *Source) Retrieve(sim.VTimeInSec) sim.Msg { return nil }

// Peek returns nil: the port sends.
func (s *Source) Peek() sim.Msg { return nil }

// observePut calls the listener and invokes the hooks for a message just put. at is the receiver's cycle in which the
// message becomes visible.
func (s *Source) observePut(message any, at Cycle) {
	out := s.out
	if out.onPut != nil {
		out.onPut(at, message)
	}
	if out.link == nil { // a socket's: it reports its own messages
		return
	}
	if s.hooks.NumHooks() == 0 && out.link.NumHooks() == 0 {
		return
	}
	env := out.link.in.wrap(message, s.typed.sent(message), at)
	env.Meta().SendTime = out.dom.Time()
	s.hooks.InvokeHook(sim.HookCtx{Domain: s, Pos: sim.HookPosPortMsgSend, Item: env})
	out.link.InvokeHook(sim.HookCtx{Domain: out.link, Pos: sim.HookPosConnStartSend, Item: env})
}

// Connection returns the link, or nil.
func (s *Source) Connection() sim.Connection {
	if s.out.link == nil {
		return nil
	}
	return s.out.link
}
