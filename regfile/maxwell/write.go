package maxwell

import (
	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// results are the banks of a sub-core, and the results that wait for their write ports.
type results struct {
	index *bank.Index
	store [][]version.Content // by bank and entry; nil unless checking
	load  []int               // by bank: registers in its queue
	ready []int               // by bank: those of them whose value is there
	wait  int                 // sum of ready
	limit int
	first int // result port that goes first: the first that had to wait

	ring    []write // registers whose value is still to come, a ring in the order of arrival
	head, n int
	forward wire.Cycle
}

// write is a register that is to be written.
type write struct {
	content version.Content
	at      wire.Cycle // when its value is there
	entry   uint32
	bank    uint8
}

func (r *results) init(s *Spec, index *bank.Index, checked bool) {
	r.index, r.limit, r.forward = index, s.Queue, wire.Cycle(s.Forward)
	r.load, r.ready, r.ring = make([]int, s.Banks), make([]int, s.Banks), make([]write, s.Banks*s.Queue)
	if checked {
		for range s.Banks {
			r.store = append(r.store, make([]version.Content, index.Entries()))
		}
	}
}

// holds is what a register holds: results whose value is there count as written.
func (r *results) holds(warp uint16, reg ir.RegID) version.Content {
	b, e := r.index.Find(warp, reg)
	return r.store[b][e]
}

// write takes results, and lets each bank write one register. It returns true if there is
// something left to do.
func (x *SubCore) write(now wire.Cycle) (again bool) {
	r := &x.results
	lost := -1
	p := r.first
	for range x.Result {
		if in := &x.Result[p]; in.Head() != nil {
			if x.accept(in.Head(), now) {
				in.Pop()
				again = again || in.Head() != nil
			} else {
				again = true
				x.resultWaits++
				if lost < 0 {
					lost = p
				}
			}
		}
		if p++; p == len(x.Result) {
			p = 0
		}
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

// accept queues the registers of a result and tells the scheduler. It returns false, having done
// nothing, where there is no room.
func (x *SubCore) accept(m *op.Result, now wire.Cycle) bool {
	if !x.Done.CanPut() {
		return false
	}
	r, t := &x.results, &m.Inst.T
	dst := t.Dst[:t.NDst]
	if m.Exec == 0 {
		dst = nil // no lane is written
	}
	if !r.reserve(m.Warp, dst) {
		return false
	}
	for _, reg := range dst {
		b, e := r.index.Find(m.Warp, reg)
		i := r.head + r.n
		if i >= len(r.ring) {
			i -= len(r.ring)
		}
		r.ring[i] = write{content: version.Content{Seq: m.Tag, Lanes: m.Exec}, at: now + r.forward, entry: e, bank: b}
		r.n++
		x.banks[b].writes++
		x.banks[b].groupWrites += bank.LaneGroups(m.Exec)
	}
	x.Done.Put(op.Done{Inst: m.Inst, Tag: m.Tag, Warp: m.Warp})
	return true
}

// reserve takes a place in its bank's queue for each register, or for none and returns false.
func (r *results) reserve(warp uint16, dst []ir.RegID) bool {
	for i, reg := range dst {
		b, _ := r.index.Find(warp, reg)
		if r.load[b] < r.limit {
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

// settle makes the values that are there by now visible to reads.
func (r *results) settle(now wire.Cycle) {
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

// serve lets each bank write one of the registers that are there.
func (r *results) serve() {
	for b := range r.ready {
		if r.ready[b] > 0 {
			r.ready[b]--
			r.load[b]--
			r.wait--
		}
	}
}
