// Package trace shows the messages of blocks as tasks to Akita's tracers, so
// that Daisen and the like can draw any block without a line of tracing in it.
//
// It stands beside package wire because Akita's tracing pulls in database
// drivers that a simulation without traces has no need of.
package trace

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"
)

// Kinds of tasks, by the names that the figures of Daisen's dashboard look for.
const (
	OnLink  = "req_out" // from the put of a message until it is visible, at the sender
	InQueue = "req_in"  // from then until it is popped, at the receiver
)

// Block is a component of package wire.
type Block interface {
	sim.Component
	InvokeHook(sim.HookCtx)
}

// connected is an output port of package wire.
type connected interface {
	Connection() sim.Connection
}

// Messages lets a tracer collect a task for each message that the block sends
// and for each that waits at the block. A message's two tasks are parent and
// child when both ends are traced.
func Messages(b Block, tracer tracing.Tracer) {
	tracing.CollectTrace(b, tracer)
	h := &hook{block: b}
	for _, p := range b.Ports() {
		p.AcceptHook(h)
		if out, ok := p.(connected); ok {
			if conn := out.Connection(); conn != nil {
				conn.AcceptHook(h)
			}
		}
	}
}

// hook turns what happens to messages into starts and ends of tasks.
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

// what is the type of the message's body, or of a stock message.
func what(msg sim.Msg) string {
	v := reflect.Indirect(reflect.ValueOf(msg))
	if body := v.FieldByName("Body"); body.IsValid() {
		return strings.TrimPrefix(body.Type().String(), "*")
	}
	return fmt.Sprintf("%T", msg)
}
