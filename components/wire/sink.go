package wire

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/sarchlab/akita/v3/sim"
)

// Sink is an input port as seen by Akita and by observers of the whole machine: a sim.Port with its messages in
// envelopes.
type Sink struct {
	q       *queue
	port    taker
	typed   typed      // nil without a link and without a stock component
	filler  filler     // nil without a stock component
	message any        // a nil pointer to a message
	buffer  sim.Buffer // the port itself: Akita finds a buffer among a port's own fields only
	akita   *inFace    // nil: no Akita hook or connection
}

// taker is an InPort.
type taker interface {
	Len() int
	Pop()
}

func (s *Sink) init(q *queue, p taker, message any) {
	*s = Sink{q: q, port: p, message: message}
	s.buffer = (*portBuffer)(s)
}

// SetBehind makes the capacity the one behind the link, in messages. Connect adds capacity for the messages on the
// link, whatever the latency, so a stream of one message per cycle needs a capacity of 1.
func (s *Sink) SetBehind() { s.q.behind = true }

// Name returns the name of the port: the component's name, a dot, and the port's own.
func (s *Sink) Name() string { return s.q.name }

// Capacity returns the capacity in messages, including those on the link.
func (s *Sink) Capacity() int { return s.q.size }

// MessageType returns the Go type of the port's messages.
func (s *Sink) MessageType() string { return reflect.TypeOf(s.message).Elem().String() }

