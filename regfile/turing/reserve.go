package turing

import (
	"math/bits"

	"kumiko/components/bank"
	"kumiko/components/op"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/regfile"
)

// reading is an operation with reserved ports.
type reading struct {
	o     op.Op
	since wire.Cycle // when it was allocated
	end   wire.Cycle // the last cycle of its window
	fixed bool
	// With a checker: the values of sources from the cache and, for values not yet known, the operations still
	// reading them.
	known  uint16                `soft:"checker"`
	from   [ir.NumSources]uint32 `soft:"checker"`
	values [ir.NumSources]version.Content
}

// calendar records how many read ports of each bank are reserved in the coming cycles.
type calendar struct {
	ports int // of a bank
	banks int
	last  [maxBanks]uint32                `bits:"8"` // the operation that reserved last
	taken [maxBanks][calendarLength]uint8 `row:"Allocate: reserved ports"`
	at    wire.Cycle                      // cycles up to this one are cleared
}

// calendarLength is a power of two above the longest window. The longest window belongs to an instruction with all
// registers in one bank with one port.
const calendarLength = 32

func (c *calendar) init(s *Spec) {
	c.banks = s.Banks
	if c.ports = s.Ports; c.ports == 0 {
		c.ports = ir.NumSources
	}
}

// free returns the number of free port cycles of a bank in the n cycles beginning with from.
func (c *calendar) free(b int, from wire.Cycle, n int) int {
	sum := 0
	for k := range wire.Cycle(n) {
		sum += c.ports - int(c.taken[b][(from+k)%calendarLength])
	}
	return sum
}

// take reserves n port cycles of a bank, the earliest free ones from a cycle on.
func (c *calendar) take(b int, from wire.Cycle, n int) {
	for at := from; n > 0; at++ {
		t := &c.taken[b][at%calendarLength]
		k := min(n, c.ports-int(*t))
		*t += uint8(k)
		n -= k
	}
}

// pass discards the reservations up to cycle now.
func (c *calendar) pass(now wire.Cycle) {
	for n := min(now-c.at, calendarLength); n > 0; n-- {
		i := (now - n + 1) % calendarLength
		for b := range c.banks {
			c.taken[b][i] = 0
		}
	}
	c.at = now
}

// needs is the number of registers to be read by an operation in each bank.
type needs struct {
	n     [maxBanks]uint8
	most  int    // most registers in one bank
	miss  uint16 // sources to be read, each register once
	hits  uint16
	total int
}

