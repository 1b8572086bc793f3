package scalar

import (
	"fmt"
	"slices"

	"kumiko/components/bank"
	"kumiko/components/version"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
	"kumiko/regfile/conventional"
)

// tag says where a register is.
type tag uint8

const (
	vector  tag = iota // in the banks
	uniform            // in the scalar file: equal values
	affine             // in the scalar file: values with a stride
	numTags
)

var tagNames = [numTags]string{"vector", "uniform", "affine"}

// String returns the name of the tag in statistics.
func (t tag) String() string { return tagNames[t] }

// Scalars is the scalar file of a sub-core.
type Scalars struct {
	wire.Comp
	conventional.Level

	spec     Spec
	regs     int
	tags     []tag             `row:"Scalars: tags"` // by context and register
	used     []uint16          `bits:"log(regs)"`    // by context: entries
	contents []version.Content // with checking: by context and register
	pending  []request         `part:"Request"` // the oldest first
	values   *version.Values
	check    *version.Checker
	count    counters
}

// request is a request of which a part may be served.
type request struct {
	bank.Request
	sent bool  // the registers of the banks are asked for
	left uint8 // a bit for each register yet to come from the scalar file
}

// newScalars builds the scalar file of a sub-core.
func newScalars(p *conventional.Part, s Spec) *Scalars {
	n := p.Env.Warps * p.Env.Registers
	x := &Scalars{spec: s, regs: p.Env.Registers, tags: make([]tag, n), used: make([]uint16, p.Env.Warps),
		pending: make([]request, 0, p.RequestRoom), values: p.Env.Values, check: p.Env.Checker}
	if x.check != nil {
		x.contents = make([]version.Content, n)
	}
	if s.Entries == 0 {
		x.spec.Entries = p.Env.Registers
	}
	x.Init(p.Name+".Scalars", p.Env.Domain, x)
	x.InitPorts(&x.Comp, p, 1, true)
	x.count.register(x.Name(), p.Env.Stats)
	return x
}

// extension returns the ports of the scalar file for the conventional file.
func (x *Scalars) extension() *conventional.Extension {
	e := x.Before(x.spec.Reads)
	e.Writes, e.Causes = 2, 1<<bank.Expansion
	return e
}

// Tick receives notices, then results, then requests. It returns true if something waits.
func (x *Scalars) Tick(now wire.Cycle) bool {
	for i := range x.Notices {
		for m := x.Notices[i].Take(); m != nil; m = x.Notices[i].Take() {
			clear(x.tags[int(m.Warp)*x.regs:][:x.regs])
			x.used[m.Warp] = 0
		}
	}
	return !x.takeResults() || x.takeRequests(now) // a read must not overtake a result
}

// entryIndex returns the place of a register in the table of tags.
func (x *Scalars) entryIndex(warp uint16, r ir.RegID) int { return int(warp)*x.regs + int(r) }

// tagOf returns the tag of a value written to all lanes, if it could be in the scalar file.
func (s *Spec) tagOf(v stream.Value, lanes uint32) tag {
	switch {
	case lanes != version.FullMask:
		return vector
	case v.Difference() == stream.Equal:
		return uniform
	case s.Affine && v.Affine():
		return affine
	}
	return vector
}

// takeResults stores the arrived results in the scalar file or sends them on to the banks. It returns false when one
// must wait.
func (x *Scalars) takeResults() bool {
	for a := x.Result.Head(); a != nil; a = x.Result.Head() {
		if x.Write.Room(2) < 2 {
			x.count.resultWaits++
			return false
		}
		i := x.entryIndex(a.Warp, a.Reg)
		t := x.spec.tagOf(x.values.Take(a.Content.Seq, a.Reg), a.Content.Lanes)
		held := x.tags[i] != vector
		if t != vector && !held && int(x.used[a.Warp]) == x.spec.Entries {
			t = vector
			x.count.past++
		}
		switch {
		case t != vector:
			x.keep(a, t, held)
		case held:
			x.drop(a)
			fallthrough
		default:
			x.send(a)
			x.count.writes[vector]++
		}
		x.Result.Pop()
	}
	return true
}

