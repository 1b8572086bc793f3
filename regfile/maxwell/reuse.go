package maxwell

import (
	"math/bits"

	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/kernel/ir"
)

// reusing has the timing classes of instructions using the reuse cache: the classes of fixed latency (maxas,
// MaxAsGrammar.pm, has reuse flags for these alone).
var reusing = [ir.NumClasses]bool{ir.ClassMove: true, ir.ClassInt: true, ir.ClassIntMul: true, ir.ClassFAdd: true,
	ir.ClassFMul: true, ir.ClassFMA: true, ir.ClassHalf: true,
	ir.ClassHalfMMA: true, ir.ClassXmad: true, ir.ClassShift: true, ir.ClassCompare: true}

// noWay stands for no collector.
const noWay = 255

// cache is the reuse cache of a sub-core: the flagged registers kept by its collectors. A register read without the
// flag cannot hit, and is treated as no register.
type cache struct {
	on        bool
	ways      int // collectors
	choice    string
	unflagged string
	lose      bool
	last      uint16 // warp of the last instruction

	kept   [ir.OperandSlots][maxStages]entry `row:"Collector: tags of the reuse cache"` // by operand slot and collector
	slots  [maxStages]uint8                  `bits:"4"`                                 // by collector: operand slots with a register
	any    int                               // registers in all
	values [ir.OperandSlots][maxStages]version.Content
}

// entry is a register kept by a collector, if it is full.
type entry struct {
	warp  uint16
	reg   ir.RegID
	full  bool
	lanes uint32 // that executed the read
}

// lookup is the outcome of an instruction's lookup in the reuse cache, by source: hits, and where sources are kept.
type lookup struct {
	hit  uint16
	from [ir.NumSources]uint8 // of a hit: the collector
	to   [ir.NumSources]uint8 // the collector keeping the source, or noWay
}

func (c *cache) init(s *Spec) {
	c.on, c.ways, c.choice, c.unflagged, c.lose = s.Reuse, s.Stages, s.Choice, s.Unflagged, s.Switch == Lose
}

// flags returns the reuse flags of an instruction, a bit per operand slot.
func flags(in *ir.Inst) uint8 {
	return in.Control.Reuse
}

// takes reports whether an instruction uses the cache. If the cache is empty and the instruction has no flag, there
// is nothing to find and nothing worth keeping.
func (c *cache) takes(o *op.Op) bool {
	if !c.on {
		return false
	}
	if o.Warp != c.last {
		c.last = o.Warp
		if c.lose && c.any > 0 {
			for k := range c.kept {
				c.drop(k)
			}
		}
	}
	t := &o.Inst.T
	return t.NSrc > 0 && (c.any > 0 || flags(o.Inst) != 0) && reusing[t.Class]
}

// choose returns a free collector for an instruction.
func (c *cache) choose(s *stages, o *op.Op, cached bool) uint8 {
	switch {
	case c.choice == Turns:
		if later := s.free >> (s.last + 1) << (s.last + 1); later != 0 {
			return uint8(bits.TrailingZeros32(later))
		}
	case c.choice == Hit && cached && c.any > 0 && s.free&(s.free-1) != 0:
		return c.best(s.free, o)
	}
	return uint8(bits.TrailingZeros32(s.free))
}

// best returns, among the given collectors, one in which an operand hits, else one without flagged registers, else
// the lowest.
func (c *cache) best(free uint32, o *op.Op) uint8 {
	t := &o.Inst.T
	for m := free; m != 0; m &= m - 1 {
		k := bits.TrailingZeros32(m)
		for i := range int(t.NSrc) {
			if c.kept[t.Slot(i)][k].serves(o, t.Src[i]) {
				return uint8(k)
			}
		}
	}
	for m := free; m != 0; m &= m - 1 {
		if k := bits.TrailingZeros32(m); c.slots[k] == 0 {
			return uint8(k)
		}
	}
	return uint8(bits.TrailingZeros32(free))
}

// serves reports whether an entry has a register of an operation's warp, read by all lanes of the operation.
func (e *entry) serves(o *op.Op, reg ir.RegID) bool {
	return e.full && e.reg == reg && e.warp == o.Warp && o.Exec&^e.lanes == 0
}

// lookUp looks up the sources of the instruction in collector k, then keeps the flagged ones. Hits stay in place.
func (c *cache) lookUp(o *op.Op, k uint8, l *lookup) {
	t, f := &o.Inst.T, flags(o.Inst)
	l.hit = 0
	for i := range int(t.NSrc) {
		if l.from[i] = c.find(t.Slot(i), o, t.Src[i]); l.from[i] != noWay {
			l.hit |= 1 << i
		}
	}
	for i := range int(t.NSrc) {
		slot := t.Slot(i)
		w := c.find(slot, o, t.Src[i]) // a register may stand twice in a slot
		if w == noWay {
			w = k
		}
		l.to[i] = noWay
		switch {
		case f>>slot&1 != 0:
			c.set(slot, w, entry{warp: o.Warp, reg: t.Src[i], full: true, lanes: o.Exec})
			l.to[i] = w
		case c.unflagged == Enter:
			c.set(slot, w, entry{})
		case c.unflagged == Clear:
			c.drop(slot)
		}
	}
}

// find returns the collector keeping a register in an operand slot, or noWay.
func (c *cache) find(slot int, o *op.Op, reg ir.RegID) uint8 {
	for w := range c.ways {
		if c.kept[slot][w].serves(o, reg) {
			return uint8(w)
		}
	}
	return noWay
}

// set replaces the register kept by a collector in an operand slot.
func (c *cache) set(slot int, w uint8, e entry) {
	old := &c.kept[slot][w]
	if old.full != e.full {
		c.slots[w] ^= 1 << slot
		if e.full {
			c.any++
		} else {
			c.any--
		}
	}
	*old = e
}

// drop empties an operand slot in all collectors.
func (c *cache) drop(slot int) {
	for w := range c.ways {
		c.set(slot, uint8(w), entry{})
	}
}

// forget removes the registers of a warp context.
func (c *cache) forget(warp uint16) {
	for slot := range c.kept {
		for w := range c.ways {
			if e := &c.kept[slot][w]; e.full && e.warp == warp {
				c.set(slot, uint8(w), entry{})
			}
		}
	}
}
