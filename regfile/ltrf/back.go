package ltrf

import (
	"fmt"

	"kumiko/components/bank"
	"kumiko/components/stats"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
)

// Back is the path from the cache back to the main file. It reads registers from the cache, sends them over a
// crossbar and writes them to the main file. Results without a place in the cache pass through it too, so that none
// overtakes an older value of its register.
//
// Ports:
//
//	Take     Move: from the control blocks
//	Past     bank.Access: results without a place in the cache, from the control blocks
//	Read     bank.Request: reads of the cache, to its arbiter
//	In[b]    bank.Value: from bank b of the cache
//	Freed    Freed: places freed by a read, to the allocation units
//	Out[b]   bank.Value: to the crossbar
//	Crossed  bank.Value: from the crossbar
//	Main     bank.Access: to the main file's arbiter
//	Landed   Landed: notices of registers sent on Main, to the control blocks
//
// A register is read only when In has space for it. It stays at In until it is on the crossbar. So these reads of
// the cache never wait in the banks.
type Back struct {
	wire.Comp
	Take    wire.InPort[Move]
	Past    wire.InPort[bank.Access]
	Read    wire.OutPort[bank.Request]
	In      []wire.InPort[bank.Value]
	Freed   wire.OutPort[Freed]
	Out     []wire.OutPort[bank.Value]
	Crossed wire.InPort[bank.Value]
	Main    wire.OutPort[bank.Access]
	Landed  wire.OutPort[Landed]

	index   *bank.Index
	to      uint8           // requester number of this block at the cache's arbiter
	buffers int             // at each In
	queues  []ring[Move]    `part:"Queue"` // by bank of the cache: still to be read
	flying  []int           `bits:"3"`     // by bank: read, and not yet on the crossbar
	waiting int             // moves still to be read
	under   []intervals.Set `bits:"64"` // by warp: registers on the way

	pastWaits uint64
}

// backSpec has the dimensions of the path back.
type backSpec struct {
	warps, banks, offsets, buffers int
	room, crossed                  int // capacities of Past and Crossed
	to                             int
	index                          *bank.Index
}

func newBack(name string, d *wire.Domain, s backSpec, reg *stats.Registry) *Back {
	x := &Back{index: s.index, to: uint8(s.to), buffers: s.buffers, queues: make([]ring[Move], s.banks),
		flying: make([]int, s.banks),
		under:  make([]intervals.Set, s.warps), In: make([]wire.InPort[bank.Value], s.banks),
		Out: make([]wire.OutPort[bank.Value], s.banks)}
	x.Init(name, d, x)
	x.Take.Init(&x.Comp, "Take", s.banks*s.offsets)
	x.Past.Init(&x.Comp, "Past", s.room)
	x.Read.Init(&x.Comp, "Read")
	x.Freed.Init(&x.Comp, "Freed")
	x.Crossed.Init(&x.Comp, "Crossed", s.crossed)
	x.Main.Init(&x.Comp, "Main")
	x.Landed.Init(&x.Comp, "Landed")
	for b := range s.banks {
		x.queues[b] = newRing[Move](s.offsets)
		x.In[b].Init(&x.Comp, fmt.Sprintf("In[%d]", b), s.buffers)
		x.Out[b].Init(&x.Comp, fmt.Sprintf("Out[%d]", b))
	}
	reg.Count("regfile.ltrf.past_waits", stats.Cycles,
		"cycles in which a result for the main file waits for an older value of its register on the way there, or "+
			"for room", name, &x.pastWaits)
	return x
}

// Tick moves registers on, the farthest first.
func (x *Back) Tick(wire.Cycle) bool {
	for m := x.Take.Take(); m != nil; m = x.Take.Take() {
		x.queues[m.Bank].push(*m)
		x.under[m.Warp].Add(int(m.Reg))
		x.waiting++
	}
	x.land()
	again := x.pass()
	for b, n := range x.flying {
		if n > 0 {
			x.cross(b)
		}
	}
	if x.waiting > 0 {
		for b := range x.queues {
			x.read(b)
		}
	}
	return again || x.waiting > 0
}

// land sends the values from the crossbar to the main file.
func (x *Back) land() {
	for v := x.Crossed.Head(); v != nil; v = x.Crossed.Head() {
		if !x.Main.CanPut() || !x.Landed.CanPut() {
			return
		}
		warp, reg := named(v.Tag)
		a := x.Main.Slot()
		*a = bank.Access{Content: onLanes(v.Content, version.FullMask), Kind: bank.Write, Cause: v.Cause, Warp: warp,
			Reg: reg}
		a.Bank, a.Entry = x.index.Find(warp, reg)
		x.Main.PutSlot()
		x.under[warp].Remove(int(reg))
		x.Landed.Put(Landed{Warp: warp, Reg: reg})
		x.Crossed.Pop()
	}
}

// onLanes returns a value to be written to all of the given lanes, including lanes without a version.
func onLanes(c version.Content, lanes uint32) version.Content {
	return version.Content{Lanes: lanes}.Overlay(c.Only(lanes))
}

// pass sends results to the main file. It returns true when one must wait.
func (x *Back) pass() bool {
	for a := x.Past.Head(); a != nil; a = x.Past.Head() {
		if x.under[a.Warp].Has(int(a.Reg)) || !x.Main.CanPut() || !x.Landed.CanPut() {
			x.pastWaits++
			return true
		}
		*x.Main.Slot() = *a
		x.Main.PutSlot()
		x.Landed.Put(Landed{Warp: a.Warp, Reg: a.Reg, Past: true})
		x.Past.Pop()
	}
	return false
}

// cross puts registers of a bank on the crossbar. Their places are then free: later writes there do not change
// them.
func (x *Back) cross(b int) {
	for v := x.In[b].Head(); v != nil && x.Out[b].CanPut() && x.Freed.CanPut(); v = x.In[b].Head() {
		warp, reg := named(v.Tag)
		to, _ := x.index.Find(warp, reg)
		o := x.Out[b].Slot()
		*o = *v
		o.To = to
		x.Out[b].PutSlot()
		x.Freed.Put(Freed{Bank: uint8(b), Offset: offsetOf(v.Tag)})
		x.flying[b]--
		x.In[b].Pop()
	}
}

// read requests registers of a bank, as far as In has space.
func (x *Back) read(b int) {
	for x.queues[b].n > 0 && x.flying[b] < x.buffers && x.Read.CanPut() {
		m := x.queues[b].pop()
		r := x.Read.Slot()
		*r = bank.Request{Tag: labelAt(m.Warp, m.Reg, m.Offset), Lanes: version.FullMask, Warp: m.Warp, N: 1, To: x.to,
			Cause: m.Cause}
		r.Bank[0], r.Entry[0], r.Reg[0] = m.Bank, uint32(m.Offset), m.Reg
		x.Read.PutSlot()
		x.flying[b]++
		x.waiting--
	}
}

// Waiting reports the registers on the way.
func (x *Back) Waiting() string {
	n := x.Past.Len()
	if n+x.waiting == 0 {
		return ""
	}
	return fmt.Sprintf("%d registers wait to be read for the main file, %d results to be written there", x.waiting, n)
}
