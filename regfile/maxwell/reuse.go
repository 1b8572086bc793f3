package maxwell

import (
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/kernel/ir"
)

// reusing has the timing classes whose instructions use the reuse cache: those of fixed latency
// (maxas, MaxAsGrammar.pm, has flags of reuse for these alone).
var reusing = [ir.NumClasses]bool{ir.ClassMove: true, ir.ClassInt: true, ir.ClassIntMul: true, ir.ClassFAdd: true,
	ir.ClassFMul: true, ir.ClassFMA: true, ir.ClassHalf: true}

// noWay is a way that does not exist.
const noWay = 255

// cache is the reuse cache of a sub-core.
type cache struct {
	entries   int // of each operand slot
	unflagged string
	lose      bool
	last      uint16 // warp whose instruction came last

	sets    [ir.OperandSlots]set
	flagged int // entries that can hit
	values  [ir.OperandSlots][maxEntries]version.Content
}

// set has the entries of an operand slot, the oldest first.
type set struct {
	list [maxEntries]entry
	n    int
}

// entry is a register in the reuse cache.
type entry struct {
	warp uint16
	reg  ir.RegID
	way  uint8 // where its value is
	flag bool  // the read that brought it bore the flag
}

// lookup is what an instruction found in the reuse cache and left there, by source.
type lookup struct {
	hit  uint16
	from [ir.NumSources]uint8 // of a hit: the way
	to   [ir.NumSources]uint8 // the way that the source entered, or noWay
}

func (c *cache) init(s *Spec) {
	c.entries, c.unflagged, c.lose = s.ReuseEntries, s.Unflagged, s.Switch == Lose
}

// flags are the flags of reuse of an instruction, a bit per operand slot.
func flags(in *ir.Inst) uint8 {
	if !in.Control.Set {
		return 0
	}
	return in.Control.Reuse
}

// takes reports whether an instruction uses the cache. Where no entry can hit and the instruction
// has no flag, there is nothing to find and nothing worth keeping.
func (c *cache) takes(o *op.Op) bool {
	if c.entries == 0 {
		return false
	}
	if o.Warp != c.last {
		c.last = o.Warp
		if c.lose && c.flagged > 0 {
			c.clear()
		}
	}
	return reusing[o.Inst.T.Class] && (c.flagged > 0 || flags(o.Inst) != 0) && o.Inst.T.NSrc > 0
}

// look finds the sources of an instruction, then enters them. It returns those that hit.
func (c *cache) look(o *op.Op, l *lookup) uint16 {
	t, f := &o.Inst.T, flags(o.Inst)
	l.hit = 0
	for i := range int(t.NSrc) {
		s := &c.sets[t.Slot(i)]
		if k := s.find(o.Warp, t.Src[i]); k >= 0 && s.list[k].flag {
			l.hit |= 1 << i
			l.from[i] = s.list[k].way
		}
	}
	for i := range int(t.NSrc) {
		k := t.Slot(i)
		flag := f>>k&1 != 0
		switch {
		case flag || c.unflagged == Enter:
			l.to[i] = c.enter(&c.sets[k], entry{warp: o.Warp, reg: t.Src[i], flag: flag})
		case c.unflagged == Clear:
			c.drop(&c.sets[k])
			l.to[i] = noWay
		default:
			l.to[i] = noWay
		}
	}
	return l.hit
}

// enter makes a register the newest entry of a set, and returns its way.
func (c *cache) enter(s *set, e entry) uint8 {
	k := s.find(e.warp, e.reg)
	switch {
	case k >= 0:
		e.way = s.list[k].way
		c.remove(s, k)
	case s.n == c.entries:
		e.way = s.list[0].way
		c.remove(s, 0)
	default:
		e.way = s.free()
	}
	s.list[s.n] = e
	s.n++
	if e.flag {
		c.flagged++
	}
	return e.way
}

// find is the place of a register in a set, or -1.
func (s *set) find(warp uint16, reg ir.RegID) int {
	for k := range s.n {
		if e := &s.list[k]; e.reg == reg && e.warp == warp {
			return k
		}
	}
	return -1
}

// free is the lowest way that no entry has.
func (s *set) free() uint8 {
	used := 0
	for k := range s.n {
		used |= 1 << s.list[k].way
	}
	w := uint8(0)
	for used>>w&1 != 0 {
		w++
	}
	return w
}

// remove takes an entry out of a set.
func (c *cache) remove(s *set, k int) {
	if s.list[k].flag {
		c.flagged--
	}
	copy(s.list[k:s.n], s.list[k+1:s.n])
	s.n--
}

// drop empties a set, clear all of them.
func (c *cache) drop(s *set) {
	for s.n > 0 {
		c.remove(s, s.n-1)
	}
}

func (c *cache) clear() {
	for k := range c.sets {
		c.drop(&c.sets[k])
	}
}

// forget takes the entries of a warp context out.
func (c *cache) forget(warp uint16) {
	for i := range c.sets {
		s := &c.sets[i]
		for k := s.n - 1; k >= 0; k-- {
			if s.list[k].warp == warp {
				c.remove(s, k)
			}
		}
	}
}

// held is the value in a way of an operand slot.
func (c *cache) held(slot int, way uint8) version.Content { return c.values[slot][way] }

// hold puts a value into a way of an operand slot; noWay: nowhere.
func (c *cache) hold(slot int, way uint8, v version.Content) {
	if way != noWay {
		c.values[slot][way] = v
	}
}
