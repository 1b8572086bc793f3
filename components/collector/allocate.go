package collector

import (
	"fmt"
	"math/bits"
	"slices"

	"kumiko/components/cause"
	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// allocator keeps the free collectors, the collectors of each unit, and the state of the waiting Issue ports.
type allocator struct {
	serve [64]uint64 `soft:"constants"` // by unit: collectors serving it
	free  uint64     // free collectors

	first     int              // next Issue port in turn
	registers []issueRegisters `part:"Issue"`      // by Issue port; nil: issued operations wait in order
	blocked   []wire.Cycle     `soft:"statistics"` // by Issue port: since when its head has waited for a collector; 0: it does not wait

	full uint64
}

func newAllocator(s *Spec) allocator {
	a := allocator{free: ^uint64(0) >> (64 - s.Collectors()), blocked: make([]wire.Cycle, s.Schedulers)}
	c := 0
	for _, k := range s.Kinds {
		for range k.Count {
			for u := range s.Units {
				if k.Units>>u&1 != 0 {
					a.serve[u] |= 1 << c
				}
			}
			c++
		}
	}
	return a
}

// freeFor returns the free collectors serving a unit.
func (a *allocator) freeFor(unit uint8) uint64 { return a.serve[unit] & a.free }

// block records the cycle since which Issue port p has waited. unblock ends the wait and adds it to full.
func (a *allocator) block(p int, now wire.Cycle) { a.blocked[p] = now }

func (a *allocator) unblock(p int, now wire.Cycle) {
	if a.blocked[p] != 0 {
		a.full += now - a.blocked[p]
		a.blocked[p] = 0
	}
}

// Serves reports whether any collector of the set serves the unit.
func (x *Set) Serves(unit int) bool { return x.serve[unit] != 0 }

// allocate allocates collectors to issued operations. It returns true if there is more to do in the next cycle: an
// operation beyond the limit of Accept, or one ready at once.
func (x *Set) allocate(now wire.Cycle) (again bool) {
	if x.registers != nil {
		return x.allocateByUnit(now)
	}
	lost := -1
	p := x.first
	for n := len(x.Issue); n > 0; n-- {
		in := &x.Issue[p]
		for k := 0; ; k++ {
			o := in.Head()
			if o == nil {
				break
			}
			if k == x.spec.Accept {
				again = true
				break
			}
			set := x.freeFor(o.Unit)
			if set == 0 {
				if x.blocked[p] == 0 {
					x.mustServe(o)
					x.block(p, now)
				}
				x.fullFor(o.Unit)
				if lost < 0 {
					lost = p
				}
				break
			}
			x.unblock(p, now)
			if x.take(bits.TrailingZeros64(set), o, now) {
				again = true
			}
			in.Pop()
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

// fullFor states what most of the collectors that serve a unit wait for, while none of them is free: a unit, or their
// operands.
func (x *Set) fullFor(unit uint8) {
	serve := x.serve[unit]
	most, at := bits.OnesCount64(x.waiting&serve), -1
	for m := x.units; m != 0; m &= m - 1 {
		u := bits.TrailingZeros64(m)
		if n := bits.OnesCount64(x.ready[u] & serve); n > most {
			most, at = n, u
		}
	}
	if at < 0 {
		x.Holds(cause.RegisterFile)
		return
	}
	x.Ready[at].Held()
}

func (x *Set) mustServe(o *op.Op) {
	if x.serve[o.Unit] == 0 {
		panic(fmt.Sprintf("collector: %s: operation %d of scheduler %d is for unit %d, which no collector here serves",
			x.Name(), o.Tag, o.Sched, o.Unit))
	}
}

// take allocates collector c to an operation. It returns true if the operation is ready at once.
func (x *Set) take(c int, o *op.Op, now wire.Cycle) bool {
	s := &x.slots[c]
	bit := uint64(1) << (c & 63)
	s.o, s.since, s.least = *o, now, 0
	if x.spec.Stages > 0 {
		s.least = now + 1 + wire.Cycle(x.spec.Stages)
	}
	x.free &^= bit
	x.ops++
	if x.observe != nil {
		x.observe(now, c, Allocated, &s.o)
	}
	t := &o.Inst.T
	if t.NSrc == 0 {
		x.offer(c, s)
		return s.least == 0
	}
	need := uint16(1)<<t.NSrc - 1
	if !x.spec.ReadTwice {
		need = x.distinct(t)
	}
	s.waiting = need
	x.operands += uint64(bits.OnesCount16(need))
	x.waiting |= bit
	if x.follow != nil {
		need = x.divert(c, s, need)
	}
	if s.unsent = need; need != 0 {
		x.unsent |= bit
	}
	return false
}

// distinct returns the sources of an instruction, without repetitions of an earlier source register.
func (x *Set) distinct(t *ir.Timing) uint16 {
	all := uint16(1)<<(t.NSrc&15) - 1
	need := all
	if t.NSrc <= 3 { // most instructions: conditional moves, since repetitions are hard to predict
		without := need &^ (1 << 1)
		if t.Src[1] == t.Src[0] {
			need = without
		}
		without = need &^ (1 << 2)
		if t.Src[2] == t.Src[0] {
			need = without
		}
		if t.Src[2] == t.Src[1] {
			need = without
		}
	} else {
		for i := uint8(1); i < t.NSrc; i++ {
			if slices.Contains(t.Src[:i], t.Src[i]) {
				need &^= 1 << (i & 15)
			}
		}
	}
	x.merged += uint64(bits.OnesCount16(all &^ need))
	return need
}
