// Package message has the messages between the blocks of an SM: admitted CTAs, fetched instructions,
// notes of their fate, arrivals at barriers and releases.
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

// NextWarp returns the first member of a set at or after from, cyclically over the
// given number of words, or -1.
func NextWarp(s *WarpSet, from, words int) int {
	if from >= words<<6 {
		from = 0
	}
	if words == 1 {
		// A rotation has no branch for the host to guess wrong.
		m := bits.RotateLeft64(s[0], -from)
		if m == 0 {
			return -1
		}
		return (from + bits.TrailingZeros64(m)) & 63
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
	// Life counts the warp's losses of its slot. Instructions fetched before a loss are
	// dropped and fetched again.
	Life uint8
}

// FetchNote reports the fate of a warp's instructions to fetch: freed buffer entries,
// or a resolved redirecting instruction.
type FetchNote struct {
	Warp     uint16
	Freed    uint8
	Resolved bool
	Inserted bool // an operation inserted by the design; otherwise an instruction
}

// Residence is a CTA with the contexts of its warps: warp i of the
// CTA runs in context Contexts[i].
type Residence struct {
	CTA      *stream.CTA
	Slot     uint16 // the CTA's slot in the SM
	Contexts []uint16
	// Returned: the unfinished warps of the CTA get scheduler slots
	// again; CTA is nil.
	Returned bool
}

// WarpsStart gives slots to a scheduler's warps of a new CTA. Of the scheduler's contexts the
// first in Contexts gets the lowest slot and is the oldest.
type WarpsStart struct {
	Slots    uint64
	Contexts []uint16 // of all warps of the CTA; not to be changed
	CTA      uint16
	Returned bool // the warps are not new: they had no slots for a time
}

// WarpEnd reports a finished warp: its last instruction has issued, all
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

// Phase is the role of an Arrive in the phases of an mbarrier.
type Phase uint8

// Phases.
const (
	PhaseNone Phase = iota
	PhaseOperation
	PhaseWait
)

// Release releases warps of a scheduler from a barrier: bit w mod 64 of word w div
// 64 is the scheduler's w-th context.
type Release struct{ Own [MaxWarps / 64]uint64 }

// StoreNote reports the acknowledgement of a warp's store or, with Missed set, an
// L1 miss of a load of the warp.
type StoreNote struct {
	Warp   uint16
	Missed bool
}

// Grant sends a CTA to an SM.
type Grant struct {
	CTA  *stream.CTA
	Role regfile.Role // where launches run side by side
}

// CTACredit is the message of an SM to the dispatcher: Free further CTA slots, and the finished CTAs Gone. No
// block of the SM refers to the finished CTAs any more. The slice belongs to the dispatcher.
type CTACredit struct {
	Free uint16
	Gone []*stream.CTA
}

// NoSlot is the slot of a context without one.
const NoSlot = 255
