package subcore

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// Results is the write side of a sub-core's banks: the ports on which results arrive, a queue before the write port
// of each bank, and the port notifying the scheduler of results.
type Results struct {
	In   []wire.InPort[op.Result]
	Done wire.OutPort[op.Done]

	spec  ResultSpec
	index *bank.Index
	check *version.Checker    // nil unless checking
	store [][]version.Content // by bank and entry; nil unless checking
	load  []int               `bits:"6"` // by bank: registers in its queue
	ready []int               `bits:"6"` // by bank: those with their value there
	wait  int                 // sum of ready
	first int                 // first result port to be served: the first that had to wait
	table *Timetable          // nil: results wait for each other, and readers wait for Done

	ring    []write `bits:"type"` // registers with values still to come, a ring in the order of arrival
	head, n int

	waits uint64
	banks []struct{ writes, groups uint64 } `soft:"statistics"`
}

// ResultSpec configures the result queues.
type ResultSpec struct {
	Banks   int
	Queue   int // capacity of a bank's queue, in registers, including those not yet due
	Forward int // cycles from a result's arrival to its value
	// Late has the timing classes whose results stay out of the queues. Such a result waits until no other is
	// queued before any of its banks, and no result of another class comes at the same time.
	Late  *[ir.NumClasses]bool
	Ports int // result ports
	// Halves are the cycles by which the lower word of a product of two words is there before the upper one, at most
	// Forward.
	Halves int
	// Kind, if not nil, returns the kind of arithmetic of an instruction, for the delays of readers.
	Kind func(in *ir.Inst) uint8
}

// write is a register to be written.
type write struct {
	content version.Content
	at      wire.Cycle // when its value is there
	entry   uint32
	bank    uint8
	early   uint8 // cycles by which a bypass has it earlier
	kind    uint8 `soft:"checker"` // of the arithmetic
}

// ByTimetable makes results of fixed latency, arriving on all ports but the last, be written as reserved in the
// timetable.
func (r *Results) ByTimetable(t *Timetable) { r.table = t }

// Init makes the results of a block. check is the checker of register versions, or nil.
func (r *Results) Init(c *wire.Comp, s ResultSpec, index *bank.Index, check *version.Checker) {
	r.spec, r.index = s, index
	r.load, r.ready, r.ring = make([]int, s.Banks), make([]int, s.Banks), make([]write, s.Banks*s.Queue)
	r.banks = make([]struct{ writes, groups uint64 }, s.Banks)
	r.check = check
	if check != nil {
		for range s.Banks {
			r.store = append(r.store, make([]version.Content, index.Entries()))
		}
	}
	r.In = make([]wire.InPort[op.Result], s.Ports)
	for i := range r.In {
		r.In[i].Init(c, fmt.Sprintf("Result[%d]", i), 2)
	}
	r.Done.Init(c, "Done")
}

// register registers the block's result counters under a design's name, and its banks' write counters under the
// given names of the banks.
func (r *Results) register(design, block string, bankName func(b int) string, reg *stats.Registry) {
	reg.Count("regfile."+design+".result_waits", stats.Cycles,
		"result-cycles spent waiting for room in a result queue or at the scheduler", block, &r.waits)
	for b := range r.banks {
		reg.Count("regfile.bank.writes."+bank.Result.String(), stats.Accesses,
			"warp registers written to banks, cause: result", bankName(b), &r.banks[b].writes)
		reg.Count("regfile.bank.group_writes", stats.Accesses,
			"128-bit groups of four lanes written to banks: those with an active lane", bankName(b), &r.banks[b].groups)
	}
}

// Holds returns the content of a register, if there is a checker. A result counts as written if its value is due by the
// cycle of the last Tick.
func (r *Results) Holds(warp uint16, reg ir.RegID) version.Content {
	b, e := r.index.Find(warp, reg)
	return r.store[b][e]
}

// HoldsAt returns the content of a register as a reader finds it in a cycle that is not before the last Tick. later
// has, by kind of arithmetic, how many cycles later than other readers this one gets results; nil: not later.
func (r *Results) HoldsAt(warp uint16, reg ir.RegID, at wire.Cycle, later []wire.Cycle) version.Content {
	b, e := r.index.Find(warp, reg)
	c := r.store[b][e]
	for i := range r.n {
		w := &r.ring[(r.head+i)%len(r.ring)]
		due := w.at
		if later != nil {
			due += later[w.kind]
		}
		if due <= at+wire.Cycle(w.early) && int(w.bank) == int(b) && w.entry == e {
			c = c.Overlay(w.content)
		}
	}
	return c
}

// Queued returns the number of waiting registers and results.
func (r *Results) Queued() int {
	n := r.n + r.wait
	for p := range r.In {
		n += r.In[p].Len()
	}
	return n
}

// Tick accepts results, and lets each bank write one register. It returns true if there is more to do.
func (r *Results) Tick(now wire.Cycle) (again bool) {
	lost := -1
	switch {
	case r.table != nil:
		again = r.takeTimed(now)
	case r.spec.Late == nil:
		again, lost = r.take(now, lost)
	default:
		again, lost = r.takeBut(now, false, lost)
		more := false
		more, lost = r.takeBut(now, true, lost)
		again = again || more
	}
	if lost >= 0 {
		r.first = lost
	}
	r.settle(now)
	if r.wait > 0 {
		r.serve()
	}
	return again || r.n > 0 || r.wait > 0
}

