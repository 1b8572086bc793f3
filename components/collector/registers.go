package collector

import (
	"fmt"
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/wire"
)

// issueRegisters hold the issued operations of one scheduler until a collector accepts them. Each execution unit
// has a fixed number of them. Operations wait behind others of their unit, not behind those of other units.
type issueRegisters struct {
	ops   [][]op.Op `bits:"type" room:"cap"` // by unit, the first in front
	units uint64    // units with operations
	turn  uint8     // next unit in turn
}

func newIssueRegisters(units, each int) issueRegisters {
	r := issueRegisters{ops: make([][]op.Op, units)}
	for u := range r.ops {
		r.ops[u] = make([]op.Op, 0, each)
	}
	return r
}

func (x *Set) initRegisters() {
	if x.spec.Registers == 0 {
		return
	}
	x.Taken = make([]wire.OutPort[op.Taken], x.spec.Schedulers)
	for i := range x.Taken {
		x.Taken[i].Init(&x.Comp, fmt.Sprintf("Taken[%d]", i))
		x.registers = append(x.registers, newIssueRegisters(x.spec.Units, x.spec.Registers))
	}
}

func (r *issueRegisters) put(o *op.Op) {
	q := &r.ops[o.Unit]
	if len(*q) == cap(*q) {
		panic(fmt.Sprintf("collector: operation %d finds no issue register of unit %d", o.Tag, o.Unit))
	}
	*q = append(*q, *o)
	r.units |= 1 << o.Unit
}

func (r *issueRegisters) drop(u int) {
	q := &r.ops[u]
	*q = (*q)[:copy(*q, (*q)[1:])]
	if len(*q) == 0 {
		r.units &^= 1 << u
	}
	r.turn = uint8(u+1) & 63
}

// served returns the units with an operation in r and a free collector.
func (a *allocator) served(r *issueRegisters) (set uint64) {
	for m := r.units; m != 0; m &= m - 1 {
		if u := bits.TrailingZeros64(m); a.freeFor(uint8(u)) != 0 {
			set |= 1 << u
		}
	}
	return set
}

// allocateByUnit allocates collectors to operations in issue registers. The units of a scheduler take turns. The
// first waiting scheduler without a collector in this cycle goes first in the next. allocateByUnit returns true if
// there is more to do in the next cycle, as allocate does.
func (x *Set) allocateByUnit(now wire.Cycle) (again bool) {
	lost := -1
	p := x.first
	for range x.Issue {
		served, more := x.allocateFor(p, now)
		again = again || more
		if x.blocked[p] != 0 && !served && lost < 0 {
			lost = p
		}
		if p++; p == len(x.Issue) {
			p = 0
		}
	}
	if lost >= 0 {
		x.first = lost
	}
	return again
}

// allocateFor allocates collectors to the operations of scheduler p. served: at least one was allocated.
func (x *Set) allocateFor(p int, now wire.Cycle) (served, again bool) {
	r, in := &x.registers[p], &x.Issue[p]
	for o := in.Take(); o != nil; o = in.Take() {
		x.mustServe(o)
		r.put(o)
	}
	for range x.spec.Accept {
		set := x.served(r)
		if set == 0 || !x.Taken[p].CanPut() {
			break // woken when there is room
		}
		u := next(set, r.turn)
		if x.take(bits.TrailingZeros64(x.freeFor(uint8(u))), &r.ops[u][0], now) {
			again = true
		}
		served = true
		r.drop(u)
		x.Taken[p].Put(op.Taken{Unit: uint8(u)})
	}
	switch waits := r.units != 0; {
	case waits:
		if x.blocked[p] == 0 {
			x.block(p, now)
		}
		if x.served(r) == 0 {
			x.fullFor(uint8(bits.TrailingZeros64(r.units)))
		}
	case !waits:
		x.unblock(p, now)
	}
	return served, again || x.served(r) != 0 && x.Taken[p].CanPut()
}
