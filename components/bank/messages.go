package bank

import (
	"kumiko/components/version"
	"kumiko/kernel/ir"
)

// Kind is the kind of an access.
type Kind uint8

// Kinds of accesses.
const (
	Read  Kind = iota
	Write      // writes the lanes of Content and keeps the others
	Fill       // writes the whole entry: lanes without a version hold none afterwards
)

// Cause is the purpose for which a bank is accessed; accesses are counted by it.
type Cause uint8

// Causes of accesses.
const (
	Operand  Cause = iota // a source of an instruction
	Result                // a destination of an instruction
	Eviction              // a value that leaves a register cache, or comes to make room
	Flush                 // a value moved because its warp leaves the active set or comes back to it
	Prefetch              // a value moved ahead of its use
	Switch                // a value moved because a CTA is switched in or out
	Line                  // a line of a cache that lies in register banks
	NumCauses
)

var causeNames = [NumCauses]string{"operand", "result", "eviction", "flush", "prefetch", "switch", "line"}

// String is the cause's name in statistics.
func (c Cause) String() string { return causeNames[c] }

// Access is one access to one entry of one bank.
type Access struct {
	// Content of a write is what is written. Of a read, Lanes are the lanes that
	// are wanted: they decide which slices of a narrow bank are switched on.
	Content version.Content
	Entry   uint32
	Tag     uint32 // the requester's own; a value returns it
	Bank    uint8
	To      uint8 // requester, which is the crossbar output to which the value goes
	Slot    uint8 // the requester's own; a value returns it
	Kind    Kind
	Cause   Cause
	Reg     ir.RegID // of a write: the register
	Warp    uint16   // of a write: its warp context
	Word    Word     // for the block before the banks
}

// MaxReads is how many reads a Request holds.
const MaxReads = 4

// Request has the registers that one requester reads in one cycle, the first N of the
// arrays; Entry, Bank, Slot, Tag, To and Cause are as in Access. The fields beyond
// the registers' places are for blocks between the collectors and the banks.
type Request struct {
	Tag   uint32
	Lanes uint32
	Entry [MaxReads]uint32
	Bank  [MaxReads]uint8
	Slot  [MaxReads]uint8
	Reg   [MaxReads]ir.RegID
	Word  [MaxReads]Word
	Warp  uint16 // warp context
	N     uint8
	To    uint8
	Cause Cause
}

// Capture reports a register whose value a collector has captured without a read.
type Capture struct {
	Lanes uint32 // that execute
	Warp  uint16
	Reg   ir.RegID
	Word  Word
}

// Value is the result of a read.
type Value struct {
	Content version.Content // zero unless checking
	Tag     uint32
	To      uint8
	Slot    uint8
	Cause   Cause
}

// Word is the information that a block before the banks, such as a register cache, needs of an
// operand or a result beside the place of its register. It travels with the request or the write,
// and with the notice of a captured operand. Only that block knows its meaning.
type Word uint8

// Words make the words of a block before the banks.
type Words struct {
	// Source is the word of source i of an instruction; nil: there is none, nor
	// notices of captured operands.
	Source func(t *ir.Timing, i int) Word
	// Last has the bits of a source's word that hold only for the last read of the
	// register that is under way. Collectors need not send their requests in program
	// order, so they clear these bits while another request for the register is still
	// to be sent.
	Last Word
	// AnyOrder: requests need not come in the order of issue.
	AnyOrder bool
	// Result is the word of destination i; nil: there is none.
	Result func(t *ir.Timing, i int) Word
}
