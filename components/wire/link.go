package wire

import "github.com/sarchlab/akita/v3/sim"

// Link is the connection made by Connect between two ports. It is a sim.Connection for observers using Akita;
// blocks never use it.
type Link[T any] struct {
	sim.HookableBase
	out *OutPort[T]
	in  *InPort[T]
}

// Latency returns the latency in cycles of the sender.
func (l *Link[T]) Latency() Cycle { return l.out.latency }

// Ends returns the two ports.
func (l *Link[T]) Ends() (*OutPort[T], *InPort[T]) { return l.out, l.in }

// AcceptHook attaches an Akita hook. It is invoked when a message starts and when it is delivered.
func (l *Link[T]) AcceptHook(h sim.Hook) {
	l.HookableBase.AcceptHook(h)
	l.in.face().linkEnd = &l.HookableBase
	l.out.marks.set(watched, true)
	l.in.dom.hooks++
	l.out.dom.hooks++
}

// RemoveHook removes an attached hook.
func (l *Link[T]) RemoveHook(h sim.Hook) {
	removeHook(&l.HookableBase, h, l.in.dom, l.out.dom)
	if l.NumHooks() == 0 && l.in.akita != nil {
		l.in.akita.linkEnd = nil
		l.in.unface()
	}
	l.out.unwatch()
}

// Held returns the messages held by the receiver; see InPort.Held.
func (l *Link[T]) Held() (visible, onLink []sim.Msg) { return l.in.Held() }

// CanSend reports whether the sender can put a message.
func (l *Link[T]) CanSend(sim.Port) bool { return l.out.CanPut() }

// Send puts a message.
func (l *Link[T]) Send(msg sim.Msg) *sim.SendError { return l.out.Send(msg) }

// PlugIn panics: Connect has plugged in both ends.
func (l *Link[T]) PlugIn(p sim.Port, _ int) {
	panic("wire: " + p.Name() + " cannot be plugged into the link from " + l.out.name + ", which has both its ends")
}

// Unplug panics: hardware stays as it is built.
func (l *Link[T]) Unplug(p sim.Port) {
	panic("wire: " + p.Name() + " cannot be unplugged from the link from " + l.out.name)
}

// NotifyAvailable wakes the sender.
func (l *Link[T]) NotifyAvailable(now sim.VTimeInSec, _ sim.Port) { l.out.NotifyAvailable(now) }
