package wire

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
)

// AcceptHook attaches an Akita hook to the port. It is invoked for each message put.
func (p *OutPort[T]) AcceptHook(h sim.Hook) {
	p.hooks.AcceptHook(h)
	p.marks.set(watched, true)
	p.dom.hooks++
}

// RemoveHook removes an attached hook.
func (p *OutPort[T]) RemoveHook(h sim.Hook) {
	removeHook(&p.hooks, h, p.dom)
	p.unwatch()
}

// unwatch returns the port to the fast path if no listener or hook is left.
func (p *OutPort[T]) unwatch() {
	p.marks.set(watched,
		p.onPut != nil || p.hooks.NumHooks() > 0 || p.link != nil && p.link.NumHooks() > 0 || p.peer == nil)
}

// NumHooks returns the number of hooks attached.
func (p *OutPort[T]) NumHooks() int { return p.hooks.NumHooks() }

// Hooks returns the hooks attached.
func (p *OutPort[T]) Hooks() []sim.Hook { return p.hooks.Hooks() }

// Component returns the owner of the port.
func (p *OutPort[T]) Component() sim.Component { return p.comp.self }

// SetConnection panics: an output port needs a Socket to reach a stock
// component.
func (p *OutPort[T]) SetConnection(sim.Connection) {
	panic("wire: " + p.name + " cannot be plugged into an Akita connection: use NewSocket")
}

// Recv panics: the port sends.
func (p *OutPort[T]) Recv(sim.Msg) *sim.SendError {
	panic("wire: " + p.name + " is an output port and cannot receive")
}

// NotifyAvailable wakes the component.
func (p *OutPort[T]) NotifyAvailable(now sim.VTimeInSec) { p.comp.NotifyPortFree(now, p) }

// CanSend is CanPut.
func (p *OutPort[T]) CanSend() bool { return p.CanPut() }

// Send puts the body of an envelope. The message must be an *Env[T].
func (p *OutPort[T]) Send(msg sim.Msg) *sim.SendError {
	env, ok := msg.(*Env[T])
	if !ok {
		panic(fmt.Sprintf("wire: %s is to send %T, want %T", p.name, msg, env))
	}
	if !p.CanPut() {
		return sim.NewSendError()
	}
	p.Put(env.Body)
	return nil
}

// Retrieve returns nil: the port sends.
func (p *OutPort[T]) Retrieve(sim.VTimeInSec) sim.Msg { return nil }

// Peek returns nil: the port sends.
func (p *OutPort[T]) Peek() sim.Msg { return nil }

// invokePutHooks calls the listener and invokes the hooks for the message put into s, visible from the receiver's
// cycle at on.
func (p *OutPort[T]) invokePutHooks(s *slot[T], at Cycle) {
	if p.onPut != nil {
		p.onPut(p.dom.now, at, &s.v)
	}
	if p.peer == nil { // a socket's: it reports its own messages
		return
	}
	if p.hooks.NumHooks() == 0 && p.link.NumHooks() == 0 {
		return
	}
	env := p.peer.wrap(place(p.slots, s), &s.v, at)
	env.SendTime = p.dom.Time()
	p.hooks.InvokeHook(sim.HookCtx{Domain: p, Pos: sim.HookPosPortMsgSend, Item: env})
	if p.link.NumHooks() > 0 {
		p.link.InvokeHook(sim.HookCtx{Domain: p.link, Pos: sim.HookPosConnStartSend, Item: env})
	}
}

// Connection returns the link, or nil.
func (p *OutPort[T]) Connection() sim.Connection {
	if p.link == nil {
		return nil
	}
	return p.link
}
