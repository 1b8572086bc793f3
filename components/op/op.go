package op

import (
	"kumiko/components/wire"
	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
)

// Op is an operation that a scheduler has issued: one warp instruction in
// flight.
type Op struct {
	Inst   *ir.Inst
	Access *stream.Access // memory instructions with an executing lane
	Issued wire.Cycle
	// Tag numbers the operations of an SM in issue order, from 1. It is also
	// the version that the operation writes.
	Tag  uint32
	Exec uint32 // lanes that execute
	Warp uint16 // warp context of the SM
	// Sched is the scheduler that issued it, Unit the execution unit that the
	// scheduler chose (an index over the SM's units).
	Sched uint8
	Unit  uint8
	// Announced belongs to the register file: it has told the scheduler already
	// that operations may be issued which read the result.
	Announced bool
}

// Result is an operation whose destination registers are to be written; every
// destination is written under the mask Exec.
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

// Result is the result of the operation.
func (o *Op) Result() Result {
	return Result{Inst: o.Inst, Tag: o.Tag, Exec: o.Exec, Warp: o.Warp, Sched: o.Sched, Unit: o.Unit,
		Announced: o.Announced}
}

// Done tells a scheduler that whatever it issues from now on reads the
// destinations of operation Tag as written.
type Done struct {
	Inst *ir.Inst
	Tag  uint32
	Warp uint16
}

// Taken tells a scheduler that an operation which it issued for execution unit
// Unit has left its issue register.
type Taken struct{ Unit uint8 }

// Read tells a scheduler that operation Tag has read all its sources, so that
// they may be overwritten (write-after-read hazards).
type Read struct {
	Inst *ir.Inst
	Tag  uint32
	Warp uint16
}

// Time is how long an execution unit takes for an operation.
type Time struct {
	// Latency is from entry to the arrival of the value at the register file,
	// in cycles; 0: it is not known beforehand.
	Latency uint16
	// Initiation is for how many cycles nothing else enters.
	Initiation uint16
}

// Times are the times of an execution unit by timing class.
type Times [ir.NumClasses]Time
