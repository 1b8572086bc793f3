// Package message has what the blocks of an SM send each other: CTAs admitted, instructions
// fetched, notes of their fate, arrivals at barriers and releases.
package message

import (
	"math/bits"

	"kumiko/kernel/ir"
	"kumiko/kernel/stream"
	"kumiko/regfile"
)

// WarpSet is a set of warp contexts of an SM.
type WarpSet = regfile.WarpSet

// MaxWarps is the largest number of warp contexts of an SM.
const MaxWarps = len(WarpSet{}) * 64

// MaxSchedulers is the largest number of schedulers of an SM.
const MaxSchedulers = 16

// NextWarp is the first member of a set at or after from, cyclically over the
// given number of words, or -1.
func NextWarp(s *WarpSet, from, words int) int {
	if from >= words<<6 {
		from = 0
	}
	first := from >> 6
	if m := s[first] &^ (1<<(from&63) - 1); m != 0 {
		return first<<6 | bits.TrailingZeros64(m)
	}
	for i := 1; i <= words; i++ {
		w := first + i
		if w >= words {
			w -= words
		}
		if s[w] != 0 {
			return w<<6 | bits.TrailingZeros64(s[w])
		}
	}
	return -1
}

// Fetched brings one decoded instruction to the instruction buffer of a warp.
type Fetched struct {
	Inst   *ir.Inst
	Access *stream.Access
	PC     uint32
	Exec   uint32
	Warp   uint16
	// Redirect: the next instruction does not follow in memory, so fetch waits
	// for this one to be resolved. Last: the warp ends with it.
	Redirect bool
	Last     bool
	// Life counts how often the warp has lost its slot: what was on its way then is
	// brought again.
	Life uint8
}

// FetchNote reports to fetch the fate of a warp's instructions: buffer entries
// that are free again, or a redirecting instruction that is resolved.
type FetchNote struct {
	Warp     uint16
	Freed    uint8
	Resolved bool
	Inserted bool // an operation that the design has put into the stream; otherwise an instruction
}

// Residence is a CTA with the contexts that its warps were given: warp i of the
// CTA runs in context Contexts[i].
type Residence struct {
	CTA      *stream.CTA
	Slot     uint16 // the CTA's slot in the SM
	Contexts []uint16
	// Returned: the warps, those of the CTA that have not ended, get scheduler slots
	// again; CTA is nil.
	Returned bool
}

// WarpsStart gives the warps of a new CTA that belong to a scheduler slots there: the
// first of Contexts that is the scheduler's has the lowest slot and is the oldest.
type WarpsStart struct {
	Slots    uint64
	Contexts []uint16 // of all warps of the CTA; not to be changed
	CTA      uint16
	Returned bool // the warps are not new: they had no slots for a time
}

// WarpEnd reports that a warp has finished: its last instruction has issued, all
// its results are written and its stores acknowledged.
type WarpEnd struct{ Warp uint16 }

// Arrive is a warp's arrival at a barrier of its CTA, its operation on an mbarrier, or
// its exit.
type Arrive struct {
	Warp  uint16
	CTA   uint16
	Bar   uint8
	Exit  bool // the warp takes part in no further barrier
	Stay  bool // the warp does not wait: bar.arrive
	Phase Phase
	Warps uint16
	// Of an mbarrier: its address in shared memory and, of a wait, how many operations on
	// it complete the phase.
	Object uint32
	Needed uint32
}

// Phase is what an Arrive has to do with the phases of an mbarrier.
type Phase uint8

// Phases.
const (
	PhaseNone Phase = iota
	PhaseOperation
	PhaseWait
)

// Release lets warps of a scheduler go on after a barrier: bit w mod 64 of word w div
// 64 is the scheduler's w-th context.
type Release struct{ Own [MaxWarps / 64]uint64 }

// StoreNote reports that a store of a warp is acknowledged or, with Missed set, that a
// load of the warp has missed the L1.
type StoreNote struct {
	Warp   uint16
	Missed bool
}

// Grant gives an SM a CTA.
type Grant struct{ CTA *stream.CTA }

// Room is an SM's word to the dispatcher: it can take Free more CTAs than it
// has said so far, and the CTAs Gone have finished, at which no block of the SM looks
// any more. Gone is the dispatcher's own.
type Room struct {
	Free uint16
	Gone []*stream.CTA
}

// NoSlot is the slot of a context without one.
const NoSlot = 255
