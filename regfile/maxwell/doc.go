// Package maxwell implements the register file of NVIDIA's Maxwell as measurements of the chip
// show it: in each sub-core a short pipeline in which instructions read, one behind the other,
// banks of one read and one write port, and a reuse cache. There is no crossbar, no queue at a
// bank, and no collector that overtakes another.
//
// The structure is that which fits the cycles of the instruction streams that CuAssembler's
// microbenchmarks (TestData/microbench/RegBank) measured on a GPU of compute capability 5.0;
// docs/silicon.md has the comparison, and what else was tried. Compute capability 5.2 is taken to
// be alike.
//
// A sub-core is one component, because its stages choose among the banks within a cycle. Its
// ports, every link with a latency of 1 cycle:
//
//	Issue -> stages (banks, reuse cache) -> Ready
//	Result -(forward)-> result queue -> banks
//	          Done
//	Notices: a warp has started in a context
//
// # Reading
//
// An instruction enters the first stage in the cycle in which it is visible, one per cycle, and
// moves on in every cycle. In a cycle each bank serves one register: of the oldest instruction
// that wants one there. An instruction that has not read everything when it is to leave the last
// stage stops the whole pipeline for a cycle, and whoever issues with it: a gate is closed, and
// the stall counts of control words stand still (regfile.Gate.Stops). So the distance of two
// instructions of a warp in the pipeline is never less than their control words say, whatever
// conflicts there are, which fixed latencies need. With two stages a conflict of two registers
// costs nothing while the banks keep up. A register that an instruction names twice is read once.
//
// Two instructions that were issued in one cycle (sched.pairs) to different units are together in a
// stage, each in a collector of its own. They enter and leave together; at a bank the first one goes first.
//
// An operation that is visible at t and stops nobody is on Ready at t + stages - 1. One that its
// unit does not take waits in a latch of the unit; when the latches are full, the next
// operation of the unit stops the pipeline. Where instructions issue by control words, which count
// on fixed latencies, an operation of a unit that the sub-core has for itself waits in no latch: it
// leaves the pipeline when the unit begins it at once and its result finds its way free (see Writing),
// and stops the pipeline until then.
//
// # Reuse cache
//
// Each instruction in the pipeline has a collector, one of as many as there are stages. A
// collector keeps the last register of each operand slot (ir.Timing.Slot), with its warp and
// whether the read bore the flag of reuse (ir.Control.Reuse), when the instruction has left it.
// These registers are the reuse cache: an operand hits if its warp and register are in its own
// operand slot of any collector, and the read that brought it bore the flag. Operands that hit
// stay where they are; others go to the collector of their instruction. So
// instructions that follow one another without a gap have the entries replaced in turns, and a
// gap of a cycle lets an instruction choose: a collector in which it has a hit, else one without
// flagged registers, else the lowest.
//
// Instructions of fixed latency alone use it. Nothing invalidates an entry when its register is
// written: the compiler answers for the flags. With a checker an entry keeps the version that it
// holds, so that a flag that outlives a write is reported. A new warp finds nothing of the one
// before it in its context. Programs without control words have no flags and no hits.
//
// # Writing
//
// A bank writes one register per cycle, through a port of its own: the measured streams write a
// register per instruction, and those that read a bank in every cycle are no slower for it.
// Results are queued for that port. A read finds what is queued, so a conflict of two results
// delays nobody; only a full queue holds the units up. Done is sent when the Result arrives. A
// Result arrives forward cycles before its value, and the operations that the Done permits read
// two cycles after it at the earliest.
//
// Under control words a result of fixed latency must not wait. Before such an operation leaves the
// pipeline its sub-core reserves the unit's output, a result port and a cycle of a write port for
// each register (package subcore, Timetable). Results of variable latency come by the last result
// port, and wait there for cycles that nobody has reserved.
package maxwell
