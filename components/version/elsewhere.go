package version

import (
	"fmt"
	"math/bits"
	"slices"

	"kumiko/components/op"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// Predicates and uniform registers are numbered together: predicates from 0 on, as in the bit sets
// of ir.Timing, and uniform registers after them.
const (
	firstUniform = 32
	numNames     = firstUniform + 64
)

// nameOf returns the name of a predicate or uniform register read by an instruction. Traces have uniform
// predicates; compiled programs have more predicates.
func nameOf(n int, in *ir.Inst) string {
	switch {
	case n >= firstUniform:
		return fmt.Sprintf("UR%d", n-firstUniform)
	case n >= ir.UniformPreds && in.Sym != "":
		return fmt.Sprintf("UP%d", n-ir.UniformPreds)
	}
	return fmt.Sprintf("P%d", n)
}

// elsewhere follows the predicates and uniform registers of an SM's warps, which are in no register file. An
// operand read at issue has the version announced to the scheduler. Under scoreboards every operand is read at
// issue. Under control words only guards are read at issue, and the operands of instructions that end at issue.
// Other operands are read at the unit. The unit sees a result before the scheduler does.
type elsewhere struct {
	timed     bool
	newest    []Content           // by warp and number, in program order
	announced []Content           // likewise, as far as announced to schedulers
	guards    wire.Cycle          // how much later than announced a guard sees a predicate
	waiting   []announcement      // those that guards do not see yet, by time
	writers   ring[uint32]        // the lanes of the writers not yet announced
	writtenBy []writer            // by warp and number, the newest; nil: not explained
	there     []Content           // timed: by warp and number, as far as units see results
	arrivals  []arrival           // timed: results not yet in there, by time
	early     wire.Cycle          // by how much results of ir.ClassUniformMove arrive before others
	readers   ring[elsewhereRead] // timed: operations yet to read
	reads     []reading           // timed: the entries of readers into units, by time
}

// elsewhereRead holds the versions that an operation has to read, in the order in which each visits the predicates and
// uniform registers.
type elsewhereRead struct {
	o    op.Op
	want []Content
	by   []writer // where the checker explains
}

// announcement is an announced result that guards see from cycle at on.
type announcement struct {
	at    wire.Cycle
	d     op.Done
	lanes uint32
}

// arrival is a result, visible to units from cycle at on.
type arrival struct {
	at wire.Cycle
	r  op.Result
}

// reading is the read of an operation's operands by its unit in cycle at.
type reading struct {
	at    wire.Cycle
	block string
	tag   uint32
}

// each calls f with the number of each member of a set of predicates and of one of uniform registers.
func each(preds uint32, uniform uint64, f func(n int)) {
	for ; preds != 0; preds &= preds - 1 {
		f(bits.TrailingZeros32(preds))
	}
	for ; uniform != 0; uniform &= uniform - 1 {
		f(firstUniform + bits.TrailingZeros64(uniform))
	}
}

// lanesOf returns the lanes of a predicate or uniform register read or written by an operation. A uniform register
// belongs to the warp as a whole.
func lanesOf(n int, exec uint32) uint32 {
	if n >= firstUniform {
		return FullMask
	}
	return exec
}

// operands returns the predicates and uniform registers read by an instruction after issue.
func (e *elsewhere) operands(in *ir.Inst) (preds uint32, uniform uint64) {
	if !e.timed {
		return 0, 0
	}
	return in.T.SrcPreds &^ guardOf(in), in.T.SrcUniform
}

// guardOf returns the set with the guard predicate of an instruction, empty if it has none.
func guardOf(in *ir.Inst) uint32 {
	if in.Guard.Kind != ir.KindPred {
		return 0
	}
	return in.T.SrcPreds & (1 << uint(in.Guard.Reg))
}

// issue records the versions to be read by an operation at its unit, and makes the operation the newest writer of
// its destinations.
func (e *elsewhere) issue(o *op.Op) {
	in := o.Inst
	if preds, uniform := e.operands(in); preds != 0 || uniform != 0 {
		r := e.readers.add(o.Tag)
		r.o, r.want, r.by = *o, r.want[:0], r.by[:0]
		each(preds, uniform, func(n int) {
			r.want = append(r.want, e.newest[int(o.Warp)*numNames+n])
			r.by = append(r.by, e.writer(o.Warp, n))
		})
	}
	if in.T.Elsewhere() {
		*e.writers.add(o.Tag) = o.Exec
		write(e.newest, in, o.Warp, o.Tag, o.Exec)
		if e.writtenBy != nil {
			row := e.writtenBy[int(o.Warp)*numNames:][:numNames]
			each(in.T.DstPreds, in.T.DstUniform, func(n int) { row[n] = writer{in, o.Issued} })
		}
	}
}

// writer returns the newest writer of a predicate or uniform register, where the checker explains.
func (e *elsewhere) writer(warp uint16, n int) writer {
	if e.writtenBy == nil {
		return writer{}
	}
	return e.writtenBy[int(warp)*numNames+n]
}

// write makes the destinations of an instruction hold a version.
func write(to []Content, in *ir.Inst, warp uint16, tag, exec uint32) {
	row := to[int(warp)*numNames:][:numNames]
	each(in.T.DstPreds, in.T.DstUniform, func(n int) { row[n] = row[n].Write(tag, lanesOf(n, exec)) })
}

// see makes the announced results whose delay is over visible to guards.
func (e *elsewhere) see(now wire.Cycle) {
	i := 0
	for ; i < len(e.waiting) && e.waiting[i].at <= now; i++ {
		a := &e.waiting[i]
		write(e.announced, a.d.Inst, a.d.Warp, a.d.Tag, a.lanes)
	}
	if i > 0 {
		e.waiting = append(e.waiting[:0], e.waiting[i:]...)
	}
}

// arrive makes the results of this cycle and all earlier ones visible to the units.
func (e *elsewhere) arrive(cycle wire.Cycle) {
	i := 0
	for ; i < len(e.arrivals) && e.arrivals[i].at <= cycle; i++ {
		r := &e.arrivals[i].r
		write(e.there, r.Inst, r.Warp, r.Tag, r.Exec)
	}
	if i > 0 {
		e.arrivals = append(e.arrivals[:0], e.arrivals[i:]...)
	}
}

// settle carries out the reads and the arrivals before a cycle. It calls differs for each operand with a wrong
// version.
func (e *elsewhere) settle(before wire.Cycle, differs func(r *reading, f *elsewhereRead, k, n int, found *Content)) {
	i := 0
	for ; i < len(e.reads) && e.reads[i].at < before; i++ {
		r := &e.reads[i]
		e.arrive(r.at)
		f, k := e.readers.find(r.tag), 0
		preds, uniform := e.operands(f.o.Inst)
		each(preds, uniform, func(n int) {
			want, found := &f.want[k], &e.there[int(f.o.Warp)*numNames+n]
			if !want.EqualOn(found, lanesOf(n, f.o.Exec)&want.Mask()) {
				differs(r, f, k, n, found)
			}
			k++
		})
		e.readers.drop(r.tag)
	}
	if i > 0 {
		e.reads = append(e.reads[:0], e.reads[i:]...)
	}
	if before > 0 {
		e.arrive(before - 1)
	}
}

// start clears the versions of a warp: nothing is written.
func (e *elsewhere) start(warp uint16) {
	e.waiting = slices.DeleteFunc(e.waiting, func(a announcement) bool { return a.d.Warp == warp })
	for _, set := range [][]Content{e.newest, e.announced, e.there} {
		if set != nil {
			clear(set[int(warp)*numNames:][:numNames])
		}
	}
}

// Timed makes the checker expect that operands of instructions under control words, except their guards, are read
// at their units. The units must then report their results by Arrives.
func (k *Checker) Timed() {
	if k != nil {
		k.elsewhere.timed = true
		k.elsewhere.there = make([]Content, k.warps*numNames)
		k.elsewhere.readers = newRing[elsewhereRead]()
	}
}

// UniformMoves says how many cycles moves into uniform registers are earlier in their file than other results of
// the same cycle are at the register file: they do not go by way of writeback.
func (k *Checker) UniformMoves(early int) {
	if k != nil {
		k.elsewhere.early = wire.Cycle(max(early, 0))
	}
}

// Arrives makes a result visible to operations entering their units in cycle at or later. Calls come in the order
// of at, none after cycle at. Moves into uniform registers are visible earlier.
func (k *Checker) Arrives(at wire.Cycle, r *op.Result) {
	if k == nil || !k.elsewhere.timed || !r.Inst.T.Elsewhere() {
		return
	}
	e := &k.elsewhere
	e.arrivals = append(e.arrivals, arrival{at, *r})
	if r.Inst.T.Class != ir.ClassUniformMove {
		return
	}
	i := len(e.arrivals) - 1
	for at -= min(e.early, at); i > 0 && e.arrivals[i-1].at > at; i-- {
		e.arrivals[i] = e.arrivals[i-1]
	}
	e.arrivals[i] = arrival{at, *r}
}

// Guards says how many cycles later than announced a guard sees a predicate whose writer raises no counter.
func (k *Checker) Guards(late int) {
	if k != nil {
		k.elsewhere.guards = wire.Cycle(late)
	}
}

// Announce makes a result visible to the instructions issued from now on, or to those after the delay of guards.
func (k *Checker) Announce(now wire.Cycle, d *op.Done) {
	if k == nil || !d.Inst.T.Elsewhere() {
		return
	}
	e := &k.elsewhere
	lanes := e.writers.find(d.Tag)
	switch {
	case lanes == nil:
		return
	case e.guards > 0 && e.timed && d.Inst.Control.Write == ir.NoCounter:
		e.waiting = append(e.waiting, announcement{now + e.guards, *d, *lanes})
	default:
		write(e.announced, d.Inst, d.Warp, d.Tag, *lanes)
	}
	e.writers.drop(d.Tag)
}

// AtIssue compares the operands read at issue with the newest versions in program order. After Timed only the guard
// is read at issue, unless the instruction ends there. exec holds the executing lanes. If exec is empty, it is not
// known which lanes read the guard. Then the guard is compared only if its newest write gave all lanes their value,
// because otherwise that write may belong to another path of the warp.
func (k *Checker) AtIssue(block string, now wire.Cycle, warp uint16, in *ir.Inst, exec uint32, ends bool) {
	if k == nil || in.T.SrcPreds == 0 && in.T.SrcUniform == 0 {
		return
	}
	e := &k.elsewhere
	e.see(now)
	preds, uniform := in.T.SrcPreds, in.T.SrcUniform
	if e.timed && !ends {
		preds, uniform = guardOf(in), 0
	}
	each(preds, uniform, func(n int) {
		want, found := &e.newest[int(warp)*numNames+n], &e.announced[int(warp)*numNames+n]
		lanes := lanesOf(n, exec) & want.Mask()
		if exec == 0 && want.Lanes == want.Mask() {
			lanes = want.Lanes
		}
		if !want.EqualOn(found, lanes) {
			k.differs(Violation{Block: block, Cycle: now, Warp: int(warp), Name: nameOf(n, in),
				Early: e.writer(warp, n).before(in, now)}, want, found, lanes)
		}
	})
}

// AtUnit retires an operation after all its operands were passed to the unit. The operation enters its unit in the
// next cycle, and reads its predicates and uniform registers there.
func (k *Checker) AtUnit(block string, now wire.Cycle, o *op.Op) {
	if k == nil {
		return
	}
	k.flights.drop(o.Tag)
	if !k.elsewhere.timed {
		return
	}
	if k.elsewhere.readers.find(o.Tag) != nil {
		k.elsewhere.reads = append(k.elsewhere.reads, reading{now + 1, block, o.Tag})
	}
	k.settle(now)
}

// settle carries out the reads before a cycle, and lists the wrong ones.
func (k *Checker) settle(before wire.Cycle) {
	k.elsewhere.settle(before, func(r *reading, f *elsewhereRead, i, n int, found *Content) {
		o, want := &f.o, &f.want[i]
		k.differs(Violation{Block: r.block, Cycle: r.at, Warp: int(o.Warp), Name: nameOf(n, o.Inst),
			Early: f.by[i].before(o.Inst, o.Issued)}, want, found, lanesOf(n, o.Exec)&want.Mask())
	})
}

// differs counts the wrong lanes, and lists the first one.
func (k *Checker) differs(v Violation, want, found *Content, lanes uint32) {
	m := want.differ(found, lanes)
	k.total += uint64(bits.OnesCount32(m))
	if len(k.list) < k.limit {
		v.Lane = bits.TrailingZeros32(m)
		v.Expected, v.Found = want.Lane(v.Lane), found.Lane(v.Lane)
		k.list = append(k.list, v)
	}
}
