package sched

import (
	"kumiko/components/wire"
	"kumiko/sm/reason"
)

// Finish closes the account of issue slots at the last cycle of a launch.
func (s *Scheduler) Finish(now wire.Cycle) {
	s.account.Finish(now)
	for _, x := range s.closers {
		x.close(now)
	}
}

// Slots adds the scheduler's issue slots by reason to sum.
func (s *Scheduler) Slots(sum *[reason.Num]uint64) {
	for r, n := range s.account.Slots {
		sum[r] += n
	}
}

// WarpStates adds the warp-cycles spent in each state to sum. State Issued counts all warps
// able to issue, chosen or not.
func (s *Scheduler) WarpStates(sum *[reason.Num]uint64) {
	for r, n := range s.account.Warps {
		sum[r] += n
	}
}

// Instructions returns the warp and thread instructions issued so far.
func (s *Scheduler) Instructions() (warp, thread uint64) { return s.issuedInsts, s.issuedLanes }

// ledger has a scheduler's counts and the observers of its cycles.
type ledger struct {
	issuedInsts, issuedLanes uint64
	insertedOps              uint64
	ignoredFlags             uint64 // of reuse
	starts                   uint64 // number of started warps
	account                  reason.Account
	fullQueue                fullQueue
	idle                     *Idle      // of the SM; nil: not counted
	steady                   *Steady    // of the SM
	observers                *Observers // of the SM
}
