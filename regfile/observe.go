package regfile

import "kumiko/components/wire"

// Reader is a block of a design that tells what becomes of operations until their units have them,
// to people who look. Without an observer that costs nothing.
//
// Contract: f is called in the cycle of an event, and what the block does never depends on it.
type Reader interface{ Observe(f func(Reading)) }

// Reading is an event of an operation that reads its operands.
type Reading struct {
	Now   wire.Cycle
	Tag   uint32
	Event ReadingEvent
	// Of ReadHeld: the bank, of the sub-core, and the operation that has its port; it may be the
	// same one, or 0 where it is not known.
	Bank uint8
	By   uint32
}

// ReadingEvent is something that happens to an operation before its unit has it.
type ReadingEvent uint8

// Events of operations that read.
const (
	ReadBegins ReadingEvent = iota // it begins to read
	ReadEnds                       // it has all operands
	ReadHeld                       // for this cycle, a register waits for its bank
)