// inFace is the state of an input port that Akita has a hook or a connection at. A port without either has none, so
// that it pays nothing for it.
type inFace struct {
	hooks    sim.HookableBase
	bufHooks sim.HookableBase
	linkEnd  *sim.HookableBase // hooks of the link
	envs     []sim.Msg         // by place in the ring
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
func (s *Sink) face() *inFace {
	if s.akita == nil {
		s.akita = &inFace{envs: make([]sim.Msg, s.q.size), told: s.port.Len()}
		s.q.marks.set(watched, true)
		s.q.dom.observers = append(s.q.dom.observers, s)
	}
	return s.akita
}

// AcceptHook attaches an Akita hook to the port. It is invoked for each message when it becomes visible and when it
// is popped.
func (s *Sink) AcceptHook(h sim.Hook) {
	s.face().hooks.AcceptHook(h)
	s.q.dom.hooks++
}

// RemoveHook removes an attached hook.
func (s *Sink) RemoveHook(h sim.Hook) {
	if s.akita != nil {
		removeHook(&s.akita.hooks, h, s.q.dom)
		s.unface()
	}
}

// unface returns the port to the fast path if no hook or connection is left.
func (s *Sink) unface() {
	f := s.akita
	if f.hooks.NumHooks() > 0 || f.bufHooks.NumHooks() > 0 || f.linkEnd != nil || f.conn != nil {
		return
	}
	s.akita = nil
	s.q.marks.set(watched, s.q.onPop != nil)
	s.q.dom.observers = slices.DeleteFunc(s.q.dom.observers, func(o observer) bool { return o == observer(s) })
}

// Held returns the envelopes of the visible messages, and of the messages on the link, each the oldest first. A
// hook must be attached.
func (s *Sink) Held() (visible, onLink []sim.Msg) {
	n := s.port.Len()
	for k := range s.held() {
		if m := s.env(k); k < n {
			visible = append(visible, m)
		} else {
			onLink = append(onLink, m)
		}
	}
	return visible, onLink
}

// held returns the number of messages, including those still on the link.
func (s *Sink) held() int {
	if s.typed == nil {
		return 0
	}
	for k := range s.q.size {
		if _, _, at := s.typed.message(k); at == 0 {
			return k
		}
	}
	return s.q.size
}

// NumHooks returns the number of hooks attached.
func (s *Sink) NumHooks() int { return len(s.Hooks()) }

// Hooks returns the hooks attached.
func (s *Sink) Hooks() []sim.Hook {
	if s.akita == nil {
		return nil
	}
	return s.akita.hooks.Hooks()
}

// Component returns the owner of the port.
func (s *Sink) Component() sim.Component { return s.q.comp.self }

// SetConnection is called by an Akita connection when the port is plugged in by PlugIn. It panics for another port.
func (s *Sink) SetConnection(conn sim.Connection) {
	s.mustAccept()
	s.plugIn(conn, s)
}

func (s *Sink) mustAccept() {
	if s.filler == nil {
		panic("wire: " + s.q.name + " cannot be plugged into an Akita connection: use PlugIn or NewSocket")
	}
}

func (s *Sink) plugIn(conn sim.Connection, plug sim.Port) {
	if s.q.src != nil {
		panic(fmt.Sprintf("wire: %s has a sender already, %s", s.q.name, s.q.src.name))
	}
	f := s.face()
	if f.conn != nil {
		panic(fmt.Sprintf("wire: %s has an Akita connection already", s.q.name))
	}
	f.conn, f.plug = conn, plug
}

// Recv receives a message from an Akita connection. The message is visible from the first clock edge after its time of
// delivery on.
func (s *Sink) Recv(msg sim.Msg) *sim.SendError {
	s.mustAccept()
	f, q := s.face(), s.q
	if s.held() == q.size {
		f.refused = true
		return sim.NewSendError()
	}
	at := max(lastEdgeAt(msg.Meta().RecvTime, q.dom.hz), q.dom.now) + 1
	f.envs[s.filler.fill(msg, at)] = msg
	q.dom.wakeAt(q.comp.id, at)
	return nil
}

// NotifyAvailable concerns senders only.
func (s *Sink) NotifyAvailable(sim.VTimeInSec) {}

// CanSend returns false: the port receives.
func (s *Sink) CanSend() bool { return false }

// Send panics: the port receives.
func (s *Sink) Send(sim.Msg) *sim.SendError {
	panic("wire: " + s.q.name + " is an input port and cannot send")
}

// Peek returns Head in its envelope, or nil.
func (s *Sink) Peek() sim.Msg {
	if s.port.Len() == 0 {
		return nil
	}
	return s.env(0)
}

// Retrieve pops Head and returns it in its envelope, or nil.
func (s *Sink) Retrieve(sim.VTimeInSec) sim.Msg {
	msg := s.Peek()
	if msg != nil {
		s.port.Pop()
	}
	return msg
}

// env returns the envelope of the message k places behind the oldest one.
func (s *Sink) env(k int) sim.Msg { return s.wrap(s.typed.message(k)) }

// wrap returns the envelope of a message in a place of the ring, visible from cycle at on.
func (s *Sink) wrap(message any, place int, at Cycle) sim.Msg {
	f, q := s.face(), s.q
	if f.envs[place] == nil {
		env := s.typed.wrap(message)
		seen := edge{at, q.dom.hz}.seconds()
		sent, src := seen, sim.Port(s)
		if q.src != nil {
			sent -= edge{q.src.latency, q.src.dom.hz}.seconds()
			src = &q.src.source
		}
		address(env, message, src, s, sent, seen)
		f.envs[place] = env
	}
	return f.envs[place]
}

// observe invokes the hooks for messages that became visible in this cycle.
func (s *Sink) observe() {
	f := s.akita
	for n := s.port.Len(); f.told < n; f.told++ {
		if f.hooks.NumHooks() > 0 {
			s.invokeHooks(sim.HookPosPortMsgRecvd, s.env(f.told))
		}
		if f.linkEnd != nil {
			f.linkEnd.InvokeHook(sim.HookCtx{Domain: s.q.src.link, Pos: sim.HookPosConnDeliver, Item: s.env(f.told)})
		}
		if f.bufHooks.NumHooks() > 0 {
			s.invokeBufferHooks(sim.HookPosBufPush, s.env(f.told))
		}
	}
}

func (s *Sink) invokeHooks(pos *sim.HookPos, env sim.Msg) {
	s.akita.hooks.InvokeHook(sim.HookCtx{Domain: s, Pos: pos, Item: env})
}

func (s *Sink) invokeBufferHooks(pos *sim.HookPos, env sim.Msg) {
	s.akita.bufHooks.InvokeHook(sim.HookCtx{Domain: s.buffer, Pos: pos, Item: env})
}

// pop is InPort.Pop with a listener, an Akita hook or an Akita connection.
func (s *Sink) pop() {
	if s.q.onPop != nil {
		s.q.onPop()
	}
	f := s.akita
	if f == nil {
		s.popUnobserved()
		return
	}
	if f.told == 0 {
		s.observe()
	}
	if f.hooks.NumHooks() > 0 || f.bufHooks.NumHooks() > 0 {
		s.env(0)
	}
	_, place, _ := s.typed.message(0)
	env := f.envs[place]
	s.popUnobserved()
	f.told--
	s.invokeHooks(sim.HookPosPortMsgRetrieve, env)
	s.invokeBufferHooks(sim.HookPosBufPop, env)
	f.envs[place] = nil
	if f.refused {
		f.refused = false
		f.conn.NotifyAvailable(s.q.dom.Time(), f.plug)
	}
}

// popUnobserved pops the oldest message by InPort.Pop, which calls pop only while the port is watched.
func (s *Sink) popUnobserved() {
	s.q.marks.set(watched, false)
	s.port.Pop()
	s.q.marks.set(watched, true)
}

// Buffer returns the port as a sim.Buffer.
func (s *Sink) Buffer() sim.Buffer { return s.buffer }
