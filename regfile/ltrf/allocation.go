package ltrf

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Allocation is the address allocation units: one unit for each warp with a part of the cache, holding the unused
// banks of that part, and one for the sub-core, holding the offsets without a warp. A warp's part of the cache
// consists of the entries of all banks at its offset.
//
// Ports:
//
//	In       Want: from the sequencer
//	Dropped  Freed: places of dropped registers, from the control blocks
//	Freed    Freed: places of registers on their way to the main file
//	Out      Grant: to the control blocks
//
// A unit assigns banks to registers, at most the rate per cycle, always the bank that has been free for longest. A
// warp without an offset gets one when it first wants a bank; warps are served in the order of their requests. A
// warp gives up its offset as soon as it has left the active set, and its banks change hands one by one as they
// become unused. With handover = whole the offset changes hands when all its banks are unused.
type Allocation struct {
	wire.Comp
	In      wire.InPort[Want]
	Dropped wire.InPort[Freed]
	Freed   wire.InPort[Freed]
	Out     wire.OutPort[Grant]

	banks   int
	rate    int             // registers of a warp per cycle
	whole   bool            // an offset changes hands only with all of its banks unused
	units   []unit          `part:"Unit"`                                 // by warp context
	unused  []ring[uint8]   `row:"Allocation: unused and occupied banks"` // banks, by offset
	leaving []int           `bits:"1+log(units)"`                         // by offset: the warp to give it up when all banks are unused, or -1
	busy    regfile.WarpSet `bits:"units" room:"1"`                       // warps with a want waiting only for a bank
	wanted  int             // wants of all warps
	offsets ring[uint8]     `row:"Allocation: unused offsets"` // offsets without a warp
	line    ring[uint16]    // warps waiting for an offset

	offsetWaits, bankWaits, granted uint64
}

// unit is the address allocation unit of a warp.
type unit struct {
	offset   int  // -1: none
	asked    bool // waits in line for an offset
	emptying bool // gives up its offset once no bank is used
	wants    ring[Want]
}

// shape is the shape of the cache. offsets is the number of warps with registers in its banks at once.
type shape struct{ warps, banks, offsets int }

// allocationSpec has the shape of the cache and the number of banks assigned per warp and cycle. whole: an offset
// changes hands only with all of its banks unused.
type allocationSpec struct {
	shape
	rate  int
	whole bool
}

func newAllocation(name string, d *wire.Domain, s allocationSpec, reg *stats.Registry) *Allocation {
	warps, banks, offsets := s.warps, s.banks, s.offsets
	x := &Allocation{banks: banks, rate: s.rate, whole: s.whole, units: make([]unit, warps),
		unused: make([]ring[uint8], offsets), leaving: make([]int, offsets), offsets: newRing[uint8](offsets),
		line: newRing[uint16](warps)}
	x.Init(name, d, x)
	x.In.Init(&x.Comp, "In", 2*warps)
	x.Dropped.Init(&x.Comp, "Dropped", banks*offsets)
	x.Freed.Init(&x.Comp, "Freed", 2*banks)
	x.Out.Init(&x.Comp, "Out")
	for i := range offsets {
		x.offsets.push(uint8(i))
		x.unused[i], x.leaving[i] = newRing[uint8](banks), -1
		for b := range banks {
			x.unused[i].push(uint8(b))
		}
	}
	for i := range x.units {
		u := &x.units[i]
		u.offset, u.wants = -1, newRing[Want](mostJobs*(banks+2))
	}
	reg.Count("regfile.ltrf.granted", stats.Registers, "registers that were given a bank of the cache", name,
		&x.granted)
	reg.Count("regfile.ltrf.offset_waits", stats.Cycles,
		"warp-cycles spent waiting for a part of the cache that another warp's registers have yet to leave", name,
		&x.offsetWaits)
	reg.Count("regfile.ltrf.bank_waits", stats.Cycles,
		"warp-cycles spent waiting for a bank that a register has yet to leave", name, &x.bankWaits)
	return x
}

