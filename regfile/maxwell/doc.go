// Package maxwell implements the register file of NVIDIA's Maxwell, as inferred from measurements of the chip. Each
// sub-core has a short in-order pipeline in which instructions read banks with one read and one write port, and a
// reuse cache. There is no crossbar, no queue at a bank, and no overtaking among collectors.
//
// The structure was fitted to the cycles of instruction streams measured by CuAssembler's microbenchmarks
// (TestData/microbench/RegBank) on a GPU of compute capability 5.0; lab/docs/silicon.md has the comparison, and the
// rejected alternatives. Compute capability 5.2 is assumed to be the same.
//
// A sub-core is one component, because its stages choose among the banks within a cycle. Its ports, every link with
// a latency of 1 cycle:
//
//	Issue -> stages (banks, reuse cache) -> Ready
//	Result -(forward)-> result queue -> banks
//	          Done
//	Notices: a warp has started in a context
//
// # Reading
//
// An instruction enters the first stage in the cycle of its arrival, one per cycle, and moves on in every cycle.
// Each cycle each bank serves one register, of the oldest instruction with a register to read there. An instruction
// due to leave the last stage with registers still to read stops the whole pipeline for a cycle, and the schedulers
// of the sub-core too: a gate is closed, and the stall counts of control words do not advance (regfile.Gate.Stops).
// So two instructions of a warp are never closer in the pipeline than their control words say, whatever the
// conflicts. Fixed latencies need this. With two stages a conflict of two registers costs nothing while the banks
// keep up. If an instruction names a register twice, it is read once.
//
// Two instructions issued in one cycle (sched.pairs) to different units share a stage, each in a collector of its
// own. They enter and leave together; at a bank the first one goes first.
//
// An operation visible at t, without a stop, is on Ready at t + stages - 1. If its unit does not accept it, it
// waits in a latch of the unit; when the latches are full, the next operation of the unit stops the pipeline. Under
// control words, which count on fixed latencies, an operation of an unshared unit waits in no latch. It leaves the
// pipeline when its unit can begin it at once and its result finds its way free (see Writing), and stops the
// pipeline until then.
//
// # Reuse cache
//
// Each instruction in the pipeline has a collector; there are as many collectors as stages. When the instruction
// has left, its collector keeps the last register of each operand slot (ir.Timing.Slot), with its warp and whether
// the read had the reuse flag (ir.Control.Reuse). These registers are the reuse cache. An operand hits if its own
// operand slot of any collector holds its warp and register, and the read that brought it there had the flag.
// Operands that hit stay in place; others go to the collector of their instruction. So instructions following one
// another without a gap replace the entries in turns. After a gap of a cycle an instruction can choose among
// collectors: one in which it has a hit, else one without flagged registers, else the lowest.
//
// Only instructions of fixed latency use the reuse cache. A write of a register does not invalidate its entry: the
// compiler is responsible for the flags. With a checker an entry keeps its version, so that a flag outliving a
// write is reported. A new warp finds no entries of the previous warp in its context. Programs without control
// words have no flags and no hits.
//
// An entry serves the lanes that executed its read, and no others. On GPUs with independent lanes a path can wait at a
// barrier between a flag and its hit, and another path of the warp may write the register there. ptxas sets flags over
// barriers all the same (38 in its code for the built-in programs for sm_70 to sm_90, none for sm_52), so that hardware
// must do something like it. What it keeps for that is not known, so the lanes do not count as storage. An instruction
// with a guard enters only the lanes with a true one.
//
// # Writing
//
// A bank writes one register per cycle, through a port of its own: the measured streams write a register per
// instruction, and streams reading a bank in every cycle are no slower for it. Results queue for that port. A read
// also finds queued results, so a conflict of two results delays no reader; only a full queue holds the units up.
// Done is sent when the Result arrives. A Result arrives forward cycles before its value, and the operations
// permitted by the Done read two cycles after it at the earliest.
//
// Under control words a result of fixed latency must not wait. Before such an operation leaves the pipeline its
// sub-core reserves the unit's output, a result port and a cycle of a write port for each register (package
// subcore, Timetable). Results of variable latency arrive on the last result port, and wait there for unreserved
// cycles.
package maxwell
