package regfile

import (
	"kumiko/components/op"
	"kumiko/components/wire"
)

// Ports are the ports joining a register file to an SM. Links to and from them must have a latency of 1 cycle.
//
// Contract:
//   - An operation put on Issue comes out exactly once, on Ready[Unit], in any
//     order among operations. So does an instruction without register sources.
//     A full Issue port means full operand collectors: the scheduler calls
//     CanPut. The operations of one warp are put in program order.
//   - Each operation with a destination (registers or predicates) comes back as
//     one Result, Forward cycles before its value is there, on a result port of
//     its scheduler's sub-core. An operation without destinations has none.
//   - For each operation with a Result the file sends one Done to the issuing
//     scheduler. Operations issued by the scheduler in the cycle in which the
//     Done is visible, or later, read the destinations as written.
//   - A file with Early ports may send the Done of an operation there instead,
//     at the earliest in the cycle in which it puts the operation on Ready. It
//     must then make operations issued because of it wait for the value. Such an
//     operation comes out of Ready, and its Result goes in, with Announced set.
//     Otherwise an operation comes out unchanged.
//   - With Env.ReadNotice, the file sends one Read for each operation with
//     register sources, after reading them all: a write of these registers
//     issued from then on cannot overwrite them too early. Without notices, and
//     before a notice, the scheduler must not issue a write of a register still
//     to be read by an earlier operation, unless it knows that the result comes
//     late enough.
//   - A full Ready, Done, Early, Read or Taken link holds the file up but loses
//     nothing.
type Ports struct {
	Issue  []*wire.InPort[op.Op]     // by scheduler
	Ready  []*wire.OutPort[op.Op]    // by execution unit
	Result []*wire.InPort[op.Result] // Env.Writebacks for each sub-core, those of sub-core 0 first
	Done   []*wire.OutPort[op.Done]  // by scheduler
	Read   []*wire.OutPort[op.Read]  // by scheduler; empty without Env.ReadNotice
	Early  []*wire.OutPort[op.Done]  // by scheduler; empty in a file without announcements before a Result
	// Taken reports, by scheduler, every operation accepted by a collector: the scheduler must not have more than
	// Registers operations of an execution unit issued and not accepted. Empty in a file that accepts operations in
	// order.
	Taken     []*wire.OutPort[op.Taken]
	Registers int
	// SubCores is the number of independent parts of the file. Scheduler s
	// belongs to sub-core s * SubCores / schedulers.
	SubCores int
	// Forward is the number of cycles by which a Result precedes its value.
	Forward int
}

// SubCore returns the sub-core of a scheduler.
func (p *Ports) SubCore(scheduler int) int { return scheduler * p.SubCores / len(p.Issue) }
