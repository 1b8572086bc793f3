package regfile

import "kumiko/kernel/ir"

// Inserter inserts operations of its own into the instruction stream.
//
// Contract: its kind's Admit decides where (Admission.Insert). Fetch inserts the operation of a group before an
// instruction of the group whenever the warp's previous instruction was of another group. So a loop within a group
// has one operation, whatever path enters it. An operation takes a fetch and an entry of the instruction buffer. It
// is no instruction of the program: it is counted separately, and streams do not contain it. Its issue is reported
// by a WarpInserted notice.
type Inserter interface {
	// Inserts names the operations in reports, such as "prefetch".
	Inserts() string
}

// NoGroup is the group of instructions without an inserted operation.
const NoGroup = -1

// Insertions are the operations inserted into the stream of a kernel's warps.
type Insertions struct {
	Group []int32    // of each instruction of the kernel, or NoGroup
	Ops   []Inserted // by group
}

// Inserted is an operation inserted into the stream.
type Inserted struct {
	// Bytes is the size of its code, which lies before the first instruction of its group.
	Bytes int
	// Slot: it takes an issue slot. Otherwise it issues in parallel with instructions.
	Slot bool
	// Drained: it issues after all earlier operations of the warp have read their operands.
	Drained bool
}

// PC returns the program counter used by schedulers for the operation of a group. These program counters follow
// those of the kernel's instructions.
func (x *Insertions) PC(group int32) uint32 { return uint32(len(x.Group)) + uint32(group) }

// inserted is an inserted operation as seen by schedulers: it occupies no unit and names no register.
var inserted = ir.Inst{Op: ir.OpNop}

// InsertedInst returns the instruction representing every inserted operation.
func InsertedInst() *ir.Inst { return &inserted }
