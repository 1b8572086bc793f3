package wire

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"
)

// inFace is the state of an input port with an Akita hook or connection. Until then it is nil, and costs nothing.
type inFace[T any] struct {
	hooks    sim.HookableBase
	bufHooks sim.HookableBase
	linkEnd  *sim.HookableBase // hooks of the link
	envs     []*Env[T]         // by slot of the ring
	told     int               // oldest messages already reported to hooks
	conn     sim.Connection    // of a stock component
	plug     sim.Port          // our end of it
	refused  bool              // the connection waits for space
}

// observer is called when the components of a cycle have ticked.
type observer interface {
	observe()
}

// face returns the port's Akita state, and makes it if there is none.
func (p *InPort[T]) face() *inFace[T] {
	if p.akita == nil {
		p.akita = &inFace[T]{envs: make([]*Env[T], len(p.slots)), told: p.Len()}
		p.marks.set(watched, true)
		p.dom.observers = append(p.dom.observers, p)
	}
	return p.akita
}

// AcceptHook attaches an Akita hook to the port. It is invoked for each message when it becomes visible and when it
// is popped.
func (p *InPort[T]) AcceptHook(h sim.Hook) {
	p.face().hooks.AcceptHook(h)
	p.dom.hooks++
}

// RemoveHook removes an attached hook.
func (p *InPort[T]) RemoveHook(h sim.Hook) {
	if p.akita != nil {
		removeHook(&p.akita.hooks, h, p.dom)
		p.unface()
	}
}

// unface returns the port to the fast path if no hook or connection is left.
func (p *InPort[T]) unface() {
	f := p.akita
	if f.hooks.NumHooks() > 0 || f.bufHooks.NumHooks() > 0 || f.linkEnd != nil || f.conn != nil {
		return
	}
	p.akita = nil
	p.marks.set(watched, p.onPop != nil)
	p.dom.observers = slices.DeleteFunc(p.dom.observers, func(o observer) bool { return o == observer(p) })
}

// Held returns the envelopes of the visible messages, and of the messages on the link, each the oldest first. A
// hook must be attached.
func (p *InPort[T]) Held() (visible, onLink []sim.Msg) {
	n := p.Len()
	for k, s := 0, p.head; k < p.held(); k, s = k+1, s.next {
		m := p.env(s)
		if k < n {
			visible = append(visible, m)
		} else {
			onLink = append(onLink, m)
		}
	}
	return visible, onLink
}

// NumHooks returns the number of hooks attached.
func (p *InPort[T]) NumHooks() int { return len(p.Hooks()) }

// Hooks returns the hooks attached.
func (p *InPort[T]) Hooks() []sim.Hook {
	if p.akita == nil {
		return nil
	}
	return p.akita.hooks.Hooks()
}

// Component returns the owner of the port.
func (p *InPort[T]) Component() sim.Component { return p.comp.self }

// SetConnection is called by an Akita connection when the port is plugged in directly. The connection's messages
// must then be *Env[T]; Socket converts others.
func (p *InPort[T]) SetConnection(conn sim.Connection) { p.plugIn(conn, p) }

func (p *InPort[T]) plugIn(conn sim.Connection, plug sim.Port) {
	if p.src != nil {
		panic(fmt.Sprintf("wire: %s has a sender already, %s", p.name, p.src.name))
	}
	f := p.face()
	if f.conn != nil {
		panic(fmt.Sprintf("wire: %s has an Akita connection already", p.name))
	}
	f.conn, f.plug = conn, plug
}

// Recv receives a message from an Akita connection. It is visible from the first clock edge after its time of
// delivery on.
func (p *InPort[T]) Recv(msg sim.Msg) *sim.SendError {
	env, ok := msg.(*Env[T])
	if !ok {
		panic(fmt.Sprintf("wire: %s received %T, want %T", p.name, msg, env))
	}
	return p.receive(env.Body, env)
}

func (p *InPort[T]) receive(body T, env *Env[T]) *sim.SendError {
	f := p.face()
	s := p.fill
	if s.full() {
		f.refused = true
		return sim.NewSendError()
	}
	p.fill = s.next
	at := max(lastEdgeAt(env.RecvTime, p.dom.hz), p.dom.now) + 1
	s.v, s.stamp = body, int64(at)
	f.envs[place(p.slots, s)] = env
	p.dom.wakeAt(p.comp.id, at)
	return nil
}