// takeTimed accepts a result from each port. A result of variable latency, on the last port, is accepted only if
// the timetable has space for it.
func (r *Results) takeTimed(now wire.Cycle) (again bool) {
	r.table.pass(now)
	last := len(r.In) - 1
	for p := range r.In[:last] {
		if m := r.In[p].Head(); m != nil {
			if r.accept(m, now) {
				r.In[p].Pop()
			} else {
				r.waits++
			}
			again = again || r.In[p].Head() != nil
		}
	}
	in := &r.In[last]
	if m := in.Head(); m != nil {
		if r.Done.CanPut() && r.table.late(m, now) && r.accept(m, now) {
			in.Pop()
		} else {
			r.waits++
		}
		again = again || in.Head() != nil
	}
	return again
}

// take accepts a result from each port.
func (r *Results) take(now wire.Cycle, lost int) (bool, int) {
	again := false
	p := r.first
	for range r.In {
		if r.In[p].Head() != nil {
			again, lost = r.acceptFrom(p, now, again, lost)
		}
		if p++; p == len(r.In) {
			p = 0
		}
	}
	return again, lost
}

// takeBut accepts a result from each port whose head is of a late class, or, with late false, of another class.
func (r *Results) takeBut(now wire.Cycle, late bool, lost int) (bool, int) {
	again := false
	p := r.first
	for range r.In {
		if m := r.In[p].Head(); m != nil && r.spec.Late[m.Inst.T.Class] == late {
			if late && r.busy(m, now) {
				r.waits++
				again = true
				if lost < 0 {
					lost = p
				}
			} else {
				again, lost = r.acceptFrom(p, now, again, lost)
			}
		}
		if p++; p == len(r.In) {
			p = 0
		}
	}
	return again, lost
}

// acceptFrom accepts the result at the head of port p if there is space.
func (r *Results) acceptFrom(p int, now wire.Cycle, again bool, lost int) (bool, int) {
	in := &r.In[p]
	if r.accept(in.Head(), now) {
		in.Pop()
		return again || in.Head() != nil, lost
	}
	r.waits++
	if lost < 0 {
		lost = p
	}
	return true, lost
}

// busy reports whether a bank to be written by a result has another register to write when the result's value
// comes.
func (r *Results) busy(m *op.Result, now wire.Cycle) bool {
	due := now + wire.Cycle(r.spec.Forward)
	for _, reg := range m.Inst.T.Dst[:m.Inst.T.NDst] {
		b, _ := r.index.Find(m.Warp, reg)
		if r.ready[b] > 0 {
			return true
		}
		for i := range r.n {
			if w := &r.ring[(r.head+i)%len(r.ring)]; int(w.bank) == int(b) && w.at == due {
				return true
			}
		}
	}
	return false
}

// accept queues the registers of a result and notifies the scheduler. It returns false, without any effect, if
// there is no space.
func (r *Results) accept(m *op.Result, now wire.Cycle) bool {
	if !r.Done.CanPut() {
		return false
	}
	t := &m.Inst.T
	dst := t.Dst[:t.NDst]
	if m.Exec == 0 {
		dst = nil // no lane is written
	}
	if !r.reserve(m.Warp, dst) {
		return false
	}
	early, kind := 0, uint8(0)
	if r.check != nil && r.spec.Kind != nil {
		kind = r.spec.Kind(m.Inst)
	}
	if t.Wide() {
		early = r.spec.Halves
	}
	for _, reg := range dst {
		b, e := r.index.Find(m.Warp, reg)
		i := r.head + r.n
		if i >= len(r.ring) {
			i -= len(r.ring)
		}
		r.ring[i] = write{content: version.Content{Seq: m.Tag, Lanes: m.Exec},
			at: now + wire.Cycle(r.spec.Forward), entry: e, bank: b, early: uint8(early),
			kind: kind}
		early = 0 // of the upper word
		r.n++
		r.banks[b].writes++
		r.banks[b].groups += bank.LaneGroups(m.Exec)
	}
	if r.check != nil {
		r.check.Arrives(now+wire.Cycle(r.spec.Forward), m)
	}
	r.Done.Put(op.Done{Inst: m.Inst, Tag: m.Tag, Warp: m.Warp})
	return true
}

// reserve reserves a place in its bank's queue for each register. If one queue is full, it reserves none and
// returns false.
func (r *Results) reserve(warp uint16, dst []ir.RegID) bool {
	for i, reg := range dst {
		b, _ := r.index.Find(warp, reg)
		if r.load[b] < r.spec.Queue {
			r.load[b]++
			continue
		}
		for _, reg := range dst[:i] {
			b, _ := r.index.Find(warp, reg)
			r.load[b]--
		}
		return false
	}
	return true
}

// settle makes the values due by now visible to reads.
func (r *Results) settle(now wire.Cycle) {
	for r.n > 0 && r.ring[r.head].at <= now {
		w := &r.ring[r.head]
		if r.store != nil {
			e := &r.store[w.bank][w.entry]
			*e = e.Overlay(w.content)
		}
		r.ready[w.bank]++
		r.wait++
		if r.head++; r.head == len(r.ring) {
			r.head = 0
		}
		r.n--
	}
}

// serve lets each bank write one of its ready registers.
func (r *Results) serve() {
	for b := range r.ready {
		if r.ready[b] > 0 {
			r.ready[b]--
			r.load[b]--
			r.wait--
		}
	}
}
