package regfile

import (
	"kumiko/components/storage"
	"kumiko/components/wire"
	"kumiko/kernel/ir"
)

// WarpSet is a set of warp contexts, bit w mod 64 of word w div 64.
type WarpSet [8]uint64

// Has reports whether warp context w is in the set.
func (s *WarpSet) Has(w int) bool { return s[w>>6]>>(w&63)&1 != 0 }

// Add puts a warp context into the set.
func (s *WarpSet) Add(w int) { s[w>>6] |= 1 << (w & 63) }

// Remove takes a warp context out of the set.
func (s *WarpSet) Remove(w int) { s[w>>6] &^= 1 << (w & 63) }

// Gater keeps warps from issuing.
//
// Contract: Gates returns the same gates each time. A warp in the signal of any gate may not issue in this cycle.
// If it is in several, the first gate is the reason for the lost issue slot. Reading a gate changes nothing.
type Gater interface {
	Gates() []Gate
}

// Gate is one reason why warps may not issue.
type Gate struct {
	Reason string // name of the reason in the issue-slot statistics, such as "prefetch"
	Doc    string // one line
	Closed *wire.Signal[WarpSet]
	// Parts, instead of Closed, has one signal per scheduler, for its own warps. It is for a design with several
	// gating blocks, because a signal has one writer.
	Parts []*wire.Signal[WarpSet]
	// Holds reports whether the gate keeps an instruction from issuing; nil: every
	// instruction. It is called for each instruction of a kernel when a launch begins,
	// after Planned's Begin.
	Holds func(in *ir.Inst) bool
	// Shuts, instead of signals, lists events at which the scheduler itself closes the gate to the warp, in the
	// cycle of the event: WarpActivated, WarpInserted. A signal would be too late for instructions issuing in that
	// cycle or the next. The design opens the gate by a message on Opens, with one port per scheduler. While the
	// gate is closed to a warp, the warp keeps its place in the active set.
	Shuts EventSet
	Opens []*wire.OutPort[Open]
	// Stops: while the gate is closed, the stall counts of control words (ir.Control.Stall) do not advance, nor
	// does anything else before the execution units.
	Stops bool
	// Asks: when only this gate keeps a warp's next instruction from issuing, the design gets a WarpHeld notice,
	// once per instruction. So a warp can request a resource of the design before it goes on.
	Asks bool
}

// Signal returns the signal of the gate for a scheduler, or nil if it has none.
func (g *Gate) Signal(scheduler int) *wire.Signal[WarpSet] {
	if g.Closed == nil && scheduler < len(g.Parts) {
		return g.Parts[scheduler]
	}
	return g.Closed
}

// Vacater takes registers from running warps, to give them to others.
//
// Contract: Vacates returns the first register that a warp gives up before an instruction, with all higher ones, or
// NumRegisters or more if it gives up none. It is called for each instruction of a kernel when a launch begins,
// after Planned's Begin. The instruction issues when no operation in flight of the warp reads or writes one of
// these registers. Under control words the program sees to this (package control, setmaxnreg); no other instruction
// of such a program may give up registers.
type Vacater interface {
	Vacates(in *ir.Inst) int
}

// NumRegisters bounds the numbers of a warp's registers.
const NumRegisters = 256

// Open opens a self-closing gate (Gate.Shuts) to a warp.
type Open struct{ Warp uint16 }

// MostGates bounds the gates of a design.
const MostGates = 4

// Prioritiser prefers some warps to others.
//
// Contract: Classes returns the same signals each time, the most urgent first. Among the warps able to issue, the
// scheduler prefers the first non-empty class; warps in no class come last. Within a class its own policy decides.
type Prioritiser interface {
	Classes() []*wire.Signal[WarpSet]
}

// Listener receives notices of the events of warps and CTAs.
//
// Contract: Notices returns the same ports each time. The SM connects every non-nil port, with a latency of 1
// cycle. A notice is sent in the cycle of its event and in the order of events; a full port stalls the sender. So
// an operation issued by a warp after an event reaches the Issue port no sooner than the event's notice reaches the
// notice port.
type Listener interface {
	Notices() Notices
}

// Notices are the notice ports of a design; nil for unwanted notices.
type Notices struct {
	Warp []*wire.InPort[WarpNotice] // by scheduler
	// Events are the events sent on Warp.
	Events EventSet
	// Drained: a warp is suspended only after its operations have read their operands.
	Drained bool
	CTA     *wire.InPort[CTANotice]
}

// WarpEvent is the kind of a WarpNotice.
type WarpEvent uint8

// Events of warps. A warp is active while its scheduler may choose it: under a single-level scheduler from its
// start to its end, under a two-level one while it is in the active set (Gebhart et al., ISCA 2011, section 3.2).
const (
	WarpStarted   WarpEvent = iota // a warp begins in a context; none of its registers is written
	WarpActivated                  // the warp entered the active set
	WarpIssued                     // an instruction was issued
	WarpHeld                       // only a gate with Asks keeps an instruction from issuing
	WarpSuspended                  // the warp left the active set, and is not finished
	WarpAtBarrier                  // the warp waits at a barrier
	WarpReleased                   // the barrier released the warp
	WarpFinished                   // nothing of the warp is left, results and stores included
	WarpInserted                   // an operation inserted by the design was issued
	// WarpExited: the warp has issued its last instruction, left the active set, and read all its operands; it
	// comes before WarpFinished.
	WarpExited
)

// EventSet is a set of events.
type EventSet uint16

// Events returns the set of the listed events.
func Events(list ...WarpEvent) EventSet {
	var s EventSet
	for _, e := range list {
		s |= 1 << e
	}
	return s
}

// Has reports whether an event is in the set.
func (s EventSet) Has(e WarpEvent) bool { return s>>e&1 != 0 }

// WarpNotice is the notice of an event.
type WarpNotice struct {
	Inst  *ir.Inst // WarpIssued: the issued instruction; WarpHeld, WarpSuspended: the next one
	PC    uint32   // of Inst; WarpInserted: the group
	Tag   uint32   // WarpIssued: of the operation; 0 where the instruction ends at issue
	Exec  uint32   // WarpIssued: the executing lanes
	From  uint16   // WarpIssued: before the instruction, registers from this number on were given up (Vacater); 0: none
	Warp  uint16
	Event WarpEvent
	Gate  uint8 // WarpHeld: index of the gate in the list that Gates returns
}

// CTANotice reports the start of a CTA or the end of its last warp. The notice of a CTA's start comes at least one
// cycle before its first instruction can issue, and the notice of its end before another CTA takes its slot.
type CTANotice struct {
	CTA      uint16   // residency slot
	Contexts []uint16 // of its warps, in order; not to be changed
	Role     Role     // of a start among those of several launches
	Finished bool
}

// Sizer reports the size of a design's state, computed from its blocks. A conventional file reports its banks.
type Sizer interface {
	State() []State
}

// State is the storage of one block, or of several equal blocks.
type State = storage.Row
