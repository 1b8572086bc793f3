package switching

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// contexts moves the contexts of the warps of a CTA through shared memory, where those of
// CTAs without slots lie.
type contexts struct {
	Save  wire.OutPort[req.WarpContext] // to shared memory
	Saved wire.InPort[req.WarpContext]  // from shared memory
	Back  []wire.OutPort[Context]       // to each scheduler: contexts that have come

	bytes  uint32      // of a context; 0: they move in no time, and nothing is sent
	of     [][]Context // by CTA: of its warps that had not ended when it gave up its slots
	toSend []Context   // that are still to go
	toHear int         // that have not been answered
}

func (c *contexts) init(p *wire.Comp, bytes, ctas, schedulers int) {
	c.bytes, c.of = uint32(bytes), make([][]Context, ctas)
	c.Save.Init(p, "Save")
	c.Saved.Init(p, "Saved", 4)
	c.Back = make([]wire.OutPort[Context], schedulers)
	for i := range c.Back {
		c.Back[i].Init(p, fmt.Sprintf("Back[%d]", i))
	}
}

// forget empties the list of a CTA that is to give up its slots.
func (c *contexts) forget(cta int) { c.of[cta] = c.of[cta][:0] }

// begin begins to move the contexts of a CTA, or of none.
func (c *contexts) begin(cta int) {
	c.toSend, c.toHear = nil, 0
	if cta >= 0 && c.bytes > 0 {
		c.toSend, c.toHear = c.of[cta], len(c.of[cta])
	}
}

// moving sends contexts. It reports whether some have not arrived.
func (c *contexts) moving(out bool) bool {
	for len(c.toSend) > 0 && c.Save.CanPut() {
		x := c.toSend[0]
		m := req.WarpContext{Bytes: c.bytes, Warp: x.Warp, Out: out}
		if out {
			m.Predicates = x.Predicates
		}
		c.Save.Put(m)
		c.toSend = c.toSend[1:]
	}
	return c.toHear > 0
}

// hear takes answers. A context that has come goes to the scheduler of its warp.
func (c *contexts) hear() {
	for m := c.Saved.Head(); m != nil; m = c.Saved.Head() {
		if !m.Out {
			back := &c.Back[int(m.Warp)%len(c.Back)]
			if !back.CanPut() {
				return
			}
			back.Put(Context{Warp: m.Warp, Predicates: m.Predicates})
		}
		c.toHear--
		c.Saved.Pop()
	}
}
