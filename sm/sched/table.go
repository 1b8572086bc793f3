package sched

import (
	"fmt"

	"kumiko/kernel/ir"
	"kumiko/sm/message"
	"kumiko/sm/program"
	"kumiko/sm/reason"
	"kumiko/sm/sched/slots"
	"kumiko/sm/scoreboard"
)

// warpTable has the state of a scheduler's warps and their program. It decides nothing: the parts of the
// scheduler read it, and the scheduler changes it.
type warpTable struct {
	slotTable
	slots.Sets
	warps []warpState `bits:"type"` // by the scheduler's own number of a context
	// ofContext and inSlot have the warps by context of the SM and by slot: nearly every message and every
	// issue looks for a warp.
	ofContext   []*warpState           `soft:"indices"`
	ownContexts message.WarpSet        `soft:"constants"`
	words       int                    // of ownContexts
	inSlot      [slots.Most]*warpState `soft:"indices"`
	prog        *program.Program
	held        gateBits `soft:"in instructions"` // by instruction of prog: the gates holding it
	// vacated, by instruction of prog: registers from this number on are given up before it.
	vacated []uint16      `soft:"in instructions"`
	behind  reason.Reason // of warps outside the active set or the current group; 0: there is neither
	merged  []merge       `soft:"constants"`    // rows accounted as other states
	touched []uint16      `bits:"9" room:"cap"` // contexts without slots with a changed state
	// returned has the slots of returned warps with a pending start.
	returned uint64
	// sorted: waits for results from memory beyond the chip are distinguished.
	sorted bool
}

// warpState is the state of a warp. The fields for most messages and issues share its first line of the host's
// cache.
type warpState struct {
	first   uint8 // of buffer
	n       uint8 // in it
	life    uint8 // see Fetched
	cta     uint16
	board   scoreboard.Board
	buffer  [8]message.Fetched
	control controlState
	age     uint64      // number of the warp's start
	pending pendingWarp // while it has no slot
	// predicates is the version of the predicates: the tag of the newest operation writing one.
	predicates uint32
	_          [24]byte // warps begin at lines
}

func (w *warpState) headInst() *message.Fetched { return &w.buffer[w.first&7] }

// pendingWarp is the state of a warp without a slot, beside its scoreboard. Results, acknowledgements and releases
// from barriers still arrive for the warp, and it may end without a slot.
type pendingWarp struct {
	on      bool
	exited  bool
	barrier bool   // waits at one
	known   bool   // the next instruction was in the buffer, at pc
	asked   uint8  // gates asked about it
	gated   bool   // a gate keeps it from issuing
	told    bool   // the switcher knows of its ability to issue
	pc      uint32 // of the next instruction
}

// newWarpTable returns the table of a scheduler for a number of an SM's schedulers, contexts and own slots.
func newWarpTable(index, schedulers, contexts, slots int) (t warpTable) {
	t.warps = make([]warpState, (contexts+schedulers-1-index)/schedulers)
	t.slotTable = newSlotTable(index, schedulers, contexts, slots)
	t.ofContext, t.words = make([]*warpState, contexts), (contexts+63)/64
	for i := range t.warps {
		t.ofContext[t.contextNumber(i)] = &t.warps[i]
		t.ownContexts.Add(t.contextNumber(i))
	}
	for slot, c := range t.contextOf {
		t.inSlot[slot] = t.warpOf(c)
	}
	return t
}

// context returns the warp context in a slot.
func (t *warpTable) context(slot int) uint16 { return t.contextOf[slot] }

// at returns the state of the warp in a slot.
func (t *warpTable) at(slot int) *warpState { return t.inSlot[slot&(slots.Most-1)] }

// warpOf returns the state of the warp of a context.
func (t *warpTable) warpOf(context uint16) *warpState { return t.ofContext[context] }

// enter gives a context a slot.
func (t *warpTable) enter(context uint16, slot int) {
	t.assign(context, slot)
	t.inSlot[slot] = t.warpOf(context)
}

// next returns the instruction at the head of a slot's buffer, or nil.
func (t *warpTable) next(slot int) *message.Fetched {
	if w := t.at(slot); w.n > 0 {
		return w.headInst()
	}
	return nil
}

// kindAt returns the kind of unit needed by the instruction at the head of a slot's
// buffer.
func (t *warpTable) kindAt(slot int) uint8 { return t.prog.Info[t.at(slot).headInst().PC].Kind }

// isInserted reports whether the head of a slot's buffer is an operation inserted by the register file's design.
func (t *warpTable) isInserted(slot int) bool {
	return t.prog.Info[t.at(slot).headInst().PC].Inserted
}

// couldIssue reports whether a warp without a slot could issue if it had one.
func (t *warpTable) couldIssue(w *warpState) bool {
	a := &w.pending
	if a.barrier || !a.known {
		return !a.barrier
	}
	x := &t.prog.Info[a.pc]
	wait, _ := w.board.Blocks(x)
	if !wait && t.vacated != nil {
		wait, _, _ = w.board.Occupied(int(t.vacated[a.pc]))
	}
	if wait {
		return false
	}
	return x.Class != ir.ClassFence || !w.board.Unfenced()
}

// blocking names the registers blocking an instruction.
func (t *warpTable) blocking(w *warpState, pc uint32) string {
	out := w.board.Blocking(&t.prog.Info[pc])
	if out == "" && t.vacated != nil {
		return fmt.Sprintf("R%d and above, which it gives up", t.vacated[pc])
	}
	return out
}