// Tick accepts freed places and wants, and assigns banks to each warp.
func (x *Allocation) Tick(wire.Cycle) bool {
	x.take(&x.Dropped)
	x.take(&x.Freed)
	for w := x.In.Take(); w != nil; w = x.In.Take() {
		u := &x.units[w.Warp]
		u.wants.push(*w)
		if !u.asked && !u.emptying {
			x.busy.Add(int(w.Warp))
		}
		x.wanted++
	}
	each(x.busy, x.serve)
	for x.line.n > 0 && x.offsets.n > 0 {
		w := x.line.pop()
		u := &x.units[w]
		u.offset, u.asked = int(x.offsets.pop()), false
		x.busy.Add(int(w))
	}
	x.offsetWaits += uint64(x.line.n)
	return x.wanted > 0
}

func (x *Allocation) take(in *wire.InPort[Freed]) {
	for f := in.Take(); f != nil; f = in.Take() {
		x.unused[f.Offset].push(f.Bank)
		if w := x.leaving[f.Offset]; w >= 0 && x.unused[f.Offset].n == x.banks {
			x.leaving[f.Offset], x.units[w].emptying = -1, false
			x.busy.Add(w)
		}
	}
}

// serve serves a warp's wants, up to the rate of a cycle.
func (x *Allocation) serve(warp int) {
	u := &x.units[warp]
	for left := x.rate; left > 0 && u.wants.n > 0 && x.Out.CanPut(); {
		w := u.wants.front()
		switch w.Kind {
		case Release:
			if u.offset >= 0 && x.whole && x.unused[u.offset].n < x.banks {
				u.emptying, x.leaving[u.offset] = true, warp
				x.busy.Remove(warp)
				return
			}
			if u.offset >= 0 {
				x.offsets.push(uint8(u.offset))
				u.offset = -1
			}
		case End:
			x.Out.Put(Grant{Warp: w.Warp, End: true})
		case Place:
			if !x.room(u, w.Warp) {
				return
			}
			left--
			x.granted++
			x.Out.Put(Grant{Warp: w.Warp, Reg: w.Reg, Bank: x.unused[u.offset].pop(), Offset: uint8(u.offset)})
		}
		u.wants.pop()
		if x.wanted--; u.wants.n == 0 {
			x.busy.Remove(warp)
		}
	}
}

// room reports whether a warp can get a bank now. A warp without an offset gets one or joins the line.
func (x *Allocation) room(u *unit, warp uint16) bool {
	switch {
	case u.offset < 0 && x.line.n == 0 && x.offsets.n > 0:
		u.offset = int(x.offsets.pop())
	case u.offset < 0:
		if !u.asked {
			u.asked = true
			x.line.push(warp)
			x.busy.Remove(int(warp))
		}
		return false
	}
	if x.unused[u.offset].n == 0 {
		x.bankWaits++
		return false
	}
	return true
}

// Waiting reports the number of registers waiting for a place.
func (x *Allocation) Waiting() string {
	if x.wanted == 0 {
		return ""
	}
	return fmt.Sprintf("%d registers wait for a bank of the cache, %d warps for a part of it", x.wanted, x.line.n)
}

// ring is a queue of a fixed size.
type ring[T any] struct {
	buf     []T `bits:"type"`
	head, n int
}

func newRing[T any](size int) ring[T] { return ring[T]{buf: make([]T, size)} }

func (r *ring[T]) push(v T) {
	if r.n == len(r.buf) {
		panic("ltrf: a queue that cannot overflow has overflowed")
	}
	i := r.head + r.n
	if i >= len(r.buf) {
		i -= len(r.buf)
	}
	r.buf[i] = v
	r.n++
}

func (r *ring[T]) front() *T { return &r.buf[r.head] }

func (r *ring[T]) pop() T {
	v := r.buf[r.head]
	if r.head++; r.head == len(r.buf) {
		r.head = 0
	}
	r.n--
	return v
}
