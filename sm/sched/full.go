package sched

import (
	"kumiko/components/cause"
	"kumiko/components/wire"
	"kumiko/sm/reason"
)

// fullQueue is the kind of full queue to which a scheduler is losing its slots.
type fullQueue uint8

const (
	noQueue     fullQueue = iota
	issueQueue            // of the register file
	memoryQueue           // of the sub-core
)

// The reasons of full queues are in the order of their causes.
const _ = uint(reason.MemoryFull - reason.RegfileFull - (reason.Reason(cause.Num) - 1))

// at returns the block that keeps the queue full, the last one of the chain of full queues behind it.
func (q fullQueue) at(s *Scheduler) reason.Reason {
	if q == issueQueue {
		return reason.RegfileFull + reason.Reason(s.Issue.Obstacle())
	}
	if x := s.Queue.Left.Obstacle(); x != cause.RegisterFile {
		return reason.RegfileFull + reason.Reason(x)
	}
	return reason.Memory
}

// catchUp accounts for the cycles slept through. Those lost to a full queue are put down to the block that ended the
// wait, because the chain of full queues may have got another end while the scheduler slept.
func (s *Scheduler) catchUp(now wire.Cycle) {
	if s.fullQueue != noQueue && s.account.Slept(now) {
		s.account.Charge(s.fullQueue.at(s))
	}
	s.account.CatchUp(now)
}

// lost returns the reason of the slots lost in this cycle.
func (s *Scheduler) lost() reason.Reason {
	s.fullQueue = noQueue
	r := s.account.Lost(s.unpaired)
	switch {
	case r == reason.RegfileFull && (s.turns.registers != nil || s.Issue.Room(1) == 0): // else notices have no room
		s.fullQueue = issueQueue
	case r == reason.Memory && s.Queue != nil && s.Blocked[s.Queue.row]&^s.Blocked[reason.Memory] != 0:
		s.fullQueue = memoryQueue
	case r == s.behind && s.behind != 0 && s.starved():
		return reason.NoInst
	}
	if s.fullQueue != noQueue {
		return s.fullQueue.at(s)
	}
	return r
}
