package regfile

import (
	"kumiko/components/op"
	"kumiko/components/wire"
)

// Ports are the ends by which a register file is joined to an SM. Links to and
// from them are to have a latency of 1 cycle.
//
// Contract:
//   - An operation put on Issue comes out exactly once, of Ready[Unit], in any
//     order among operations. An instruction without register sources does too.
//     When Issue has no room the operand collectors are full: the scheduler asks
//     CanPut. The operations of one warp are put in program order.
//   - Each operation with a destination (registers or predicates) comes back as
//     one Result, Forward cycles before its value is there, on a result port of
//     its scheduler's sub-core. An operation without destinations has none.
//   - For each operation with a Result the file sends one Done to the scheduler
//     that issued it. Operations that the scheduler issues in the cycle in which it
//     sees the Done, or later, read the destinations as written.
//   - A file with Early ports may send the Done of an operation there instead,
//     from the cycle on in which it puts the operation on Ready. It then ensures
//     that operations issued because of it wait for the value. Such an operation
//     comes out of Ready, and its Result goes in, with Announced set. Otherwise
//     an operation comes out as it went in.
//   - With Env.ReadNotice, for each operation with register sources the file
//     sends one Read when it has read them all: a write of these registers that
//     is issued from then on cannot spoil them. Without notices, and until they
//     come, the scheduler must not issue an operation that writes a register
//     which an earlier one has yet to read, or must know that its result comes
//     late enough.
//   - A full Ready, Done, Early, Read or Taken link holds the file up but loses
//     nothing.
type Ports struct {
	Issue  []*wire.InPort[op.Op]     // by scheduler
	Ready  []*wire.OutPort[op.Op]    // by execution unit
	Result []*wire.InPort[op.Result] // Env.Writebacks for each sub-core, those of sub-core 0 first
	Done   []*wire.OutPort[op.Done]  // by scheduler
	Read   []*wire.OutPort[op.Read]  // by scheduler; empty without Env.ReadNotice
	Early  []*wire.OutPort[op.Done]  // by scheduler; empty in a file that announces nothing before its Result
	// Taken tells, by scheduler, of every operation that a collector has taken:
	// the scheduler must not have more than Registers operations of an execution
	// unit issued and not taken. Empty in a file that takes operations in order.
	Taken     []*wire.OutPort[op.Taken]
	Registers int
	// SubCores is the number of independent parts of the file. Scheduler s
	// belongs to sub-core s * SubCores / schedulers.
	SubCores int
	// Forward is how many cycles before its value a Result is to be sent.
	Forward int
}

// SubCore is the sub-core to which a scheduler belongs.
func (p *Ports) SubCore(scheduler int) int { return scheduler * p.SubCores / len(p.Issue) }
