package memqueue

import (
	"fmt"

	"kumiko/components/cause"
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// Grants passes one operation every few cycles from the sub-cores' queues to the load/store unit,
// round robin. The registers returned by a load take their own cycles (Path.Register), and so do stores and atomic
// operations (Path.Store).
type Grants struct {
	wire.Comp

	In   []wire.InPort[op.Op]     // from each queue
	Out  wire.OutPort[op.Op]      // to the load/store unit
	Left []wire.OutPort[op.Taken] // to each scheduler

	spec     *Spec
	interval wire.Cycle
	next     wire.Cycle // when an operation may be taken
	last     int
}

// NewGrants builds the grants before the load/store unit of an SM.
func NewGrants(name string, d *wire.Domain, s *Spec, queues int) *Grants {
	g := &Grants{In: make([]wire.InPort[op.Op], queues), Left: make([]wire.OutPort[op.Taken], queues),
		spec: s, interval: wire.Cycle(s.Interval), last: queues - 1}
	g.Init(name, d, g)
	for i := range g.In {
		g.In[i].Init(&g.Comp, fmt.Sprintf("In[%d]", i), 2)
		g.Left[i].Init(&g.Comp, fmt.Sprintf("Left[%d]", i))
	}
	g.Out.Init(&g.Comp, "Out")
	return g
}

// Tick grants an operation if one is due.
func (g *Grants) Tick(now wire.Cycle) bool {
	if now >= g.next && g.Out.CanPut() {
		g.grant(now)
	}
	for i := range g.In {
		if g.In[i].Head() == nil {
			continue
		}
		if g.Out.CanPut() {
			g.Holds(cause.LoadStore)
			g.WakeAt(max(g.next, now+1))
		} else {
			g.Out.Held()
		}
		break
	}
	return false
}

// grant accepts an operation of the next non-empty queue.
func (g *Grants) grant(now wire.Cycle) {
	for k := range g.In {
		i := (g.last + 1 + k) % len(g.In)
		o := g.In[i].Head()
		if o == nil || !g.Left[i].CanPut() {
			continue
		}
		held := g.held(&o.Inst.T)
		g.Left[i].Put(op.Taken{Unit: o.Unit})
		*g.Out.Slot() = *o
		g.Out.PutSlot()
		g.In[i].Pop()
		g.last, g.next = i, now+held
		return
	}
}

// held returns the cycles for which the load/store unit takes no other operation behind one.
func (g *Grants) held(t *ir.Timing) wire.Cycle {
	p := g.spec.path(t)
	held := max(g.interval, wire.Cycle(int(t.NDst)*p.Register))
	if writes(t) {
		held = max(held, wire.Cycle(p.Store))
	}
	return held
}

// Waiting reports how many operations wait.
func (g *Grants) Waiting() string {
	n := 0
	for i := range g.In {
		n += g.In[i].Len()
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d memory operations wait for the load/store unit", n)
}
