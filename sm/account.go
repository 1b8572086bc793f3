package sm

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// slotAccount attributes every issue slot of a scheduler to one reason, and
// keeps beside it how long warps were in each state. Between two ticks of the
// scheduler nothing changes there, so the cycles that it slept through carry
// the reason of the last one that it saw.
type slotAccount struct {
	slots  [NumReasons]uint64 // issue slots
	warps  [NumReasons]uint64 // warp-cycles in each state; Issued: warps that could issue
	width  uint64
	reason Reason
	seen   wire.Cycle // the last cycle accounted for
	states [NumReasons]uint64
	used   int    // states that warps can be in are below
	parked uint64 // warps without slots
}

func (a *slotAccount) register(name string, width int, reasons []ReasonInfo, reg *stats.Registry) {
	a.width, a.used = uint64(width), int(plainReasons)
	for _, x := range reasons {
		r := x.Reason
		if r >= plainReasons {
			a.used = int(NumReasons)
		}
		reg.Count("sm.issue."+x.Name, stats.Slots, x.Doc, name, &a.slots[r])
		what := "warp-cycles in state " + x.Name
		if r == Issued {
			what = "warp-cycles of warps that could issue, used or not"
		}
		if r != RegfileFull && r != Unpaired && r != Inserted && r != Empty {
			reg.Count("sm.warps."+x.Name, stats.Cycles, what, name, &a.warps[r])
		}
	}
}

// catchUp accounts for the cycles after the last one seen and before now, in
// which the scheduler slept.
func (a *slotAccount) catchUp(now wire.Cycle) {
	if now <= a.seen+1 {
		return
	}
	n := now - a.seen - 1
	a.slots[a.reason] += n * a.width
	a.hold(n)
}

func (a *slotAccount) hold(n uint64) {
	for r, m := range a.states[:a.used] {
		if m != 0 {
			a.warps[r] += n * uint64(bits.OnesCount64(m))
		}
	}
	a.warps[Parked] += n * a.parked
}

// cycle accounts for the current cycle: slots that issued instructions, those that
// inserted operations took, and the reason of those lost in it and in the cycles that
// the scheduler may now sleep through.
func (a *slotAccount) cycle(now wire.Cycle, issued, inserted int, r Reason) {
	a.slots[Issued] += uint64(issued)
	a.slots[Inserted] += uint64(inserted)
	a.slots[r] += a.width - uint64(issued) - uint64(inserted)
	a.hold(1)
	a.reason, a.seen = r, now
}

// begin starts the account at a cycle: the slots after it count.
func (a *slotAccount) begin(now wire.Cycle) { a.seen, a.reason = now, Empty }

// finish closes the account at a cycle. A scheduler that has run ahead of it
// has had no warp since, and gives those slots back.
func (a *slotAccount) finish(now wire.Cycle) {
	if a.seen > now {
		a.slots[Empty] -= (a.seen - now) * a.width
	} else {
		a.catchUp(now + 1)
	}
	a.seen = now
}

// lost is the reason of a slot that is lost now: that of the warp nearest to issuing, by
// the states of the warps. unpaired: a ready warp could not issue beside what issued in
// the cycle.
func (a *slotAccount) lost(unpaired bool) Reason {
	st := &a.states
	if st[Issued] != 0 {
		if unpaired {
			return Unpaired
		}
		return RegfileFull
	}
	if a.used > int(plainReasons) {
		for i := range st[FirstGate:] {
			if r := FirstGate + Reason(i); st[r] != 0 {
				return r
			}
		}
		if st[Inactive] != 0 {
			return Inactive
		}
		if st[Leaving] != 0 {
			return Leaving
		}
		for _, r := range [...]Reason{ConstantMissed, Stalled, Yielded, Counted} {
			if st[r] != 0 {
				return r
			}
		}
	}
	switch {
	case st[Scoreboard] != 0:
		return Scoreboard
	case st[Memory] != 0:
		return Memory
	case st[FencePending] != 0:
		return FencePending
	case st[AtBarrier] != 0:
		return AtBarrier
	case st[NoInst] != 0:
		return NoInst
	case st[Draining] != 0:
		return Draining
	}
	if a.parked > 0 {
		return Parked
	}
	return Empty
}
