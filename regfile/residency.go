package regfile

import (
	"kumiko/components/bank"
	"kumiko/components/wire"
)

// NoResidency is the residency of a GPU whose resident CTAs have all their registers in the file.
const NoResidency = "none"

// Service is a property of a register file, needed by some kinds of residency beside it.
type Service uint8

// Services.
const (
	// Parking: warps lose their scheduler slots for a time. Meanwhile results still arrive for them, and nothing
	// else. The state kept for such a warp before the banks does not grow with the number of contexts.
	Parking Service = iota
	// Placing: registers lie in the added places of the banks (Env.Places). A place is used by one warp after
	// another. The file writes nothing more for a finished warp.
	Placing
	// Vacating: warps give up registers while they run (Vacater). The file writes nothing more to a register given
	// up.
	Vacating
	// Moving: a block moves registers of warps without slots out of the banks and back (Env.User).
	Moving
)

// Beside is a design consisting of blocks beside another register file. The SM provides the services requested by
// either of them.
type Beside interface {
	Design
	// On returns the other register file.
	On() Design
}

// Layers calls yield with a design and then with each register file below it (Beside.On), the outermost first.
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

// As returns the outermost layer of a design of type T.
func As[T any](d Design) (out T, ok bool) {
	for l := range Layers(d) {
		if x, is := l.(T); is {
			return x, true
		}
	}
	return out, false
}

// BankUser is a block accessing the banks of a register file in addition to operands and results.
//
// Contract: Use makes the block's ports at the next sub-core. Values read with To = end are sent to Values.
type BankUser interface {
	Use(index *bank.Index, end uint8) BankPorts
}

// BankPorts are the ports of a block at the banks of a sub-core.
type BankPorts struct {
	// Read and Write lead to the arbiter. Reads and Writes are the most messages sent there in a cycle.
	Read   *wire.OutPort[bank.Request]
	Write  *wire.OutPort[bank.Access]
	Reads  int
	Writes int
	Cause  bank.Cause
	Values *wire.InPort[bank.Value]
	// Away is the set of contexts without registers in the banks. The writes of their results are sent to Late,
	// with Bank and Entry unset.
	Away *wire.Signal[WarpSet]
	Late *wire.InPort[bank.Access]
}

// File is a register file able to stand beside a kind of residency: its registers have places in banks.
type File interface {
	Design
	Sizer
	Index() *bank.Index
}

// Keeper is a register file with storage for registers outside its banks.
//
// Contract: Kept returns functions reading signals, at least one per sub-core. At least one of them returns true
// for a context while the file may hold a register or a result of the context outside the banks and their arbiter.
// For a warp without slots all of them return false after a time.
type Keeper interface {
	Kept() []func(context uint16) bool
}
