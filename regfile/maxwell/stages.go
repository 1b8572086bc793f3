package maxwell

import (
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// stages is the pipeline in which the instructions of a sub-core read.
type stages struct {
	of     [maxStages]int8 `bits:"4"` // by stage: the collector of the instruction there, or none
	n      int
	free   uint32                           // collectors of no instruction
	paired uint32                           // collectors of the first of two instructions; the second is n behind
	all    []collector                      `row:"Collector: operands"` // by collector, then those of second instructions
	values [][ir.NumSources]version.Content // by collector: the values read by its instruction; nil unless checking
	held   int                              // instructions
	unread int                              // registers still to be read by these
	halted bool                             // nothing moves in this cycle
	since  wire.Cycle                       // the cycle before the first of these
	last   uint8                            // last allocated collector
}

// none marks a stage without an instruction.
const none = -1

// collector holds an instruction reading its operands.
type collector struct {
	o       op.Op
	since   wire.Cycle
	want    [maxBanks]uint16 // by bank: sources to be read yet
	left    uint16           // sources to be read yet
	fetched uint16           // sources read from a bank, each register's first; others are copies or hits
	cached  bool             // it uses the reuse cache
	looked  lookup           // the outcome of its lookup there
}

func (s *stages) init(spec *Spec, checked bool) {
	s.n, s.free, s.all = spec.Stages, 1<<spec.Stages-1, make([]collector, 2*spec.Stages)
	for i := range s.of {
		s.of[i] = none
	}
	if checked {
		s.values = make([][ir.NumSources]version.Content, 2*spec.Stages)
	}
}

// enter moves the next issued instruction into the first stage, and the one issued together with it.
func (x *SubCore) enter(now wire.Cycle) {
	o := x.Issue.Head()
	if o == nil || x.stages.of[0] != none {
		return
	}
	s := &x.stages
	cached := x.cache.takes(o)
	k := x.cache.choose(s, o, cached)
	s.of[0], s.last = int8(k), k
	s.free &^= 1 << k
	s.held++
	issued, unit := o.Issued, o.Unit
	x.collect(k, o, cached, now)
	if o = x.Issue.Head(); o != nil && o.Issued == issued && o.Unit != unit {
		s.paired |= 1 << k
		x.pairs++
		x.collect(k+uint8(s.n), o, false, now)
	}
}

// collect moves the operation at the head of the issue port into a collector, and determines the registers to read.
func (x *SubCore) collect(k uint8, o *op.Op, cached bool, now wire.Cycle) {
	c := &x.stages.all[k]
	c.o, c.since, c.cached = *o, now, cached
	x.operations++
	miss := uint16(1)<<o.Inst.T.NSrc - 1
	if cached {
		x.cache.lookUp(o, k, &c.looked)
		miss &^= c.looked.hit
		x.hits += uint64(bits.OnesCount16(c.looked.hit))
	}
	x.want(c, miss)
	if x.Notify != nil {
		x.Notify(regfile.Reading{Now: now, Tag: o.Tag, Event: regfile.ReadBegins})
	}
	x.Issue.Pop()
}

// want records the banks in which an instruction has to read the given sources.
func (x *SubCore) want(c *collector, miss uint16) {
	c.left, c.fetched = 0, 0
	if miss == 0 {
		return
	}
	clear(c.want[:x.spec.Banks])
	t := &c.o.Inst.T
	for m := miss; m != 0; m &= m - 1 {
		i := bits.TrailingZeros16(m)
		if named(t, c.fetched, i) {
			x.merged++
			continue
		}
		b, _ := x.Index.Find(c.o.Warp, t.Src[i])
		c.want[b] |= 1 << i
		c.fetched |= 1 << i
	}
	c.left = c.fetched
	x.stages.unread += bits.OnesCount16(c.left)
}

// named reports whether one of the given sources is the register of source i.
func named(t *ir.Timing, sources uint16, i int) bool {
	for m := sources; m != 0; m &= m - 1 {
		if t.Src[bits.TrailingZeros16(m)] == t.Src[i] {
			return true
		}
	}
	return false
}

// readBanks lets each bank serve one register, of the oldest instruction with a register to read there.
func (x *SubCore) readBanks(now wire.Cycle) {
	s := &x.stages
	for b := range x.spec.Banks {
		served, by := false, uint32(0)
		for i := s.n - 1; i >= 0; i-- {
			for k := int(s.of[i]); k != none; k = s.pairedWith(k) {
				c := &s.all[k]
				if c.left == 0 || c.want[b] == 0 {
					continue
				}
				if !served {
					x.read(k, c, b)
					served, by = true, c.o.Tag
				}
				x.Banks[b].Conflicts += uint64(bits.OnesCount16(c.want[b]))
				if x.Notify != nil && c.want[b] != 0 {
					x.Notify(regfile.Reading{Now: now, Tag: c.o.Tag, Event: regfile.ReadHeld, Bank: uint8(b), By: by})
				}
			}
		}
	}
}

// pairedWith returns the collector of the second instruction issued together with the one in collector k, or none.
func (s *stages) pairedWith(k int) int {
	if s.paired>>k&1 == 0 {
		return none
	}
	return k + s.n
}

// read reads one register for the instruction in collector k from bank b.
func (x *SubCore) read(k int, c *collector, b int) {
	bit := c.want[b] & -c.want[b]
	c.want[b] &^= bit
	c.left &^= bit
	x.stages.unread--
	x.Banks[b].Reads++
	x.Banks[b].GroupReads += bank.LaneGroups(c.o.Exec)
	if x.stages.values != nil {
		i := bits.TrailingZeros16(bit)
		x.stages.values[k][i] = x.Results.Holds(c.o.Warp, c.o.Inst.T.Src[i])
	}
}

// advance moves every instruction by a stage. The instructions in the last stage leave.
func (x *SubCore) advance(now wire.Cycle) {
	s := &x.stages
	if k := s.of[s.n-1]; k != none {
		for k := int(k); k != none; k = s.pairedWith(k) {
			x.release(k, now)
		}
		s.free |= 1 << k
		s.paired &^= 1 << k
		s.held--
	}
	copy(s.of[1:s.n], s.of[:s.n-1])
	s.of[0] = none
}

// release passes an instruction with all operands read to the latches of its unit. There must be a free latch.
func (x *SubCore) release(k int, now wire.Cycle) {
	c := &x.stages.all[k]
	if x.Notify != nil {
		x.Notify(regfile.Reading{Now: now, Tag: c.o.Tag, Event: regfile.ReadEnds})
	}
	if c.o.Inst.T.NSrc > 0 {
		x.latency += now - c.since
		x.latencies.Add(now - c.since)
		if x.stages.values != nil {
			x.compare(k, c, now)
		}
		if x.Notice {
			x.Latches.Notice(&c.o)
		}
	}
	x.Latches.Put(&c.o)
	x.units[c.o.Unit].take(&c.o, now)
}

// stands reports whether the instructions in the last stage cannot leave in the next cycle. Possible reasons are a
// bank with two of their registers to read, no free latch, a unit unable to begin at once, or a result that would
// have to wait.
func (x *SubCore) stands(now wire.Cycle) bool {
	s := &x.stages
	for k := int(s.of[s.n-1]); k != none; k = s.pairedWith(k) {
		c := &s.all[k]
		if c.left != 0 && x.reads(k) {
			return true
		}
		if x.units[c.o.Unit].later(now+1) || !x.Latches.Room(c.o.Unit) {
			return true
		}
	}
	if s.of[s.n-1] == none {
		return false
	}
	return x.Latches.Owes(2) || x.Table != nil && !x.promise(now)
}

// reads reports whether a bank has two registers to read for the instruction in a collector, or one for it and one
// for the instruction issued together with it.
func (x *SubCore) reads(k int) bool {
	s := &x.stages
	for b := range x.spec.Banks {
		m := s.all[k].want[b]
		if m&(m-1) != 0 {
			return true
		}
		if o := s.pairedWith(k); m != 0 && o != none && s.all[o].left != 0 && s.all[o].want[b] != 0 {
			return true
		}
	}
	return false
}

// compare fills in the operands not read from a bank, and passes all operands to the checker. The reuse cache gets
// its values here, in the order of release, equal to the order of lookups.
func (x *SubCore) compare(k int, c *collector, now wire.Cycle) {
	t, v := &c.o.Inst.T, &x.stages.values[k]
	for i := range int(t.NSrc) {
		if c.fetched>>i&1 != 0 {
			continue
		}
		if c.cached && c.looked.hit>>i&1 != 0 {
			v[i] = x.cache.values[t.Slot(i)][c.looked.from[i]]
			continue
		}
		for m := c.fetched; m != 0; m &= m - 1 {
			if j := bits.TrailingZeros16(m); t.Src[j] == t.Src[i] {
				v[i] = v[j]
				break
			}
		}
	}
	for i := range int(t.NSrc) {
		if c.cached && c.looked.to[i] != noWay {
			x.cache.values[t.Slot(i)][c.looked.to[i]] = v[i]
		}
		x.Checker.Operand(x.Name(), now, &c.o, i, &v[i])
	}
	x.Checker.AtUnit(x.Name(), now, &c.o)
}
