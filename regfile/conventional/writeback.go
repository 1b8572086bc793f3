package conventional

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/bypass"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// writeback receives the results of a sub-core and sends the writes to the banks' arbiter: one result per port and
// cycle, all its destination registers at once. It notifies the scheduler of each result, or the result bus if the
// scheduler was notified earlier.
type writeback struct {
	wire.Comp

	Result []wire.InPort[op.Result]
	Done   []wire.OutPort[op.Done] // by scheduler of the sub-core
	Write  wire.OutPort[bank.Access]
	Bus    wire.OutPort[bypass.Result] // results announced before their arrival; unconnected without a bypass
	Late   wire.OutPort[bank.Access]   // writes of away contexts; unconnected if there never is one

	away *wire.Signal[regfile.WarpSet] // contexts without registers in the banks; nil: none ever

	index *bank.Index
	hint  func(t *ir.Timing, i int) bank.Hint // of destination i, for the extension; nil: none
	sched int                                 // number of the sub-core's first scheduler
	first int                                 // first result port to be served: the first that had to wait

	results uint64
	writes  uint64
	waits   uint64
}

// writeRoom returns the capacity needed by a port connected to Write for a stream of results with two registers
// each, and at least for the result with the most registers.
func writeRoom(ports, forward int) int { return max(2*ports, ir.NumDests) * (forward + 2) }

// writebackSpec is the shape of a write-back stage: its result ports, the schedulers of its sub-core, from number
// first on, and the places of registers.
type writebackSpec struct {
	ports, schedulers, first int
	index                    *bank.Index
}

func newWriteback(name string, d *wire.Domain, s writebackSpec, reg *stats.Registry) *writeback {
	w := &writeback{Result: make([]wire.InPort[op.Result], s.ports),
		Done: make([]wire.OutPort[op.Done], s.schedulers), index: s.index, sched: s.first}
	w.Init(name, d, w)
	for i := range w.Result {
		w.Result[i].Init(&w.Comp, fmt.Sprintf("Result[%d]", i), 2)
	}
	for i := range w.Done {
		w.Done[i].Init(&w.Comp, fmt.Sprintf("Done[%d]", i))
	}
	w.Write.Init(&w.Comp, "Write")
	w.Bus.Init(&w.Comp, "Bus").SetOptional()
	w.Late.Init(&w.Comp, "Late").SetOptional()
	reg.Count("regfile.writeback.results", stats.Instructions, "results that arrived at the register file", name,
		&w.results)
	reg.Count("regfile.writeback.writes", stats.Registers, "destination registers sent to the banks' arbiter", name,
		&w.writes)
	reg.Count("regfile.writeback.waits", stats.Cycles,
		"result-cycles spent waiting for room at the banks' arbiter or at the scheduler", name, &w.waits)
	return w
}

// Tick accepts a result from each port.
func (w *writeback) Tick(wire.Cycle) bool {
	again, lost := false, -1
	p := w.first
	for n := len(w.Result); n > 0; n-- {
		in := &w.Result[p]
		if r := in.Head(); r != nil {
			if w.write(r) {
				in.Pop()
				again = again || in.Head() != nil
			} else {
				w.waits++
				again = true
				if lost < 0 {
					lost = p
				}
			}
		}
		if p++; p == len(w.Result) {
			p = 0
		}
	}
	if lost >= 0 {
		w.first = lost
	}
	return again
}

// write sends the writes of a result and its notice. It returns false, without any effect, if there is no space for
// all of them.
func (w *writeback) write(r *op.Result) bool {
	t := &r.Inst.T
	n := int(t.NDst)
	if r.Exec == 0 {
		n = 0 // no lane is written: no bank is accessed
	}
	out, away := w.portFor(r.Warp)
	if !w.canNotify(r) || n == 1 && !out.CanPut() || n > 1 && out.Room(n) < n {
		return false
	}
	for i, reg := range t.Dst[:n] {
		a := out.Slot()
		a.Content = version.Content{Seq: r.Tag, Lanes: r.Exec}
		if !away {
			a.Bank, a.Entry = w.index.Find(r.Warp, reg)
		}
		a.Tag, a.To, a.Slot, a.Kind, a.Cause = r.Tag, 0, 0, bank.Write, bank.Result
		a.Warp, a.Reg, a.Hint = r.Warp, reg, 0
		if w.hint != nil {
			a.Hint = w.hint(t, i)
		}
		out.PutSlot()
	}
	w.writes += uint64(n)
	w.results++
	w.notify(r)
	return true
}

// portFor returns the port for the writes of a context, and whether its registers are away.
func (w *writeback) portFor(warp uint16) (out *wire.OutPort[bank.Access], away bool) {
	if w.away == nil {
		return &w.Write, false
	}
	if set := w.away.Get(); set.Has(int(warp)) {
		return &w.Late, true
	}
	return &w.Write, false
}

func (w *writeback) canNotify(r *op.Result) bool {
	if r.Announced {
		return w.Bus.CanPut()
	}
	return w.Done[int(r.Sched)-w.sched].CanPut()
}

// notify notifies the scheduler of a readable result. If the scheduler was notified earlier, it sends the result to
// the waiting collectors instead.
func (w *writeback) notify(r *op.Result) {
	if !r.Announced {
		w.Done[int(r.Sched)-w.sched].Put(op.Done{Inst: r.Inst, Tag: r.Tag, Warp: r.Warp})
		return
	}
	m := w.Bus.Slot()
	*m = bypass.Result{Content: version.Content{Seq: r.Tag, Lanes: r.Exec}, Inst: r.Inst, Tag: r.Tag, Warp: r.Warp}
	w.Bus.PutSlot()
}

// Waiting reports the number of waiting results.
func (w *writeback) Waiting() string {
	n := 0
	for i := range w.Result {
		n += w.Result[i].Len()
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d results wait to be written", n)
}
