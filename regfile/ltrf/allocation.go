package ltrf

import (
	"fmt"

	"kumiko/components/stats"
	"kumiko/components/wire"
	"kumiko/regfile"
)

// Allocation is the address allocation units: one for each warp, which knows the banks
// that the warp does not use, and one for all, which knows the offsets that no warp has.
// A warp's part of the cache is the entries of all banks at its offset.
//
// Ports:
//
//	In       Want: from the sequencer
//	Dropped  Freed: places of registers that were dropped, from the control blocks
//	Freed    Freed: places whose registers are on their way to the main file
//	Out      Grant: to the control blocks
//
// A unit gives one register a bank per cycle, the one that has been free for longest. A
// warp without an offset is given one when it first wants a bank, the warps in the order
// in which they asked.
type Allocation struct {
	wire.Comp
	In      wire.InPort[Want]
	Dropped wire.InPort[Freed]
	Freed   wire.InPort[Freed]
	Out     wire.OutPort[Grant]

	banks   int
	units   []unit          // by warp context
	busy    regfile.WarpSet // warps with a want that can be served as soon as there is a bank
	wanted  int             // wants of all warps
	offsets ring[uint8]     // offsets that no warp has
	line    ring[uint16]    // warps that wait for an offset

	offsetWaits, bankWaits, granted uint64
}

// unit is the address allocation unit of a warp.
type unit struct {
	unused   ring[uint8] // banks
	occupied int
	offset   int  // -1: none
	asked    bool // waits in line for an offset
	emptying bool // gives up its offset once no bank is occupied
	wants    ring[Want]
}

// shape is the shape of the cache. offsets is the number of warps that have registers in its
// banks at once.
type shape struct{ warps, banks, offsets int }

func newAllocation(name string, d *wire.Domain, s shape, reg *stats.Registry) *Allocation {
	warps, banks, offsets := s.warps, s.banks, s.offsets
	x := &Allocation{banks: banks, units: make([]unit, warps), offsets: newRing[uint8](offsets),
		line: newRing[uint16](warps)}
	x.Init(name, d, x)
	x.In.Init(&x.Comp, "In", 2*warps)
	x.Dropped.Init(&x.Comp, "Dropped", banks*offsets)
	x.Freed.Init(&x.Comp, "Freed", 2*banks)
	x.Out.Init(&x.Comp, "Out")
	for i := range offsets {
		x.offsets.push(uint8(i))
	}
	for i := range x.units {
		u := &x.units[i]
		u.unused, u.offset, u.wants = newRing[uint8](banks), -1, newRing[Want](mostJobs*(banks+2))
		for b := range banks {
			u.unused.push(uint8(b))
		}
	}
	reg.Count("regfile.ltrf.granted", stats.Registers, "registers that were given a bank of the cache", name,
		&x.granted)
	reg.Count("regfile.ltrf.offset_waits", stats.Cycles,
		"warp-cycles spent waiting for a part of the cache that another warp's registers have yet to leave", name,
		&x.offsetWaits)
	reg.Count("regfile.ltrf.bank_waits", stats.Cycles,
		"warp-cycles spent waiting for a bank that a register of the same warp has yet to leave", name, &x.bankWaits)
	return x
}

// Tick takes freed places and wants, and gives each warp a bank.
func (x *Allocation) Tick(wire.Cycle) bool {
	x.take(&x.Dropped)
	x.take(&x.Freed)
	for w := x.In.Head(); w != nil; w = x.In.Head() {
		u := &x.units[w.Warp]
		u.wants.push(*w)
		if !u.asked && !u.emptying {
			x.busy.Add(int(w.Warp))
		}
		x.wanted++
		x.In.Pop()
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
	for f := in.Head(); f != nil; f = in.Head() {
		u := &x.units[f.Warp]
		u.unused.push(f.Bank)
		if u.occupied--; u.occupied == 0 && u.emptying {
			u.emptying = false
			x.busy.Add(int(f.Warp))
		}
		in.Pop()
	}
}

// serve serves a warp's wants, up to one register.
func (x *Allocation) serve(warp int) {
	u := &x.units[warp]
	for u.wants.n > 0 && x.Out.CanPut() {
		w := u.wants.front()
		switch w.Kind {
		case Release:
			if u.occupied > 0 {
				u.emptying = true
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
			u.occupied++
			x.granted++
			x.Out.Put(Grant{Warp: w.Warp, Reg: w.Reg, Bank: u.unused.pop(), Offset: uint8(u.offset)})
		}
		placed := w.Kind == Place
		u.wants.pop()
		if x.wanted--; u.wants.n == 0 {
			x.busy.Remove(warp)
		}
		if placed {
			return
		}
	}
}

// room reports whether a warp can be given a bank now.
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
	if u.unused.n == 0 {
		x.bankWaits++
		return false
	}
	return true
}

// Waiting reports how many registers wait for a place.
func (x *Allocation) Waiting() string {
	if x.wanted == 0 {
		return ""
	}
	return fmt.Sprintf("%d registers wait for a bank of the cache, %d warps for a part of it", x.wanted, x.line.n)
}

// ring is a queue of a fixed size.
type ring[T any] struct {
	buf     []T
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
