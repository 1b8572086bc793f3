package wire

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"
)

// Comp is embedded by every component. It holds the component's name and clock domain, and wakes it. It must not be
// copied after Init.
type Comp struct {
	dom   *Domain
	id    int32
	group *group
	name  string
	compFace
	obstacle obstacle `soft:"statistics"`
}

// Block is a component as seen by clock domains. A block embeds a Comp and has a Tick. No method or field of the
// block may hide a method of sim.Component, such as Ports: the monitor, traces and drawings would not see the
// block.
type Block interface {
	Tickable
	sim.Component
}

// Init names the component, registers its block with a clock domain and
// wakes it for the next cycle. Names follow Akita's rules: dot-separated
// CamelCase tokens with indices in brackets, such as "GPU.SM[3].Bank[0]".
func (c *Comp) Init(name string, d *Domain, b Block) {
	if c.dom != nil {
		panic(fmt.Sprintf("wire: component %s is initialised again, as %s", c.name, name))
	}
	c.name = name
	c.dom = d
	c.self = b
	c.id = d.add(name, b)
	c.group = d.group(c.id)
}

func (c *Comp) mustBeInit(what, name string) {
	if c == nil || c.dom == nil {
		panic(fmt.Sprintf("wire: %s %s is initialised before its component", what, name))
	}
}

// Name returns the name of the component.
func (c *Comp) Name() string { return c.name }

// Domain returns the clock domain of the component.
func (c *Comp) Domain() *Domain { return c.dom }

// Now returns the current cycle of the component's domain.
func (c *Comp) Now() Cycle { return c.dom.now }

// Wake makes the component tick in the next cycle.
func (c *Comp) Wake() { c.group.soon |= 1 << (c.id % wheelSpan) }

// WakeAt makes the component tick at cycle t, or in the next cycle if t is not
// in the future.
func (c *Comp) WakeAt(t Cycle) { c.dom.wakeAt(c.id, t) }

// Progress reports useful work without a message to the watchdog.
func (c *Comp) Progress() { c.dom.moves++ }
