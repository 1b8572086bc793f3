package execute

import (
	"fmt"
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/wire"
)

// Writeback passes the results of the execution units to the register
// file's result ports, one per port and cycle, round robin among the units.
type Writeback struct {
	wire.Comp

	In  []wire.InPort[op.Result]  // from each unit
	Out []wire.OutPort[op.Result] // to each result port of the register file

	next int
	// fixed has the units using all ports but the last (FixFirst).
	fixed uint64

	results   uint64
	conflicts uint64
}

// NewWriteback builds a writeback stage with the given numbers of units and
// register file ports.
func NewWriteback(name string, d *wire.Domain, units, ports int, reg *stats.Registry) *Writeback {
	w := &Writeback{In: make([]wire.InPort[op.Result], units), Out: make([]wire.OutPort[op.Result], ports)}
	w.Init(name, d, w)
	for i := range w.In {
		w.In[i].Init(&w.Comp, fmt.Sprintf("In[%d]", i), 2)
	}
	for i := range w.Out {
		w.Out[i].Init(&w.Comp, fmt.Sprintf("Out[%d]", i))
	}
	reg.Count("sm.writeback.results", stats.Instructions, "results that left the writeback stage", name, &w.results)
	reg.Count("sm.writeback.conflicts", stats.Cycles, "result-cycles spent waiting for a writeback port", name,
		&w.conflicts)
	return w
}

// FixFirst reserves all ports but the last for the results of units of fixed latency, among them this one. Other units
// use the last port only, because control words count on the fixed latency.
func (w *Writeback) FixFirst(unit int) { w.fixed |= 1 << unit }

// Tick passes results on.
func (w *Writeback) Tick(wire.Cycle) bool {
	var ready uint64
	for i := range w.In {
		if w.In[i].Head() != nil {
			ready |= 1 << i
		}
	}
	if ready == 0 {
		return false
	}
	left := ready
	last := len(w.Out) - 1
	for k := 0; k <= last && left != 0; k++ {
		among := left
		if w.fixed != 0 && k < last {
			among &= w.fixed
		} else if w.fixed != 0 {
			among &^= w.fixed
		}
		if among != 0 && w.Out[k].CanPut() {
			left = w.pass(k, among, left)
		}
	}
	if left != 0 {
		w.conflicts += uint64(bits.OnesCount64(left))
		return true
	}
	for ; ready != 0; ready &= ready - 1 {
		if w.In[bits.TrailingZeros64(ready)].Head() != nil {
			return true
		}
	}
	return false
}

// pass passes a result of some units to a port, and returns the units with results left.
func (w *Writeback) pass(k int, among, ready uint64) uint64 {
	pick := among &^ (1<<(w.next&63) - 1)
	if pick == 0 {
		pick = among
	}
	u := bits.TrailingZeros64(pick)
	out := &w.Out[k]
	*out.Slot() = *w.In[u].Take()
	out.PutSlot()
	w.results++
	w.next = (u + 1) & 63
	return ready &^ (pick & -pick)
}

// Waiting reports how many results are held.
func (w *Writeback) Waiting() string {
	n := 0
	for i := range w.In {
		n += w.In[i].Len()
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d results wait for the register file", n)
}
