package sched

import (
	"kumiko/components/wire"
	"kumiko/sm/message"
	"kumiko/sm/reason"
)

// Observer watches the schedulers of an SM, for a timeline.
//
// Contract: its methods are called by the goroutine that simulates the SM. They
// change nothing and keep no pointer.
type Observer interface {
	// Issued reports an instruction that a scheduler issues. tag is that of its
	// operation, 0 when the instruction ends at issue.
	Issued(now wire.Cycle, f *message.Fetched, tag uint32)
	// States tells, after every Tick of a scheduler, which of its warps are in
	// which state as of the end of the cycle (bit s: the warp of slot s, whose context
	// is contexts[s]; those of state Issued are ready), how many slots were
	// used, and the reason of those lost. Between two Ticks nothing changes.
	States(now wire.Cycle, sched int, states *[reason.Num]uint64, contexts []uint16, issued int, lost reason.Reason)
	// Aside reports that a warp has lost its slot, or that one without a slot has ended.
	Aside(now wire.Cycle, context uint16, lost bool)
}

// issueListener hears of every instruction that is issued, as an Observer does.
type issueListener interface {
	Issued(now wire.Cycle, f *message.Fetched, tag uint32)
}

// Audience is who hears of the events of an SM. The blocks that tell it do not know who is
// there, and no cycle depends on it.
type Audience struct {
	counts   []issueListener // that count what is issued
	issues   []issueListener // these, and the observer
	observer Observer        // nil: nobody
}

// issued tells of an instruction.
func (a *Audience) issued(now wire.Cycle, f *message.Fetched, tag uint32) {
	for _, l := range a.issues {
		l.Issued(now, f, tag)
	}
}

// Observe lets an observer, or nobody, hear of the schedulers.
func (a *Audience) Observe(o Observer) {
	a.observer = o
	a.issues = append(a.issues[:0], a.counts...)
	if o != nil {
		a.issues = append(a.issues, o)
	}
}

// Count lets a listener hear of what is issued, for good.
func (a *Audience) Count(l issueListener) {
	a.counts = append(a.counts, l)
	a.Observe(a.observer)
}
