package regfile

import (
	"kumiko/components/bank"
	"kumiko/components/wire"
)

// NoResidency is the residency of a GPU whose CTAs have all their registers in the file while they are resident.
const NoResidency = "none"

// Service is something that a kind of residency needs of the register file that it is built beside.
type Service uint8

// Services.
const (
	// Parking: warps have no slots of their schedulers for a time. Results still come for these, and nothing
	// else does. What the file keeps before its banks of such a warp does not grow with the number of contexts.
	Parking Service = iota
	// Placing: registers lie in the added places of the banks (Env.Places), which belong to one warp after the
	// other. Of a warp that has ended the file writes nothing any more.
	Placing
	// Vacating: warps give up registers while they run (Vacater). Of registers that a warp has given up the file
	// writes nothing any more.
	Vacating
	// Moving: a block moves registers of warps without slots out of the banks and back (Env.User).
	Moving
)

// Beside is a design that consists of blocks beside another register file. The services of the SM are those that
// any of both requests.
type Beside interface {
	Design
	// On returns the other register file.
	On() Design
}

// Layers calls yield with a design and with the register files that it stands beside, the outermost first.
func Layers(d Design) func(yield func(Design) bool) {
	return func(yield func(Design) bool) {
		for {
			if !yield(d) {
				return
			}
			b, ok := d.(Beside)
			if !ok {
				return
			}
			d = b.On()
		}
	}
}

// As returns the outermost layer of a design that is a T.
func As[T any](d Design) (out T, ok bool) {
	for l := range Layers(d) {
		if x, is := l.(T); is {
			return x, true
		}
	}
	return out, false
}

// BankUser is a block that reads and writes the banks of a register file beside operands and results.
//
// Contract: Use makes the block's ports at the next sub-core. Values that are read with To = end come to Values.
type BankUser interface {
	Use(index *bank.Index, end uint8) BankPorts
}

// BankPorts are the ports of a block at the banks of a sub-core.
type BankPorts struct {
	// Read and Write lead to the arbiter, where Reads and Writes are the most messages of a cycle.
	Read   *wire.OutPort[bank.Request]
	Write  *wire.OutPort[bank.Access]
	Reads  int
	Writes int
	Cause  bank.Cause
	Values *wire.InPort[bank.Value]
	// Away are contexts of which no register lies in the banks. The writes of their results come to
	// Late, with Bank and Entry left open.
	Away *wire.Signal[WarpSet]
	Late *wire.InPort[bank.Access]
}

// File is a register file beside which a kind of residency can stand: registers have places in its banks.
type File interface {
	Design
	Sizer
	Index() *bank.Index
}

// Keeper is a register file that keeps registers elsewhere than in its banks.
//
// Contract: Kept returns functions that read signals, one of each sub-core at least. One of them reports true of a
// context of which the file may have a register, or a result, elsewhere than in the banks or at their arbiter. Of a
// warp without slots none does after a time.
type Keeper interface {
	Kept() []func(context uint16) bool
}
