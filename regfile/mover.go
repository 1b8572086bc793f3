package regfile

import (
	"kumiko/components/wire"
	"kumiko/kernel/compiler/intervals"
)

// Mover is a design moving the registers of switched CTAs (cta.switching).
//
// Contract: Mover returns the same ports each time. One order is in progress at a time, and each is answered once.
// Other CTAs may start and end meanwhile. No warp of a CTA named by an order to move has scheduler slots. Warps of
// Out have no outstanding operations except memory operations, whose results may arrive at any time: before, while
// and after the registers are moved. When an order to move has been answered as done, the registers of Out are
// elsewhere, later results for them are not lost, and every register needed by a warp of In can be read from the
// next cycle on. The registers of a starting CTA get their place in the file by the CTANotice.
type Mover interface {
	Mover() (orders *wire.InPort[Move], answers *wire.OutPort[Moved])
}

// NoCTA stands for no CTA in an order.
const NoCTA = -1

// NoPC is the program counter of a warp after its last instruction.
const NoPC = -1

// Move orders a mover to move the registers of a CTA out of the file, the registers of another one into the file,
// or both.
type Move struct {
	Out, In int // CTA slots, or NoCTA
	// Contexts lists the unfinished warps of Out, PCs the next instruction of each, or NoPC. No slice of the order
	// may be changed, nor kept beyond the answer.
	Contexts []uint16
	PCs      []int32
	// Awaited lists, for each of them, the registers with results outstanding from memory; nil in a question.
	Awaited []intervals.Set
	// Ask: nothing is to be moved; the answer says whether there is space for Out.
	Ask bool
}

// Moved answers an order.
type Moved struct {
	// Refused: there is no space for the registers of Out, and nothing has been moved.
	Refused bool
}
