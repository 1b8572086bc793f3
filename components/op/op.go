package op

import (
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Op is an issued operation: one warp instruction in flight.
type Op struct {
	Inst   *ir.Inst
	Access *stream.Access // memory instructions with an executing lane
	Issued wire.Cycle
	// Tag numbers the operations of an SM in issue order, from 1. It is also the version written by the operation.
	Tag  uint32
	Exec uint32 // executing lanes
	Warp uint16 // warp context of the SM
	// Sched is the issuing scheduler. Unit is the execution unit chosen by the scheduler (an index over the SM's
	// units).
	Sched uint8
	Unit  uint8
	// Announced belongs to the register file. It is set once the scheduler has been notified that it may issue
	// readers of the result.
	Announced bool
}

// Result is the result of an operation, to be written to its destination registers. Every destination is written
// under the mask Exec.
type Result struct {
	Inst  *ir.Inst
	Tag   uint32
	Exec  uint32
	Warp  uint16
	Sched uint8
	Unit  uint8
	// Announced is as in Op.
	Announced bool
}

// Result returns the result of the operation.
func (o *Op) Result() (r Result) {
	o.ResultIn(&r)
	return r
}

// ResultIn fills in the result of the operation in its place, which is quicker than a copy.
func (o *Op) ResultIn(r *Result) {
	r.Inst, r.Tag, r.Exec, r.Warp = o.Inst, o.Tag, o.Exec, o.Warp
	r.Sched, r.Unit, r.Announced = o.Sched, o.Unit, o.Announced
}

// Done notifies a scheduler that all operations issued from now on will read the destinations of operation Tag as
// written.
type Done struct {
	Inst *ir.Inst
	Tag  uint32
	Warp uint16
}

// Taken notifies a scheduler when one of its operations for execution unit Unit leaves its issue register.
type Taken struct{ Unit uint8 }

// Read notifies a scheduler when operation Tag has read all its sources. From then on they may be overwritten
// (write-after-read hazards).
type Read struct {
	Inst *ir.Inst
	Tag  uint32
	Warp uint16
}

// Time is the latency and the initiation interval of an operation in an execution unit.
type Time struct {
	// Latency is the number of cycles from entry to the arrival of the value at the register file; 0: not known
	// beforehand.
	Latency uint16
	// Initiation is the number of cycles until another operation can enter.
	Initiation uint16
}

// ProductWork is the number of multiply-adds to which the rates of matrix products refer: those of m16n8k16.
const ProductWork = 2048

// Times holds the Time of an execution unit for each timing class.
type Times struct {
	Class [ir.NumClasses]Time
	// Product has, by kind of matrix product, the cycles of the unit's input that ProductWork multiply-adds of a
	// warp take; 0: the time of the class.
	Product [ir.NumProducts]uint16
	// Upper are the cycles of the unit's input that a product of integers with an upper word takes; 0: the time of
	// the class.
	Upper uint16
	// Hold are the cycles for which such a product takes the inputs of other units.
	Hold uint16
}

// Held returns the cycles for which an operation that takes other units' inputs does so.
func (t *Times) Held(in *ir.Inst) uint16 {
	switch {
	case in.T.Upper:
		return t.Hold
	case in.T.Class == ir.ClassIntMul:
		return 0
	}
	return t.Class[in.T.Class].Initiation
}

// Of returns the time of an instruction. A product of a warpgroup has its result once its last rows have entered.
func (t *Times) Of(in *ir.Inst) Time {
	k := t.Class[in.T.Class]
	if in.T.Upper && t.Upper != 0 {
		k.Initiation = t.Upper
	}
	if c := t.Product[in.T.Product]; c != 0 && in.T.Work != 0 {
		cycles := (uint64(in.T.Work)*uint64(c) + ProductWork - 1) / ProductWork
		k.Initiation = uint16(min(cycles, 1<<16-1))
		if in.T.Product.Group() {
			k.Latency = max(k.Latency, k.Initiation)
		}
	}
	return k
}