// NotifyAvailable concerns senders only.
func (p *InPort[T]) NotifyAvailable(sim.VTimeInSec) {}

// CanSend returns false: the port receives.
func (p *InPort[T]) CanSend() bool { return false }

// Send panics: the port receives.
func (p *InPort[T]) Send(sim.Msg) *sim.SendError {
	panic("wire: " + p.name + " is an input port and cannot send")
}

// Peek returns Head in its envelope, or nil.
func (p *InPort[T]) Peek() sim.Msg {
	if p.Head() == nil {
		return nil
	}
	return p.env(p.head)
}

// Retrieve pops Head and returns it in its envelope, or nil.
func (p *InPort[T]) Retrieve(sim.VTimeInSec) sim.Msg {
	msg := p.Peek()
	if msg != nil {
		p.Pop()
	}
	return msg
}

// place returns the index of a place in its ring.
func place[T any](ring []slot[T], s *slot[T]) int {
	for i := range ring {
		if &ring[i] == s {
			return i
		}
	}
	panic("wire: a place of another ring")
}

// env returns the envelope of the message in s.
func (p *InPort[T]) env(s *slot[T]) *Env[T] { return p.wrap(place(p.slots, s), &s.v, Cycle(s.stamp)) }

// wrap returns the envelope of the message in place i of the ring, visible from cycle at on. v is the message.
func (p *InPort[T]) wrap(i int, v *T, at Cycle) *Env[T] {
	f := p.face()
	if f.envs[i] == nil {
		seen := edge{at, p.dom.hz}.seconds()
		sent, src := seen, sim.Port(p)
		if p.src != nil {
			sent -= edge{p.src.latency, p.src.dom.hz}.seconds()
			src = p.src.port
		}
		f.envs[i] = newEnv(*v, src, p, sent, seen)
	}
	return f.envs[i]
}

// observe invokes the hooks for messages that became visible in this cycle.
func (p *InPort[T]) observe() {
	f := p.akita
	s := p.head
	for range f.told {
		s = s.next
	}
	for n := p.Len(); f.told < n; f.told++ {
		if f.hooks.NumHooks() > 0 || f.linkEnd != nil {
			p.invokeHooks(sim.HookPosPortMsgRecvd, p.env(s))
		}
		if f.linkEnd != nil {
			f.linkEnd.InvokeHook(sim.HookCtx{Domain: p.src.link, Pos: sim.HookPosConnDeliver, Item: p.env(s)})
		}
		if f.bufHooks.NumHooks() > 0 {
			p.invokeBufferHooks(sim.HookPosBufPush, p.env(s))
		}
		s = s.next
	}
}

func (p *InPort[T]) invokeHooks(pos *sim.HookPos, env *Env[T]) {
	p.akita.hooks.InvokeHook(sim.HookCtx{Domain: p, Pos: pos, Item: env})
}

func (p *InPort[T]) invokeBufferHooks(pos *sim.HookPos, env *Env[T]) {
	p.akita.bufHooks.InvokeHook(sim.HookCtx{Domain: p.buffer, Pos: pos, Item: env})
}

// popWatched is Pop with a listener, an Akita hook or an Akita connection.
func (p *InPort[T]) popWatched() {
	if p.onPop != nil {
		p.onPop(p.dom.now, &p.head.v)
	}
	f := p.akita
	if f == nil {
		p.pop()
		return
	}
	if f.told == 0 {
		p.observe()
	}
	if f.hooks.NumHooks() > 0 || f.bufHooks.NumHooks() > 0 {
		p.env(p.head)
	}
	i := place(p.slots, p.head)
	env := f.envs[i]
	p.pop()
	f.told--
	if f.hooks.NumHooks() > 0 {
		p.invokeHooks(sim.HookPosPortMsgRetrieve, env)
	}
	if f.bufHooks.NumHooks() > 0 {
		p.invokeBufferHooks(sim.HookPosBufPop, env)
	}
	f.envs[i] = nil
	if f.refused {
		f.refused = false
		f.conn.NotifyAvailable(p.dom.Time(), f.plug)
	}
}

// Buffer returns the port as a sim.Buffer.
func (p *InPort[T]) Buffer() sim.Buffer { return p.buffer }
