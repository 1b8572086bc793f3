package wire

import "github.com/sarchlab/akita/v3/sim"

// Link is the connection made by Connect between two ports. It is a sim.Connection for observers using Akita;
// blocks never use it.
type Link struct {
	sim.HookableBase
	out *Source
	in  *Sink
}

// Latency returns the latency in cycles of the sender.
func (l *Link) Latency() Cycle { return l.out.out.latency }

// AcceptHook attaches an Akita hook. It is invoked when a message starts and when it is delivered.
func (l *Link) AcceptHook(h sim.Hook) {
	l.HookableBase.AcceptHook(h)
	l.in.face().linkEnd = &l.HookableBase
	l.out.out.marks.set(watched, true)
	l.in.q.dom.hooks++
	l.out.out.dom.hooks++
}

// RemoveHook removes an attached hook.
func (l *Link) RemoveHook(h sim.Hook) {
	removeHook(&l.HookableBase, h, l.in.q.dom, l.out.out.dom)
	if l.NumHooks() == 0 && l.in.akita != nil {
		l.in.akita.linkEnd = nil
		l.in.unface()
	}
	l.out.unwatch()
}

// Held returns the messages held by the receiver; see Sink.Held.
func (l *Link) Held() (visible, onLink []sim.Msg) { return l.in.Held() }

// CanSend reports whether the sender can put a message.
func (l *Link) CanSend(sim.Port) bool { return l.out.CanSend() }

// Send puts a message.
func (l *Link) Send(msg sim.Msg) *sim.SendError { return l.out.Send(msg) }

// PlugIn panics: Connect has plugged in both ends.
func (l *Link) PlugIn(p sim.Port, _ int) {
	panic("wire: " + p.Name() + " cannot be plugged into the link from " + l.out.out.name + ", which has both its ends")
}

// Unplug panics: hardware stays as it is built.
func (l *Link) Unplug(p sim.Port) {
	panic("wire: " + p.Name() + " cannot be unplugged from the link from " + l.out.out.name)
}

// NotifyAvailable wakes the sender.
func (l *Link) NotifyAvailable(now sim.VTimeInSec, _ sim.Port) { l.out.NotifyAvailable(now) }
