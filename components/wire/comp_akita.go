package wire

import (
	"fmt"
	"strings"

	"github.com/sarchlab/akita/v3/sim"
)

// compFace implements sim.Component for a component.
type compFace struct {
	self  sim.Component // the embedding block
	ports []namedPort
	sim.HookableBase
}

type namedPort struct {
	name string
	port sim.Port
}

// AcceptHook attaches an Akita hook, such as a tracer's.
func (c *Comp) AcceptHook(h sim.Hook) {
	c.HookableBase.AcceptHook(h)
	c.dom.hooks++
}

// RemoveHook removes an attached hook.
func (c *Comp) RemoveHook(h sim.Hook) { removeHook(&c.HookableBase, h, c.dom) }

// AddPort adds a port under a name. Ports of this package add themselves in Init.
func (c *Comp) AddPort(name string, p sim.Port) {
	for _, x := range c.ports {
		if x.name == name {
			panic(fmt.Sprintf("wire: component %s has a port %s already", c.name, name))
		}
	}
	c.ports = append(c.ports, namedPort{name, p})
}

// GetPortByName returns the port of a name, without the component's prefix. It panics if there is none.
func (c *Comp) GetPortByName(name string) sim.Port {
	var have []string
	for _, x := range c.ports {
		if x.name == name {
			return x.port
		}
		have = append(have, x.name)
	}
	panic(fmt.Sprintf("wire: component %s has no port %s, but %s", c.name, name, strings.Join(have, ", ")))
}

// Ports returns the ports in the order of their addition.
func (c *Comp) Ports() []sim.Port {
	ports := make([]sim.Port, len(c.ports))
	for i, x := range c.ports {
		ports[i] = x.port
	}
	return ports
}

// NotifyRecv wakes the component at the first clock edge after now.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.wakeAfter(now) }

// NotifyPortFree wakes the component at the first clock edge after now.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.wakeAfter(now) }

func (c *Comp) wakeAfter(now sim.VTimeInSec) { c.WakeAt(lastEdgeAt(now, c.dom.hz) + 1) }

// Handle makes the component tick at the clock edge of the event's time, or at the first later edge still to come.
func (c *Comp) Handle(e sim.Event) error {
	at := lastEdgeAt(e.Time(), c.dom.hz)
	if (edge{at, c.dom.hz}).seconds() < e.Time() {
		at++
	}
	c.WakeAt(at)
	return nil
}

// TickLater makes the component tick soon. Any goroutine may call it, for example a monitor's: the wake is
// delivered between windows.
func (c *Comp) TickLater(sim.VTimeInSec) { c.dom.mail.post(c.id) }

// TickNow is TickLater.
func (c *Comp) TickNow(now sim.VTimeInSec) { c.TickLater(now) }
