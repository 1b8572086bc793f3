package regfile

import (
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
)

// Mover is a design that moves the registers of CTAs that are switched (cta.switching).
//
// Contract: Mover returns the same ports each time. One order is under way at a time, and
// each is answered once. Other CTAs may start and end meanwhile. No warp of a CTA named by an
// order to move has scheduler slots; those of Out have nothing but memory operations under way,
// whose results may come at any time: before, while and after the registers are moved. When an order to move has been
// answered as done, the registers of Out are elsewhere, results for them that come later
// lose nothing, and every register that a warp of In needs can be read as of the next
// cycle. The registers of a CTA that starts have their place in the file by the CTANotice.
type Mover interface {
	Mover() (orders *wire.InPort[Move], answers *wire.OutPort[Moved])
}

// NoCTA is no CTA in an order.
const NoCTA = -1

// NoPC is the program counter of a warp that has issued its last instruction.
const NoPC = -1

// Move orders a mover to take the registers of a CTA out of the file, to bring those of
// another one in, or both.
type Move struct {
	Out, In int // CTA slots, or NoCTA
	// Contexts are those of the warps of Out that have not ended, PCs the next instruction
	// of each, or NoPC; no slice of the order is to be changed, nor kept beyond the answer.
	Contexts []uint16
	PCs      []int32
	// Awaited are the registers of each whose results are still to come from memory; nil in a question.
	Awaited []intervals.Set
	// Ask: nothing is to be moved; the answer says whether there is room for Out.
	Ask bool
}

// Moved answers an order.
type Moved struct {
	// Refused: there is no room for the registers of Out, and nothing has been moved.
	Refused bool
}
