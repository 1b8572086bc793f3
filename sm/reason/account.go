package reason

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// Account attributes every issue slot of a scheduler to one reason, and
// counts the warps in each state, summed over cycles. Between two ticks of the
// scheduler nothing changes, so the slots of cycles slept through have
// the reason of the last tick.
type Account struct {
	Slots   [Num]uint64 // issue slots
	Warps   [Num]uint64 // warp-cycles in each state; Issued: warps able to issue
	width   uint64
	reason  Reason
	seen    wire.Cycle  // the last cycle accounted for
	States  [Num]uint64 // the warps in each state, a bit each
	used    int         // states of warps are below
	order   []Reason    // states of warps unable to issue, the nearest to issuing first
	Pending uint64      // warps without slots
}

// Register makes the account known under a block's name, for a scheduler of width issue slots.
func (a *Account) Register(name string, width int, reasons []Info, reg *stats.Registry) {
	a.width = uint64(width)
	for _, x := range reasons {
		r := x.Reason
		a.used = max(a.used, int(r)+1)
		reg.Count("sm.issue."+x.Name, stats.Slots, x.Doc, name, &a.Slots[r])
		what := "warp-cycles in state " + x.Name
		if r == Issued {
			what = "warp-cycles of warps that could issue, used or not"
		}
		if x.State() != "" {
			reg.Count("sm.warps."+x.Name, stats.Cycles, what, name, &a.Warps[r])
		}
		if r == NoInst || r == Draining || r >= AtBarrier {
			a.order = append(a.order, r)
		}
	}
}

// CatchUp accounts for the cycles slept through: the ones after the last cycle seen and before now.
func (a *Account) CatchUp(now wire.Cycle) {
	if !a.Slept(now) {
		return
	}
	n := now - a.seen - 1
	a.Slots[a.reason] += n * a.width
	a.hold(n)
}

func (a *Account) hold(n uint64) {
	for r, m := range a.States[:a.used] {
		if m != 0 {
			a.Warps[r] += n * uint64(bits.OnesCount64(m))
		}
	}
	a.Warps[Pending] += n * a.Pending
}

// Enter accounts for the warps in a state in the current cycle. The warps of every state are to be entered before
// Cycle.
func (a *Account) Enter(r Reason, warps uint64) {
	a.States[r] = warps
	a.Warps[r] += uint64(bits.OnesCount64(warps))
}

// Split enters the warps that are in the row, which is the set of warps with an obstacle, and returns the others. It
// takes the same steps whatever is in the row: rows change in every cycle, and a branch that the host mispredicts takes
// longer than several rows.
func (a *Account) Split(r Reason, warps, row uint64) (others uint64) {
	a.Enter(r, warps&row)
	return warps &^ row
}

// Sort is Split for the rows of the states from r on.
func (a *Account) Sort(r Reason, rows []uint64, warps uint64) (others uint64) {
	states, sums := a.States[r:][:len(rows)], a.Warps[r:][:len(rows)]
	for i, row := range rows {
		in := warps & row
		warps ^= in
		states[i] = in
		sums[i] += uint64(bits.OnesCount64(in))
	}
	return warps
}

// Merge moves the warps entered in a state to another state, entered too.
func (a *Account) Merge(from, to Reason) {
	warps := a.States[from]
	if warps == 0 {
		return
	}
	n := uint64(bits.OnesCount64(warps))
	a.States[from], a.States[to] = 0, a.States[to]|warps
	a.Warps[from] -= n
	a.Warps[to] += n
}

// Cycle accounts for the current cycle: the slots of issued instructions and of
// inserted operations, and the reason of the lost slots. The reason also holds for the
// following cycles, which the scheduler may sleep through.
func (a *Account) Cycle(now wire.Cycle, issued, inserted int, r Reason) {
	a.Slots[Issued] += uint64(issued)
	a.Slots[Inserted] += uint64(inserted)
	a.Slots[r] += a.width - uint64(issued) - uint64(inserted)
	a.Warps[Pending] += a.Pending
	a.reason, a.seen = r, now
}

// Begin starts the account at a cycle: the slots after it count.
func (a *Account) Begin(now wire.Cycle) { a.seen, a.reason = now, Empty }

// Slept reports whether cycles between the last one seen and now are still to be accounted for.
func (a *Account) Slept(now wire.Cycle) bool { return now > a.seen+1 }

// Charge changes the reason of the slots since the last cycle seen.
func (a *Account) Charge(r Reason) { a.reason = r }

// Finish closes the account at a cycle. An account already ahead of this cycle
// has had no warp since, and subtracts the excess slots.
func (a *Account) Finish(now wire.Cycle) {
	if a.seen > now {
		a.Slots[Empty] -= (a.seen - now) * a.width
	} else {
		a.CatchUp(now + 1)
	}
	a.seen = now
}

// Lost returns the reason of a slot lost now: the reason of the warp nearest to issuing, by
// the states of the warps. unpaired: a ready warp could not issue beside the instruction issued in
// the cycle.
func (a *Account) Lost(unpaired bool) Reason {
	st := &a.States
	if st[Issued] != 0 {
		if unpaired {
			return Unpaired
		}
		return RegfileFull
	}
	for _, r := range a.order {
		if st[r] != 0 {
			return r
		}
	}
	if a.Pending > 0 {
		return Pending
	}
	return Empty
}
