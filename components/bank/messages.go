package bank

import (
	"kumiko/components/version"
	"kumiko/kernel/ir"
)

// SourceBits are the bits of an operand's Slot that say which source of the instruction the operand is. A design may
// use the bits above them between blocks of its own.
const SourceBits = 1<<5 - 1

// Kind is the kind of an access.
type Kind uint8

// Kinds of accesses.
const (
	Read   Kind = iota
	Write       // writes the lanes of Content and keeps the others
	Fill        // writes the whole entry: lanes without a version hold none afterwards
	Packed      // writes all lanes, compressed into the first Slot groups of four lanes
)

// Cause is the purpose of a bank access. Accesses are counted by cause.
type Cause uint8

// Causes of accesses.
const (
	Operand   Cause = iota // a source of an instruction
	Result                 // a destination of an instruction
	Eviction               // a value moved by an eviction from a register cache
	Flush                  // a value moved because its warp leaves the active set or comes back to it
	Prefetch               // a value moved ahead of its use
	Switch                 // a value moved because a CTA is switched in or out
	Line                   // a line of a cache in register banks
	Expansion              // a compressed value to be stored in full
	NumCauses
)

var causeNames = [NumCauses]string{"operand", "result", "eviction", "flush", "prefetch", "switch", "line",
	"expansion"}

// String returns the cause's name in statistics.
func (c Cause) String() string { return causeNames[c] }

// Access is one access to one entry of one bank.
type Access struct {
	// Content of a write is the content to be written. In the Content of a read only Lanes are set, the lanes
	// wanted: they decide which slices of a narrow bank are switched on.
	Content version.Content
	Entry   uint32
	Tag     uint32 // the requester's own; a value returns it
	Bank    uint8
	To      uint8 // requester: the crossbar output for the value
	Slot    uint8 // the requester's own; a value returns it
	Kind    Kind
	Cause   Cause
	Reg     ir.RegID // of a write: the register
	Warp    uint16   // of a write: its warp context
	Hint    Hint     // for the block before the banks
}

// MaxReads is the capacity of a Request, in reads.
const MaxReads = 4

// Request holds the registers read by one requester in one cycle, in the first N elements of the arrays. Entry,
// Bank, Slot, Tag, To and Cause are as in Access. Reg, Hint and Warp are for blocks between the collectors and the
// banks.
type Request struct {
	Tag   uint32
	Lanes uint32
	Entry [MaxReads]uint32
	Bank  [MaxReads]uint8
	Slot  [MaxReads]uint8
	Reg   [MaxReads]ir.RegID
	Hint  [MaxReads]Hint
	Warp  uint16 // warp context
	N     uint8
	To    uint8
	Cause Cause
}

// Capture notifies a block before the banks that a collector has captured an operand without a read.
type Capture struct {
	Lanes uint32 // executing lanes
	Warp  uint16
	Reg   ir.RegID
	Hint  Hint
}

// Value is the result of a read.
type Value struct {
	Content version.Content // zero unless checking
	Tag     uint32
	To      uint8
	Slot    uint8
	Cause   Cause
}

// Hint is sideband information about an operand or a result, for a block before the banks such as a register cache.
// It travels with the read request or the write, and with the notice of a captured operand. Only the block before
// the banks knows its meaning.
type Hint uint8

// Hints makes the Hint of each operand and result for a block before the banks.
type Hints struct {
	// Source returns the hint of source i of an instruction. nil: sources have no hints, and captured operands no
	// notices.
	Source func(t *ir.Timing, i int) Hint
	// Last holds the bits of a source's hint that have a meaning only for the last outstanding read of the register.
	// Collectors may send requests out of program order, so they clear these bits while another request for the
	// register is still unsent.
	Last Hint
	// AnyOrder permits requests out of issue order.
	AnyOrder bool
	// Result returns the hint of destination i; nil: results have no hints.
	Result func(t *ir.Timing, i int) Hint
}
