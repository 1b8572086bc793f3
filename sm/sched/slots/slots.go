// Package slots has the sets of scheduler slots by the state of their warps, a bit for each slot.
package slots

// Sets are what a scheduler knows of its warps: sets of slots, one bit each.
type Sets struct {
	Live      uint64 // a warp is there
	Exited    uint64 // its last instruction has issued
	Head      uint64 // its buffer holds an instruction
	Clear     uint64 // that instruction passes the scoreboard
	Local     uint64 // it ends at issue, without the register file
	WaitMem   uint64 // it waits for data from memory
	WaitFence uint64 // it is a fence, and earlier memory operations are outstanding
	WaitBar   uint64 // the warp waits at a barrier
	Freed     uint64 // its release from a barrier is still to be noticed
	Missed    uint64 // a load has missed the L1, and a result is awaited from memory

	// Of the rest the simplest SM has none.
	Long         uint64 // the instruction at the head reads a long-latency result first
	Fresh        uint64 // the warp has issued nothing
	StartPending uint64 // no notice of the warp's start has been sent yet
	Outside      uint64 // not among the warps of which the scheduler chooses
	Gated        uint64 // a gate keeps the instruction at the head from issuing
	Parked       uint64 // and nothing is left to be asked for it
	Latched      uint64 // shut out by a gate that shuts by itself
	Leaving      uint64 // its CTA gives up its slots
	WaitLong     uint64 // of WaitMem: for a long-latency result
	Beside       uint64 // an inserted operation that takes no issue slot is at the head

	// Under control words, what keeps the instruction at the head from issuing.
	Stalled uint64
	Yielded uint64
	Counted uint64

	NoConstant uint64 // waits for an operand from the constant bank
}

// Ready are the warps that may issue.
func (s *Sets) Ready() uint64 { return s.Clear &^ (s.WaitBar | s.Outside | s.Gated | s.NoConstant) }

// Running are the warps that have more to issue.
func (s *Sets) Running() uint64 { return s.Live &^ s.Exited }

// Controlled are the slots that control words keep from issuing.
func (s *Sets) Controlled() uint64 { return s.Stalled | s.Yielded | s.Counted }
