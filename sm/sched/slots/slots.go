// Package slots has the sets of scheduler slots by the state of their warps, a bit for each slot.
package slots

import "kumiko/sm/reason"

// Most is the largest number of slots of a scheduler.
const Most = 64

// Sets is a scheduler's knowledge of its warps: sets of slots, one bit each.
type Sets struct {
	Live   uint64 // a warp is there
	Exited uint64 // its last instruction has issued
	Head   uint64 // its buffer holds an instruction
	Clear  uint64 // all operands of the instruction at the head are there
	Local  uint64 // the instruction at the head ends at issue, without the register file
	Freed  uint64 // the notice of its release from a barrier is outstanding
	Missed uint64 // a load has missed the L1, and a result is awaited from memory
	Fresh  uint64 // the warp has issued nothing
	Dirty  uint64 // the warp's state has changed in this cycle

	// The following sets are empty in the simplest SM.
	StartPending uint64 // no notice of the warp's start has been sent yet
	Long         uint64 // the instruction at the head reads a long-latency result first
	Asked        uint64 // an asking gate holds the instruction at the head, and the design has been asked
	Latched      uint64 // shut out by a self-shutting gate
	WaitLong     uint64 // waits for a long-latency result from memory
	Beside       uint64 // an inserted operation that needs no issue slot is at the head

	// Blocked has one row for each reason from AtBarrier on: the warps blocked for this reason. The
	// rows of late reasons (reason.Info.Late) begin at Late, and all rows end at End.
	Blocked   [reason.Num]uint64 `soft:"decoded from the state of the warps"`
	Late, End reason.Reason
}

// Ready returns the warps that may issue: their buffers hold an instruction, and they are blocked for no reason.
func (s *Sets) Ready() uint64 { return s.outside(s.End) }

// Chosen returns the warps with an instruction that are blocked for no early reason. Late reasons may still block them.
func (s *Sets) Chosen() uint64 { return s.outside(s.Late) }

// outside returns the warps with an instruction that are in no row of Blocked before end. Every scheduler has the rows
// before First.
func (s *Sets) outside(end reason.Reason) uint64 {
	rows := &s.Blocked
	m := s.Head &^ (rows[reason.AtBarrier] | rows[reason.FencePending] | rows[reason.Memory] | rows[reason.Scoreboard])
	if end > reason.First {
		for _, row := range rows[reason.First:end] {
			m &^= row
		}
	}
	return m
}

// Running returns the warps with more to issue.
func (s *Sets) Running() uint64 { return s.Live &^ s.Exited }