// plan determines the registers to be read by an operation. It changes nothing.
func (x *SubCore) plan(o *op.Op, fixed bool, d *needs) {
	t := &o.Inst.T
	*d = needs{}
	if o.Exec == 0 && !x.spec.Squashed {
		return
	}
	for i := range int(t.NSrc) {
		b, _ := x.Index.Find(o.Warp, t.Src[i])
		if fixed && x.cache.has(t.Slot(i), b, o) && x.cache.holds(t.Slot(i), b, t.Src[i]) {
			d.hits |= 1 << i
			continue
		}
		if named(t, d.miss, i) {
			continue
		}
		d.miss |= 1 << i
		d.n[b]++
		d.total++
		d.most = max(d.most, int(d.n[b]))
	}
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

// length returns the window length of an operation reading up to most registers of one bank: a multiple of the
// setting.
func (x *SubCore) length(most int) int {
	n := x.spec.Window
	for n*x.ports.ports < most {
		n += x.spec.Window
	}
	return n
}

// fits reports whether an operation of fixed latency can be allocated in the next cycle. If so, its result is
// entered into the timetable, so that no result arriving in between takes the place.
func (x *SubCore) fits(o *op.Op, now wire.Cycle) bool {
	var d needs
	x.plan(o, true, &d)
	_, b := x.try(o, &d, true, now)
	x.promised = b == isFree && x.units[o.Unit].timed
	return b == isFree
}

// Results of try other than a bank.
const (
	isFree = -1 - iota
	unitBusy
	resultBusy
)

// try returns the length of an operation's window, and isFree if a window can begin in the next cycle. Otherwise it
// returns the obstacle: a bank with too few ports, unitBusy, or resultBusy for a result that would find its way
// taken. With isFree, the result is entered into the timetable.
func (x *SubCore) try(o *op.Op, d *needs, fixed bool, now wire.Cycle) (length, bank int) {
	length = x.length(d.most)
	if !x.Latches.Room(o.Unit) || x.Notice && x.Latches.Owes(len(x.window)+1) {
		return length, unitBusy
	}
	u := &x.units[o.Unit]
	if begin := now + wire.Cycle(length) + 1; (fixed || u.timed) && (begin < u.free || x.heldUntil(u, o) > begin) {
		return length, unitBusy
	}
	for b := range x.spec.Banks {
		if n := int(d.n[b]); n > 0 && x.ports.free(b, now+1, length) < n {
			return length, b
		}
	}
	if !u.timed || fixed && x.promised {
		return length, isFree
	}
	if x.Table.Begin(); !x.Table.Take(o, now+wire.Cycle(length)+1+x.toArrival(u, o)) {
		return length, resultBusy
	}
	return length, isFree
}

// heldFor returns the cycles for which an operation takes the inputs of other units.
func (u *unit) heldFor(o *op.Op) wire.Cycle {
	if u.holds == nil {
		return 0
	}
	return wire.Cycle(u.times.Held(o.Inst))
}

// heldUntil returns the first cycle in which the units that an operation takes beside its own can accept it.
func (x *SubCore) heldUntil(u *unit, o *op.Op) (at wire.Cycle) {
	if u.heldFor(o) > 0 {
		for m := u.holds[o.Inst.T.Class]; m != 0; m &= m - 1 {
			at = max(at, x.units[bits.TrailingZeros64(m)].free)
		}
	}
	return at
}

// occupy makes an operation take the input of its unit, and of others that it holds, from a cycle on.
func (x *SubCore) occupy(u *unit, o *op.Op, from wire.Cycle) {
	u.free = from + wire.Cycle(u.times.Of(o.Inst).Initiation)
	if held := u.heldFor(o); held > 0 {
		for m := u.holds[o.Inst.T.Class]; m != 0; m &= m - 1 {
			other := &x.units[bits.TrailingZeros64(m)]
			other.free = max(other.free, from+held)
		}
	}
}

// toArrival returns the time from the begin of an operation in its unit to the arrival of its result.
func (x *SubCore) toArrival(u *unit, o *op.Op) wire.Cycle {
	return wire.Cycle(int(u.times.Class[o.Inst.T.Class].Latency) - x.spec.Forward)
}

// reserve allocates an operation if its registers fit into a window beginning in the next cycle.
func (x *SubCore) reserve(o *op.Op, now wire.Cycle) bool {
	var d needs
	fixed := x.fixed(o)
	x.plan(o, fixed, &d)
	length, busy := x.try(o, &d, fixed, now)
	if busy != isFree {
		if busy >= 0 {
			x.Banks[busy].Conflicts++
			if x.Notify != nil {
				x.Notify(regfile.Reading{Now: now, Tag: o.Tag, Event: regfile.ReadHeld, Bank: uint8(busy),
					By: x.ports.last[busy]})
			}
		}
		return false
	}
	for b := range x.spec.Banks {
		if n := int(d.n[b]); n > 0 {
			x.ports.take(b, now+1, n)
			x.ports.last[b] = o.Tag
			x.Banks[b].Reads += uint64(n)
			x.Banks[b].GroupReads += uint64(n) * bank.LaneGroups(o.Exec)
		}
	}
	x.hits += uint64(bits.OnesCount16(d.hits))
	x.merged += uint64(int(o.Inst.T.NSrc) - bits.OnesCount16(d.hits) - d.total)
	if x.Notify != nil {
		x.Notify(regfile.Reading{Now: now + 1, Tag: o.Tag, Event: regfile.ReadBegins})
	}
	x.window = append(x.window, reading{})
	r := &x.window[len(x.window)-1]
	r.o, r.since, r.end, r.fixed = *o, now, now+wire.Cycle(length), fixed
	if u := &x.units[o.Unit]; fixed || u.timed {
		x.occupy(u, o, r.end+1)
	}
	if fixed {
		x.promised = false
		x.keep(r, d.hits)
	}
	x.Latches.Promise(o.Unit)
	return true
}

// finish passes the operations at the end of their window to the latches of their units.
func (x *SubCore) finish(now wire.Cycle) {
	n := 0
	for i := range x.window {
		r := &x.window[i]
		if r.end > now {
			if n != i {
				x.window[n] = *r
			}
			n++
			continue
		}
		if x.Notify != nil {
			x.Notify(regfile.Reading{Now: now, Tag: r.o.Tag, Event: regfile.ReadEnds})
		}
		if t := &r.o.Inst.T; t.NSrc > 0 {
			x.latency += now - r.since
			x.latencies.Add(now - r.since)
			if x.Checker != nil {
				x.compare(r, now)
			}
			if x.Notice {
				x.Latches.Notice(&r.o)
			}
		}
		x.Latches.Kept(&r.o)
	}
	x.window = x.window[:n]
}

// compare passes the operands to the checker. An operation of fixed latency begins to execute in the next cycle,
// and uses the values there by then; so does another whose operands are bypassed.
func (x *SubCore) compare(r *reading, now wire.Cycle) {
	t, at := &r.o.Inst.T, now
	if r.fixed || x.spec.bypasses(r.o.Inst) {
		at++
	}
	later := x.hops[kindOf(r.o.Inst)]
	for i := range int(t.NSrc) {
		if r.known>>i&1 == 0 {
			r.values[i] = x.Results.HoldsAt(r.o.Warp, t.Src[i], at, later)
		}
	}
	if r.fixed {
		x.cache.learn(x, r)
	}
	n := int(t.NSrc)
	if x.spec.Halves > 0 && wideAddend(r.o.Inst) && r.known>>(n-1)&1 == 0 {
		n--
		x.upper = append(x.upper, upperWord{x.Checker.Later(x.Name(), &r.o, n), now + wire.Cycle(x.spec.Halves)})
	}
	if late := x.spec.Collect; late > 0 && !r.fixed && !t.Class.Memory() {
		for i := range n {
			x.upper = append(x.upper, upperWord{x.Checker.Later(x.Name(), &r.o, i), now + wire.Cycle(late)})
		}
		n = 0
	}
	for i := range n {
		x.Checker.Operand(x.Name(), now, &r.o, i, &r.values[i])
	}
	x.Checker.AtUnit(x.Name(), now, &r.o)
}

// upperWord is an operand that is read later than those of other arithmetic. It may be the upper word of the addend of
// a two-word product, because the multiplier makes the lower word first, or an operand collected beside the arithmetic.
type upperWord struct {
	version.Wanted
	at wire.Cycle // the cycle before it is read
}

// wideAddend reports whether the last source of an instruction is the upper word of such an addend.
func wideAddend(in *ir.Inst) bool {
	last := len(in.Src) - 1
	for last > 0 && in.Src[last].Kind == ir.KindPred { // a carry
		last--
	}
	return in.T.Wide() && last >= 0 && in.Src[last].Kind == ir.KindReg && in.Src[last].Words == 2
}

// compareUpper passes the upper words that are read in the next cycle to the checker.
func (x *SubCore) compareUpper(now wire.Cycle) {
	n := 0
	for i := range x.upper {
		u := &x.upper[i]
		if u.at > now {
			x.upper[n] = *u
			n++
			continue
		}
		warp, reg := u.Of()
		c := x.Results.HoldsAt(warp, reg, now+1, nil)
		x.Checker.Late(x.Name(), now, &u.Wanted, &c)
	}
	x.upper = x.upper[:n]
}
