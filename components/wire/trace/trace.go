// Package trace shows the messages of blocks as tasks to Akita's tracers, so that Daisen and similar tools can draw
// any block without tracing code in the block.
//
// It is separate from package wire because Akita's tracing imports database drivers, unneeded by a simulation
// without traces.
package trace

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"
)

// Kinds of tasks, with the names expected by the figures of Daisen's dashboard.
const (
	OnLink  = "req_out" // from the put of a message until it is visible, at the sender
	InQueue = "req_in"  // from then until it is popped, at the receiver
)

// Block is a component of package wire.
type Block interface {
	sim.Component
	RemoveHook(sim.Hook)
	InvokeHook(sim.HookCtx)
}

// connected is an output port of package wire.
type connected interface {
	Connection() sim.Connection
}

// hookable is a block, port or link of package wire.
type hookable interface {
	sim.Hookable
	RemoveHook(sim.Hook)
}

// holder is an input port or a link of package wire.
type holder interface {
	hookable
	Held() (visible, onLink []sim.Msg)
}

// Clock is the clock read by a tracer. It shows the simulation's time. While a late tracer is notified of an older
// message, it shows the time of the message.
type Clock struct {
	sim.TimeTeller
	past    sim.VTimeInSec
	replays bool
}

// CurrentTime implements sim.TimeTeller.
func (c *Clock) CurrentTime() sim.VTimeInSec {
	if c.replays {
		return c.past
	}
	return c.TimeTeller.CurrentTime()
}

// then notifies a hook of an event at a past time.
func (c *Clock) then(at sim.VTimeInSec, h *hook, ctx sim.HookCtx) {
	c.past, c.replays = at, true
	h.Func(ctx)
	c.replays = false
}

// Messages lets a tracer collect tasks: one for each sent message of the block, and one for each message in a queue
// of the block. Messages now in flight are included. The tracer must read the clock. A message's two tasks are
// parent and child when both ends are traced. The returned function removes the tracer.
func Messages(b Block, tracer tracing.Tracer, clock *Clock) (end func()) {
	tracing.CollectTrace(b, tracer)
	hooks := b.Hooks()
	ends := []func(){func() { b.RemoveHook(hooks[len(hooks)-1]) }}
	h := &hook{block: b}
	attach := func(x hookable) {
		x.AcceptHook(h)
		ends = append(ends, func() { x.RemoveHook(h) })
	}
	for _, p := range b.Ports() {
		attach(p.(hookable))
		if in, ok := p.(holder); ok {
			visible, _ := in.Held()
			for _, m := range visible {
				clock.then(m.Meta().RecvTime, h, sim.HookCtx{Pos: sim.HookPosPortMsgRecvd, Item: m})
			}
		}
		out, ok := p.(connected)
		if !ok || out.Connection() == nil {
			continue
		}
		link := out.Connection().(holder)
		attach(link)
		_, onLink := link.Held()
		for _, m := range onLink {
			clock.then(m.Meta().SendTime, h, sim.HookCtx{Pos: sim.HookPosPortMsgSend, Item: m})
		}
	}
	return func() {
		for _, f := range ends {
			f()
		}
	}
}

// hook turns puts, deliveries and pops of messages into starts and ends of tasks.
type hook struct{ block Block }

// Func is called for each message put, delivered or popped.
func (h *hook) Func(ctx sim.HookCtx) {
	msg, ok := ctx.Item.(sim.Msg)
	if !ok {
		return
	}
	m := msg.Meta()
	link := m.ID + "@link"
	switch ctx.Pos {
	case sim.HookPosPortMsgSend:
		tracing.StartTask(link, "", h.block, OnLink, what(msg), msg)
	case sim.HookPosConnDeliver:
		tracing.EndTask(link, h.block)
	case sim.HookPosPortMsgRecvd:
		tracing.StartTask(tracing.MsgIDAtReceiver(msg, h.block), link, h.block, InQueue, what(msg), msg)
	case sim.HookPosPortMsgRetrieve:
		tracing.EndTask(tracing.MsgIDAtReceiver(msg, h.block), h.block)
	}
}

// what returns the type of the message's body, or of a stock message.
func what(msg sim.Msg) string {
	v := reflect.Indirect(reflect.ValueOf(msg))
	if body := v.FieldByName("Body"); body.IsValid() {
		return strings.TrimPrefix(body.Type().String(), "*")
	}
	return fmt.Sprintf("%T", msg)
}
