package maxwell

import (
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// slots are the collecting slots of a sub-core, a ring in the order of entry.
type slots struct {
	ring   []slot
	first  int // the oldest
	n      int
	unread int                              // registers that the instructions in slots have yet to read
	values [][ir.NumSources]version.Content // by slot: what it has read; nil unless checking
	full   wire.Cycle                       // since when the next instruction finds no slot; 0: it does not wait
}

// slot is an instruction that reads its registers.
type slot struct {
	o       op.Op
	since   wire.Cycle
	want    [maxBanks]uint16 // by bank: sources to be read yet
	left    uint16           // sources to be read yet
	fetched uint16           // sources that come from a bank, each register's first; others are copies or hits
	cached  bool             // it uses the reuse cache
	looked  lookup           // what it found there
}

func (s *slots) init(spec *Spec, checked bool) {
	s.ring = make([]slot, spec.Slots)
	if checked {
		s.values = make([][ir.NumSources]version.Content, spec.Slots)
	}
}

// at is the place in the ring of the i-th oldest instruction.
func (s *slots) at(i int) int {
	if i += s.first; i >= len(s.ring) {
		i -= len(s.ring)
	}
	return i
}

// enter takes issued instructions into slots. It returns true if there is one more, and a slot
// for it.
func (x *SubCore) enter(now wire.Cycle) bool {
	s := &x.slots
	for range x.spec.Supply {
		o := x.Issue.Head()
		if o == nil {
			return false
		}
		if s.n == len(s.ring) {
			if s.full == 0 {
				s.full = now
			}
			return false // the release of the oldest wakes
		}
		if s.full != 0 {
			x.full += now - s.full
			s.full = 0
		}
		x.take(&s.ring[s.at(s.n)], o, now)
		s.n++
		x.Issue.Pop()
	}
	return x.Issue.Head() != nil
}

// take puts an instruction into a slot, and finds out what it has to read.
func (x *SubCore) take(s *slot, o *op.Op, now wire.Cycle) {
	s.o, s.since, s.left = *o, now, 0
	t := &o.Inst.T
	x.operations++
	miss := uint16(1)<<t.NSrc - 1
	if s.cached = x.cache.takes(o); s.cached {
		miss &^= x.cache.look(o, &s.looked)
		x.hits += uint64(bits.OnesCount16(s.looked.hit))
	}
	s.fetched = 0
	if miss == 0 {
		return
	}
	clear(s.want[:x.spec.Banks])
	for m := miss; m != 0; m &= m - 1 {
		i := bits.TrailingZeros16(m)
		if named(t, s.fetched, i) {
			x.merged++
			continue
		}
		b, _ := x.index.Find(o.Warp, t.Src[i])
		s.want[b] |= 1 << i
		s.fetched |= 1 << i
	}
	s.left = s.fetched
	x.slots.unread += bits.OnesCount16(s.left)
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

// readBanks has each bank serve one register, of the oldest slot that wants one there.
func (x *SubCore) readBanks() {
	s := &x.slots
	for b := range x.spec.Banks {
		for i := range s.n {
			k := s.at(i)
			if r := &s.ring[k]; r.left != 0 && r.want[b] != 0 {
				x.read(k, r, b)
				break
			}
		}
	}
	x.conflicts += uint64(s.unread)
}

// read reads one register for the instruction in slot k from bank b.
func (x *SubCore) read(k int, s *slot, b int) {
	bit := s.want[b] & -s.want[b]
	s.want[b] &^= bit
	s.left &^= bit
	x.slots.unread--
	x.reads++
	x.groupReads += bank.LaneGroups(s.o.Exec)
	if x.slots.values != nil {
		i := bits.TrailingZeros16(bit)
		x.slots.values[k][i] = x.results.holds(s.o.Warp, s.o.Inst.T.Src[i])
	}
}

// release lets the oldest instruction go if it has read everything and there is room for it
// before its unit. It returns true if there is something to do in the next cycle.
func (x *SubCore) release(now wire.Cycle) bool {
	s := &x.slots
	k := s.first
	r := &s.ring[k]
	t := &r.o.Inst.T
	if r.left != 0 {
		return true
	}
	tell := x.notice && t.NSrc > 0
	if !x.latches.room(r.o.Unit) || tell && !x.Read.CanPut() {
		return s.unread > 0 // the unit or the scheduler wakes
	}
	if t.NSrc > 0 {
		x.latency += now - r.since
		x.latencies.Add(now - r.since)
		if s.values != nil {
			x.compare(k, r, now)
		}
	}
	if tell {
		x.Read.Put(op.Read{Inst: r.o.Inst, Tag: r.o.Tag, Warp: r.o.Warp})
	}
	x.latches.put(&r.o, now+wire.Cycle(x.spec.ReadLatency))
	s.first = s.at(1)
	s.n--
	return true
}

// compare fills in what came from no bank, and shows the operands to the checker. The reuse cache
// gets its values here, in the order of release, which is that of the look-ups.
func (x *SubCore) compare(k int, s *slot, now wire.Cycle) {
	t, v := &s.o.Inst.T, &x.slots.values[k]
	for i := range int(t.NSrc) {
		if s.fetched>>i&1 != 0 {
			continue
		}
		if s.cached && s.looked.hit>>i&1 != 0 {
			v[i] = x.cache.held(t.Slot(i), s.looked.from[i])
			continue
		}
		for m := s.fetched; m != 0; m &= m - 1 {
			if j := bits.TrailingZeros16(m); t.Src[j] == t.Src[i] {
				v[i] = v[j]
				break
			}
		}
	}
	if s.cached {
		for i := range int(t.NSrc) {
			x.cache.hold(t.Slot(i), s.looked.to[i], v[i])
		}
	}
	for i := range int(t.NSrc) {
		x.check.Operand(x.Name(), now, &s.o, i, &v[i])
	}
	x.check.Retire(s.o.Tag)
}
