package regfile

import "kumiko/components/wire"

// Reader is a block of a design that reports the progress of operations until they reach their units, to observers.
// Without an observer this costs nothing.
//
// Contract: f is called in the cycle of an event. The block's behaviour never depends on f.
type Reader interface{ Observe(f func(Reading)) }

// Reading is an event of an operation reading its operands.
type Reading struct {
	Now   wire.Cycle
	Tag   uint32
	Event ReadingEvent
	// For ReadHeld: the bank, within the sub-core, and the operation occupying its port; this may be the same
	// operation, or 0 if unknown.
	Bank uint8
	By   uint32
}

// ReadingEvent is the kind of a Reading.
type ReadingEvent uint8

// Events of operations reading their operands.
const (
	ReadBegins ReadingEvent = iota // the operation begins to read
	ReadEnds                       // the operation has all operands
	ReadHeld                       // for this cycle, a register waits for its bank
)
