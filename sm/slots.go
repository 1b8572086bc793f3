package sm

// slotSets are what a scheduler knows of its warps: sets of slots, one bit each.
type slotSets struct {
	live      uint64 // a warp is there
	exited    uint64 // its last instruction has issued
	head      uint64 // its buffer holds an instruction
	clear     uint64 // that instruction passes the scoreboard
	local     uint64 // it ends at issue, without the register file
	waitMem   uint64 // it waits for data from memory
	waitFence uint64 // it is a fence, and earlier memory operations are outstanding
	waitBar   uint64 // the warp waits at a barrier
	released  uint64 // its release from a barrier is still to be noticed
	missed    uint64 // a load has missed the L1, and a result is awaited from memory

	// Of the rest the simplest SM has none.
	long         uint64 // the instruction at the head reads a long-latency result first
	fresh        uint64 // the warp has issued nothing
	startPending uint64 // no notice of the warp's start has been sent yet
	outside      uint64 // not among the warps of which the scheduler chooses
	gated        uint64 // a gate keeps the instruction at the head from issuing
	parked       uint64 // and nothing is left to be asked for it
	latched      uint64 // shut out by a gate that shuts by itself
	leaving      uint64 // its CTA gives up its slots
	waitLong     uint64 // of waitMem: for a long-latency result
	beside       uint64 // an inserted operation that takes no issue slot is at the head

	// Under control words, what keeps the instruction at the head from issuing.
	stalled uint64
	yielded uint64
	counted uint64

	noConstant uint64 // waits for an operand from the constant bank
}

// ready are the warps that may issue.
func (s *slotSets) ready() uint64 { return s.clear &^ (s.waitBar | s.outside | s.gated | s.noConstant) }

// running are the warps that have more to issue.
func (s *slotSets) running() uint64 { return s.live &^ s.exited }

// controlled are the slots that control words keep from issuing.
func (s *slotSets) controlled() uint64 { return s.stalled | s.yielded | s.counted }
