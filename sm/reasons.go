package sm

import (
	"math/bits"

	"kumiko/components/stats"
	"kumiko/components/wire"
)

// Reason says what became of an issue slot: used, or why not. The reason of an
// unused slot is that of the warp nearest to issuing; the constants stand in
// that order, the nearest first.
type Reason uint8

// Reasons.
const (
	Issued       Reason = iota
	RegfileFull         // a warp is ready, and the register file takes no operation: its collectors are busy
	Scoreboard          // waits for a result of an arithmetic unit, or for an operand to be read before it is overwritten
	Memory              // waits for data from the memory system
	FencePending        // a fence waits for the warp's earlier memory operations
	AtBarrier           // waits at a CTA barrier
	NoInst              // the instruction buffer is empty: fetch latency or an unresolved branch
	Draining            // the warp's last instruction has issued; results or stores are outstanding
	Empty               // no warp is resident
	NumReasons
)

var reasonInfo = [NumReasons]struct{ name, doc string }{
	{"issued", "issue slots that issued an instruction"},
	{"regfile_full", "issue slots lost with a warp ready because every operand collector was busy"},
	{"scoreboard", "issue slots lost to a result of an arithmetic unit, or to a register still to be read"},
	{"memory", "issue slots lost to data from the memory system"},
	{"fence", "issue slots lost to a memory fence"},
	{"barrier", "issue slots lost at a CTA barrier"},
	{"no_instruction", "issue slots lost with the instruction buffer empty"},
	{"drain", "issue slots lost to warps that have issued everything and wait for results or stores"},
	{"empty", "issue slots lost because no warp is resident"},
}

// String is the reason's name in results.
func (r Reason) String() string { return reasonInfo[r].name }

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
}

func (a *slotAccount) register(name string, width int, reg *stats.Registry) {
	a.width = uint64(width)
	for r := range NumReasons {
		reg.Count("sm.issue."+reasonInfo[r].name, stats.Slots, reasonInfo[r].doc, name, &a.slots[r])
		what := "warp-cycles in state " + reasonInfo[r].name
		if r == Issued {
			what = "warp-cycles of warps that could issue, used or not"
		}
		if r != RegfileFull && r != Empty {
			reg.Count("sm.warps."+reasonInfo[r].name, stats.Cycles, what, name, &a.warps[r])
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
	a.seen = now - 1
}

func (a *slotAccount) hold(n uint64) {
	for r, m := range a.states {
		if m != 0 {
			a.warps[r] += n * uint64(bits.OnesCount64(m))
		}
	}
}

// cycle accounts for the current cycle: slots issued, and the reason of those
// lost in it and in the cycles that the scheduler may now sleep through.
func (a *slotAccount) cycle(now wire.Cycle, issued int, r Reason) {
	a.slots[Issued] += uint64(issued)
	a.slots[r] += a.width - uint64(issued)
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
