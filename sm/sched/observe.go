package sched

import (
	"kumiko/components/wire"
	"kumiko/sm/message"
	"kumiko/sm/reason"
)

// Observer watches the schedulers of an SM, for a timeline.
//
// Contract: the goroutine simulating the SM calls the methods. The methods
// change nothing and keep no pointer.
type Observer interface {
	// Issued reports an instruction issued by a scheduler. tag is the tag of its
	// operation, 0 if the instruction ends at issue.
	Issued(now wire.Cycle, f *message.Fetched, tag uint32)
	// States reports, after every Tick of a scheduler, the state of its warps at the end of the cycle: bit s of
	// a state is the warp of slot s, in context contexts[s]. State Issued has the ready warps. issued is the
	// number of issue slots used, and lost the reason of the others. Between two Ticks nothing changes.
	States(now wire.Cycle, sched int, states *[reason.Num]uint64, contexts []uint16, issued int, lost reason.Reason)
	// Pending reports a warp's loss of its slot (lost), or the end of a warp without a slot.
	Pending(now wire.Cycle, context uint16, lost bool)
}

// IssueListener is notified of every issued instruction, as an Observer is.
type IssueListener interface {
	Issued(now wire.Cycle, f *message.Fetched, tag uint32)
}

// Observers has the observers of an SM's events. The blocks of the SM do not know the
// observers, and no cycle depends on them.
type Observers struct {
	counts   []IssueListener // permanent counters of issued instructions
	issues   []IssueListener // the counters, and the observer
	observer Observer        // nil: none
}

// issued notifies the listeners of an issued instruction.
func (a *Observers) issued(now wire.Cycle, f *message.Fetched, tag uint32) {
	for _, l := range a.issues {
		l.Issued(now, f, tag)
	}
}

// Observe sets the observer; nil: none.
func (a *Observers) Observe(o Observer) {
	a.observer = o
	a.issues = append(a.issues[:0], a.counts...)
	if o != nil {
		a.issues = append(a.issues, o)
	}
}

// Count adds a permanent listener to issued instructions.
func (a *Observers) Count(l IssueListener) {
	a.counts = append(a.counts, l)
	a.Observe(a.observer)
}
