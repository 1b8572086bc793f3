// Package reason names the fates of issue slots and keeps the account of a scheduler's slots:
// each is used, or lost for one reason.
package reason

import "slices"

// Reason is the fate of an issue slot: used, or why not. An unused slot has the reason of the
// warp nearest to issuing. List has the order.
type Reason uint8

// Reasons common to all SMs. From AtBarrier on a reason has a row: the warps blocked for this reason.
const (
	Issued Reason = iota
	// a warp is ready, and the register file takes no operation: its collectors are busy, or it has no room for the
	// notice
	RegfileFull
	// A warp is ready, and its operation finds a full queue: of the blocks that fill queues one behind the other,
	// the last one is this. In the order of package cause.
	UnitFull
	LoadStoreFull
	SharedFull
	CacheFull
	MemoryFull
	// a warp could issue beside the instruction issued in the cycle, but it is another warp, or needs a unit of the
	// same kind although the kinds must differ
	Unpaired
	Inserted     // an operation inserted by the register file's design issued
	NoInst       // the instruction buffer is empty: fetch latency or an unresolved branch
	Draining     // the warp's last instruction has issued; results or stores are outstanding
	Pending      // every resident warp is without a slot
	Empty        // no warp is resident
	AtBarrier    // waits at a CTA barrier
	FencePending // a fence waits for the warp's earlier memory operations
	Memory       // waits for data from the memory system
	Scoreboard   // waits for a result of an arithmetic unit, or for an operand to be read before it is overwritten
	First        // of the reasons of optional features, numbered by schedulers
	Num          = First + most
)

// most bounds the rows of optional features.
const most = 20

var infos = [First]Info{
	Issued: {Name: "issued", Doc: "issue slots that issued an instruction"},
	RegfileFull: {Name: "regfile_full", Doc: "issue slots lost with a warp ready because the register file took no " +
		"operation: most of its operand collectors waited for operands, or it had no room for a notice"},
	UnitFull: {Name: "unit_full", Doc: "issue slots lost with a warp ready because most operand collectors held " +
		"operations for an execution unit that took no more"},
	LoadStoreFull: {Name: "lsu_full", Doc: "issue slots lost with a warp ready because the load/store unit took no " +
		"more: one operation in each of its intervals"},
	SharedFull: {Name: "shared_full", Doc: "issue slots lost with a warp ready because shared memory served passes, " +
		"and the queues up to the scheduler were full"},
	CacheFull: {Name: "cache_full", Doc: "issue slots lost with a warp ready because the coalescer, the L1 or the " +
		"constant cache served an instruction, and the queues up to the scheduler were full"},
	MemoryFull: {Name: "memory_full", Doc: "issue slots lost with a warp ready because as many accesses as the SM " +
		"keeps waited for data from beyond the L1, and the queues up to the scheduler were full"},
	Scoreboard: {Name: "scoreboard", Doc: "issue slots lost to a result of an arithmetic unit, or to a register " +
		"still to be read"},
	Memory:       {Name: "memory", Doc: "issue slots lost to data from the memory system"},
	FencePending: {Name: "fence", Doc: "issue slots lost to a memory fence"},
	AtBarrier:    {Name: "barrier", Doc: "issue slots lost at a CTA barrier"},
	NoInst: {Name: "no_instruction", Doc: "issue slots lost with the instruction buffer empty, that of every active " +
		"warp where schedulers have an active set or a current group"},
	Draining: {Name: "drain", Doc: "issue slots lost to warps that have issued everything and wait for results or " +
		"stores"},
	Empty: {Name: "empty", Doc: "issue slots lost because no warp is resident"},
	Unpaired: {Name: "unpaired", Doc: "issue slots lost with a warp ready, beside an instruction that issued: the " +
		"instructions of a cycle are from one warp and, where the GPU requires it, for units of different kinds"},
	Inserted: {Name: "inserted", Doc: "issue slots taken by operations that the register file's design has put into " +
		"the instruction stream"},
	Pending: {Name: "parked", Doc: "issue slots lost because the scheduler's resident warps were all without slots"},
}

// Info is a reason with its name in results.
type Info struct {
	Reason Reason
	Name   string // empty: the reason is accounted as another
	Doc    string // its definition in a line
	Why    string // the obstacle to issuing, in words
	As     Reason // of a reason without a name: the reason it is accounted as
	// Late: the warp passes all other checks, and still its instruction is not taken. A warp with several late reasons
	// is accounted under the first of them, one with other reasons under the one farthest from issuing.
	Late bool
}

// State returns the name of the warp state of a reason. A warp able to issue is ready, whether
// the warp issues or not. Reasons concerning the slot alone have no state.
func (i Info) State() string {
	switch i.Reason {
	case Issued:
		return "ready"
	case Unpaired, Inserted, Empty, RegfileFull, UnitFull, LoadStoreFull, SharedFull, CacheFull, MemoryFull:
		return ""
	}
	return i.Name
}

// Named reports whether a reason of every SM has a name.
func Named(name string) bool {
	return slices.ContainsFunc(infos[:], func(r Info) bool { return r.Name == name })
}

// List lists the reasons of an SM in the order of the account, the nearest to issuing first:
// used slots, lost slots of ready warps, the reasons of optional features, and the reasons common
// to all SMs. more has the optional slot reasons of the SM: Inserted, Unpaired, Pending.
func List(own []Info, more ...Reason) (out []Info) {
	add := func(list ...Reason) {
		for _, r := range list {
			if r != Inserted && r != Unpaired && r != Pending || slices.Contains(more, r) {
				x := infos[r]
				x.Reason = r
				out = append(out, x)
			}
		}
	}
	add(Issued, Inserted, Unpaired, RegfileFull, UnitFull, LoadStoreFull, SharedFull, CacheFull, MemoryFull)
	for _, x := range own {
		if x.Name != "" {
			out = append(out, x)
		}
	}
	add(Scoreboard, Memory, FencePending, AtBarrier, NoInst, Draining, Pending, Empty)
	return out
}
