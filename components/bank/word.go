package bank

import "kumiko/kernel/ir"

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
