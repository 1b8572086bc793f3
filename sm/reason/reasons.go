// Package reason names the fates of issue slots and keeps the account of a scheduler's slots:
// each is used, or lost for one reason.
package reason

import (
	"slices"

	"kumiko/regfile"
)

// Reason is the fate of an issue slot: used, or why not. The reason of an
// unused slot is that of the warp nearest to issuing; see Reasons for the order.
type Reason uint8

// Reasons. The first ones are those of every SM, the others of SMs whose
// schedulers keep warps back and of designs that do.
const (
	Issued Reason = iota
	// a warp is ready, and the register file takes no operation: its collectors are busy, or it has no room for the
	// notice
	RegfileFull
	Scoreboard   // waits for a result of an arithmetic unit, or for an operand to be read before it is overwritten
	Memory       // waits for data from the memory system
	FencePending // a fence waits for the warp's earlier memory operations
	AtBarrier    // waits at a CTA barrier
	NoInst       // the instruction buffer is empty: fetch latency or an unresolved branch
	Draining     // the warp's last instruction has issued; results or stores are outstanding
	Empty        // no warp is resident
	Inactive     // could issue, but is not among the warps of which the scheduler chooses
	// could issue beside what has issued in the cycle, but is of another warp, or for a unit of the same kind where
	// that must differ
	Unpaired
	Inserted // an operation issued that the register file's design has put into the stream
	Leaving  // could issue, but its CTA is giving up its slots
	Parked   // every resident warp is without a slot
	Stalled  // control words: the stall count of the warp's last instruction is not down
	Yielded  // control words: the warp's last instruction leaves the cycle to others
	Counted  // control words: a dependence counter is up
	// could issue, but for an operand from the constant bank, its own or one that the sub-core waits for
	ConstantMissed
	FirstGate // could issue, but for the first gate of the design; those of the others follow
	Num       = FirstGate + regfile.MostGates
)

// plainReasons are those of an SM that keeps no warp back.
const plainReasons = Inactive

var infos = [FirstGate]Info{
	{Issued, "issued", "issue slots that issued an instruction"},
	{RegfileFull, "regfile_full", "issue slots lost with a warp ready because every operand collector was busy, or " +
		"the register file had no room for a notice"},
	{Scoreboard, "scoreboard", "issue slots lost to a result of an arithmetic unit, or to a register still to be read"},
	{Memory, "memory", "issue slots lost to data from the memory system"},
	{FencePending, "fence", "issue slots lost to a memory fence"},
	{AtBarrier, "barrier", "issue slots lost at a CTA barrier"},
	{NoInst, "no_instruction", "issue slots lost with the instruction buffer empty"},
	{Draining, "drain", "issue slots lost to warps that have issued everything and wait for results or stores"},
	{Empty, "empty", "issue slots lost because no warp is resident"},
	{Inactive, "inactive", "issue slots lost with a warp ready that was not in the active set or in the current group"},
	{Unpaired, "unpaired", "issue slots lost with a warp ready, beside an instruction that issued: the " +
		"instructions of a cycle are from one warp and, where the GPU requires it, for units of different kinds"},
	{Inserted, "inserted", "issue slots taken by operations that the register file's design has put into the " +
		"instruction stream"},
	{Leaving, "switch", "issue slots lost with a warp ready whose CTA was giving up its slots"},
	{Parked, "parked", "issue slots lost because the scheduler's resident warps were all without slots"},
	{Stalled, "stall", "issue slots lost to stall counts of control words"},
	{Yielded, "yield", "issue slots lost to the yield flag of control words"},
	{Counted, "counter", "issue slots lost to dependence counters of control words"},
	{ConstantMissed, "constant", "issue slots lost with a warp ready to misses of operands from the constant bank"},
}

// Info is a reason with its name in results.
type Info struct {
	Reason Reason
	Name   string
	Doc    string // its definition in a line
}

// State returns the name of the state of warps for which the reason stands. A warp that could issue is ready, whether
// the warp issues or not. Reasons that concern the slot alone have no state.
func (i Info) State() string {
	switch i.Reason {
	case Issued:
		return "ready"
	case RegfileFull, Unpaired, Inserted, Empty:
		return ""
	}
	return i.Name
}

// Named reports whether a reason other than a gate has a name.
func Named(name string) bool {
	return slices.ContainsFunc(infos[:], func(r Info) bool { return r.Name == name })
}

// List lists the reasons of an SM in the order in which they are looked for,
// the nearest to issuing first: a design's gates stand, in their order, between
// regfile_full and what every warp may wait for. more: those that the SM has
// besides, Inactive where schedulers choose among some of their warps, Unpaired
// where they issue two instructions per cycle, Inserted where the design puts
// operations into the stream, Leaving and Parked where CTAs are switched, Stalled, with two more, where
// instructions issue by control words, ConstantMissed where sub-cores have caches of constant operands.
func List(gates []regfile.Gate, more ...Reason) []Info {
	out := []Info{infos[Issued]}
	if slices.Contains(more, Inserted) {
		out = append(out, infos[Inserted])
	}
	if slices.Contains(more, Unpaired) {
		out = append(out, infos[Unpaired])
	}
	out = append(out, infos[RegfileFull])
	for i, g := range gates {
		out = append(out, Info{FirstGate + Reason(i), g.Reason, "issue slots lost to a gate: " + g.Doc})
	}
	if slices.Contains(more, Inactive) {
		out = append(out, infos[Inactive])
	}
	if slices.Contains(more, Leaving) {
		out = append(out, infos[Leaving])
	}
	if slices.Contains(more, Stalled) {
		out = append(out, infos[Stalled:ConstantMissed]...)
	}
	if slices.Contains(more, ConstantMissed) {
		out = append(out, infos[ConstantMissed])
	}
	out = append(out, infos[Scoreboard:Empty]...)
	if slices.Contains(more, Parked) {
		out = append(out, infos[Parked])
	}
	return append(out, infos[Empty])
}