// keep stores a result in the scalar file. held: its register has an entry.
func (x *Scalars) keep(a *bank.Access, t tag, held bool) {
	i := x.entryIndex(a.Warp, a.Reg)
	if !held {
		x.used[a.Warp]++
	}
	x.tags[i] = t
	if x.contents != nil {
		x.contents[i] = a.Content
	}
	x.count.writes[t]++
}

// drop frees the entry of a register before a result for the banks. Its value goes there first if some lanes stay.
func (x *Scalars) drop(a *bank.Access) {
	i := x.entryIndex(a.Warp, a.Reg)
	x.tags[i] = vector
	x.used[a.Warp]--
	if a.Content.Lanes == version.FullMask {
		return
	}
	old := *a
	old.Cause, old.Content = bank.Expansion, version.Content{Lanes: version.FullMask}
	if x.contents != nil {
		old.Content = x.contents[i]
	}
	x.send(&old)
	x.count.spread++
}

// send sends a write to the banks.
func (x *Scalars) send(a *bank.Access) {
	*x.Write.Slot() = *a
	x.Write.PutSlot()
}

// events are the events of warps that give up registers.
var events = regfile.Events(regfile.WarpStarted, regfile.WarpFinished)

// takeRequests serves requests, the oldest first. It returns true if requests are left.
func (x *Scalars) takeRequests(now wire.Cycle) bool {
	for r := x.Request.Head(); r != nil && len(x.pending) < cap(x.pending); r = x.Request.Head() {
		x.pending = append(x.pending, request{Request: *r})
		x.Request.Pop()
	}
	ports := x.spec.Reads
	for i := 0; i < len(x.pending); {
		r := &x.pending[i]
		if !r.sent && !x.divide(r, now) || !x.give(r, &ports) {
			x.count.waits++
			i++
			continue
		}
		x.pending = slices.Delete(x.pending, i, i+1)
	}
	return len(x.pending) > 0 || x.Request.Head() != nil
}

// divide sends the registers of a request in the banks on. It returns false if the port is full.
func (x *Scalars) divide(r *request, now wire.Cycle) bool {
	if !x.Read.CanPut() {
		return false
	}
	var on *bank.Request
	for i := range r.N {
		t := x.tags[x.entryIndex(r.Warp, r.Reg[i])]
		x.count.reads[t]++
		x.compare(r, i, t, now)
		if t != vector {
			r.left |= 1 << i
			continue
		}
		if on == nil {
			on = x.Read.Slot()
			*on = r.Request
			on.N = 0
		}
		n := on.N
		on.Bank[n], on.Entry[n], on.Reg[n], on.Slot[n] = r.Bank[i], r.Entry[i], r.Reg[i], r.Slot[i]
		on.N++
	}
	if on != nil {
		x.Read.PutSlot()
	}
	r.sent = true
	return true
}

// give gives registers of a request from the scalar file, as many as ports are left. It returns false if some remain.
func (x *Scalars) give(r *request, ports *int) bool {
	for i := range r.N {
		if r.left>>i&1 == 0 {
			continue
		}
		if *ports == 0 || !x.Operand.CanPut() {
			return false
		}
		*ports--
		r.left &^= 1 << i
		v := x.Operand.Slot()
		*v = bank.Value{Tag: r.Tag, To: r.To, Slot: r.Slot[i], Cause: r.Cause}
		if x.contents != nil {
			v.Content = x.contents[x.entryIndex(r.Warp, r.Reg[i])]
		}
		x.Operand.PutSlot()
	}
	return true
}

// compare compares the tag of a register with the value that the reader is to read, with checking. A register in the
// banks may have any value.
func (x *Scalars) compare(r *request, i uint8, t tag, now wire.Cycle) {
	if x.check == nil || t == vector {
		return
	}
	w, ok := x.values.Before(r.Warp, r.Reg[i], r.Tag)
	if !ok {
		return
	}
	if want := x.spec.tagOf(w.Class, w.Lanes); want != t {
		x.check.Form(x.Name(), now, r.Warp, r.Reg[i], t.String(), want.String())
	}
}

// Waiting reports the messages held up by the scalar file.
func (x *Scalars) Waiting() string {
	n, r := x.Request.Len()+len(x.pending), x.Result.Len()
	if n+r == 0 {
		return ""
	}
	return fmt.Sprintf("%d requests and %d results wait", n, r)
}
