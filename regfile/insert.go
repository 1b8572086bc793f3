package regfile

import "kumiko/kernel/ir"

// Inserter puts operations of its own into the instruction stream.
//
// Contract: its kind's Admit says where (Admission.Insert). Fetch puts the operation
// of a group before an instruction of that group whenever the warp's instruction
// before it was of another one, so that a loop within a group has one operation, on
// whatever path it is entered. An operation takes a fetch and an entry of the
// instruction buffer. It is no instruction of the program: it is counted apart, and
// streams know nothing of it. Its issue is told by a WarpInserted notice.
type Inserter interface {
	// Inserts names the operations in reports, such as "prefetch".
	Inserts() string
}

// NoGroup is the group of instructions before which nothing is put.
const NoGroup = -1

// Insertions are the operations that go into the stream of a kernel's warps.
type Insertions struct {
	Group []int32    // of each instruction of the kernel, or NoGroup
	Ops   []Inserted // by group
}

// Inserted is an operation that goes into the stream.
type Inserted struct {
	// Bytes of code that it takes before the first instruction of its group.
	Bytes int
	// Slot: it takes an issue slot. Otherwise it issues beside instructions.
	Slot bool
	// Drained: it issues when the warp's operations have read all their operands.
	Drained bool
}

// PC is the program counter by which schedulers know the operation of a group: behind
// those of the kernel's instructions.
func (x *Insertions) PC(group int32) uint32 { return uint32(len(x.Group)) + uint32(group) }

// inserted is what an operation is to schedulers: it occupies no unit and names no
// register.
var inserted = ir.Inst{Op: ir.OpNop}

// InsertedInst is the instruction that stands for every inserted operation.
func InsertedInst() *ir.Inst { return &inserted }
