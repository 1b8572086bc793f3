package switching

import "kumiko/kernel/compiler/intervals"

// MostSchedulers is the largest number of schedulers of an SM.
const MostSchedulers = 16

// Status is the state of a scheduler's warps, by slot, as of the end of a cycle.
type Status struct {
	Live uint64 // a warp is there
	// Stopped: no warp is there, or it has issued its last instruction, or it waits for
	// a long-latency result or at a barrier and has only memory operations in
	// swap.
	Stopped uint64
	Long    uint64 // waits for a long-latency result
	// Gated: not stopped, but waits for a gate of the register file, with only
	// memory operations in flight.
	Gated uint64
	Fresh uint64 // has issued nothing since it has its slot
	// Drained: has issued its last instruction, and waits for its stores. None if a CTA of such warps keeps its
	// slots.
	Drained uint64
}

// Deschedule orders a scheduler to stop issuing from a CTA, and to vacate its warps' slots
// when only memory operations of these are in flight.
type Deschedule struct{ CTA uint16 }

// Descheduled is a scheduler's answer: the warps of the CTA have left their slots.
type Descheduled struct {
	CTA   uint16
	Warps []Context // of the unfinished ones; valid until the next order to deschedule
}

// Context is the state of a warp beside its registers, as far as the operand check follows it.
type Context struct {
	Warp       uint16
	Predicates uint32 // their version: the tag of the newest operation writing one; 0: none
	// Awaited are the registers with results outstanding from memory, as of the cycle in which the warp lost
	// its slot.
	Awaited intervals.Set
}

// Woke reports a CTA without slots: one of its warps could issue.
type Woke struct{ CTA uint16 }

// Rewind orders fetch to return these warp contexts to their first unissued instruction,
// and to send nothing until the warps have slots again.
type Rewind struct {
	CTA        uint16
	Contexts   []uint16 // of all its warps, finished ones included; not to be changed
	Report     bool     // fetch answers with the warps' next instructions
	ReportOnly bool     // fetch only answers, without rewinding
}

// Standing answers a Rewind with the next instructions of a CTA's warps. The slices are valid until
// the next answer.
type Standing struct {
	Contexts []uint16 `bits:"9" room:"32"`  // without the contexts since reused by another CTA
	PCs      []int32  `bits:"32" room:"32"` // of the first unissued instruction, or regfile.NoPC
}

// Order is an order to residency.
type Order struct {
	CTA  uint16
	Kind OrderKind
	Size Size // of Admit: the register file has room for so much
}

// Size is how much of the register file a CTA's registers take, in the unit of Switcher.Load; 0: one.
type Size uint32

func (s Size) count() uint64 { return max(1, uint64(s)) }

// OrderKind is the kind of an order.
type OrderKind uint8

// Orders.
const (
	Leave OrderKind = iota // the CTA is giving up its slots
	Left                   // it has, and they are free
	Enter                  // the CTA gets slots again
	Admit                  // a new CTA may start
)

// CTAEvent reports an event of a CTA.
type CTAEvent struct {
	CTA      uint16
	Event    CTAEventKind
	Slots    [MostSchedulers]uint64 // by scheduler, of Started and Returned
	Contexts []uint16               // of all its warps, of Started; not to be changed
	Ordered  bool                   // of Started: the switcher ordered it; residency starts others by itself
	Size     Size                   // of Started
}

// CTAEventKind is an event of a CTA.
type CTAEventKind uint8

// Events of CTAs.
const (
	Started  CTAEventKind = iota // it is resident and has slots
	Returned                     // it has slots again
	Finished                     // its last warp has ended
	Refused                      // of an order to let one in: there is none, or no room for it
)

// Vacancy has the free slots for CTAs without slots, at the end of a cycle.
type Vacancy struct {
	Free [MostSchedulers]uint8 // by scheduler: slots
	CTAs uint16                // further CTAs allowed to have slots
	// Waiting is the number of warps of a new CTA waiting for slots; 0: there is none.
	Waiting uint16
	Size    Size // of the CTA that waits
}
