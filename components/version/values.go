package version

import (
	"fmt"

	"kumiko/components/op"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Values has the classes of the values of an SM's results in flight, for register files that store registers by value.
// A value has the version of its operation. With checking it knows the last writes of each register too.
type Values struct {
	flights ring[results]
	regs    int
	past    []past // with checking: by warp and register
}

// results are the classes of the results of an operation not yet taken.
type results struct {
	reg   [ir.NumDests]ir.RegID
	class [ir.NumDests]stream.Value
	left  uint8 // not yet taken
}

// remembered is the number of writes of a register known to a check. More are seldom between a read and its operation.
const remembered = 4

// past has the last writes of a register, the newest at at.
type past struct {
	writes [remembered]Written
	at     uint8
}

// Written is a write of a register: its version, its lanes, and the class of the whole register after it.
type Written struct {
	Tag   uint32
	Lanes uint32
	Class stream.Value
}

// NewValues returns the values of an SM with the given numbers of warp contexts and of registers per warp.
func NewValues(warps, registers int, check bool) *Values {
	v := &Values{flights: newRing[results](), regs: registers}
	if check {
		v.past = make([]past, warps*registers)
	}
	return v
}

// Issue adds the classes of the destination registers of o, in their order. It is called once for an operation with
// destination registers and an executing lane, in program order within each warp.
func (v *Values) Issue(o *op.Op, classes []stream.Value) {
	t := &o.Inst.T
	r := v.flights.add(o.Tag)
	r.reg, r.left = t.Dst, t.NDst
	copy(r.class[:], classes[:t.NDst])
	if v.past == nil {
		return
	}
	for i, reg := range t.Dst[:t.NDst] {
		p := &v.past[int(o.Warp)*v.regs+int(reg)]
		p.at = (p.at + 1) % remembered
		p.writes[p.at] = Written{Tag: o.Tag, Lanes: o.Exec, Class: classes[i]}
	}
}

// Start forgets the writes of the warp that had the warp context before. On a nil Values it does nothing.
func (v *Values) Start(warp uint16) {
	if v != nil && v.past != nil {
		clear(v.past[int(warp)*v.regs:][:v.regs])
	}
}

// Take returns the class of a result, the register reg of operation tag, when its write comes to the register file.
// It is called once for each.
func (v *Values) Take(tag uint32, reg ir.RegID) stream.Value {
	r := v.flights.find(tag)
	if r == nil {
		panic(fmt.Sprintf("version: R%d of operation %d has no value, or was taken before", reg, tag))
	}
	out := stream.Unlike
	for i := range r.reg {
		if r.reg[i] == reg {
			out = r.class[i]
			break
		}
	}
	if r.left--; r.left == 0 {
		v.flights.drop(tag)
	}
	return out
}

// Before returns the newest write of a register by an operation before operation tag of the same warp. ok is false if
// it is not known, as always without checking.
func (v *Values) Before(warp uint16, reg ir.RegID, tag uint32) (w Written, ok bool) {
	if v.past == nil {
		return w, false
	}
	p := &v.past[int(warp)*v.regs+int(reg)]
	for i := range uint8(remembered) {
		w = p.writes[(p.at+remembered-i)%remembered]
		if w.Tag < tag {
			return w, w.Tag != 0
		}
	}
	return w, false
}
