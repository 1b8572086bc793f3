package switching

import (
	"fmt"

	"kumiko/components/wire"
	"kumiko/memsys/req"
)

// contexts moves the contexts of CTAs between schedulers and shared memory, the home of the contexts of CTAs
// without slots. Shared memory serves contexts in the order of sending. So a later load of a context need not
// wait for the answer to its save.
type contexts struct {
	Save  wire.OutPort[req.WarpContext] // to shared memory
	Saved wire.InPort[req.WarpContext]  // from shared memory
	Back  []wire.OutPort[Context]       // to each scheduler: loaded contexts

	bytes uint32            // of a context; 0: they move in no time, and nothing is sent
	of    [][]Context       `row:"Switcher: contexts in shared memory"` // by CTA: of its unfinished warps when it gave up its slots
	queue []req.WarpContext `bits:"type" room:"512"`
	sent  int               // of queue
	loads []int             `bits:"6"` // by CTA: contexts on their way from shared memory, or queued for it
}

func (c *contexts) init(p *wire.Comp, bytes, ctas, schedulers int) {
	c.bytes, c.of, c.loads = uint32(bytes), make([][]Context, ctas), make([]int, ctas)
	c.Save.Init(p, "Save")
	c.Saved.Init(p, "Saved", 2).SetBehind()
	c.Back = make([]wire.OutPort[Context], schedulers)
	for i := range c.Back {
		c.Back[i].Init(p, fmt.Sprintf("Back[%d]", i))
	}
}

// forget empties the list of a CTA about to give up its slots.
func (c *contexts) forget(cta int) { c.of[cta] = c.of[cta][:0] }

// move queues the contexts of a CTA, out to shared memory or back.
func (c *contexts) move(cta int, out bool) {
	if c.bytes == 0 {
		return
	}
	if c.sent == len(c.queue) {
		c.queue, c.sent = c.queue[:0], 0
	}
	for _, x := range c.of[cta] {
		m := req.WarpContext{Bytes: c.bytes, CTA: uint16(cta), Warp: x.Warp, Out: out}
		if out {
			m.Predicates = x.Predicates
		} else {
			c.loads[cta]++
		}
		c.queue = append(c.queue, m)
	}
}

// send sends the queued contexts as far as there is room.
func (c *contexts) send() {
	for c.sent < len(c.queue) && c.Save.CanPut() {
		c.Save.Put(c.queue[c.sent])
		c.sent++
	}
}

// receive receives answers. It sends a loaded context to the scheduler of its warp.
func (c *contexts) receive() {
	for m := c.Saved.Head(); m != nil; m = c.Saved.Head() {
		if !m.Out {
			back := &c.Back[int(m.Warp)%len(c.Back)]
			if !back.CanPut() {
				return
			}
			back.Put(Context{Warp: m.Warp, Predicates: m.Predicates})
			c.loads[m.CTA]--
		}
		c.Saved.Pop()
	}
}
