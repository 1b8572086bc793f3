// Package maxwell implements the register file of NVIDIA's Maxwell as measurements of the chip
// show it: in each sub-core a few collecting slots that are released in order, banks of one read
// and one write port, and a reuse cache. There is no crossbar, no queue at a bank, and no choice
// among collectors.
//
// The structure is that which fits the cycles of 964 instruction streams that the
// microbenchmarks of CuAssembler (TestData/microbench/RegBank) measured on a GM108, compute
// capability 5.0; docs/silicon.md has the comparison. Compute capability 5.2 is taken to be alike.
//
// A sub-core is one component, because its slots choose among the banks within a cycle. Its
// ports, every link with a latency of 1 cycle:
//
//	Issue -> slots (banks, reuse cache) -(read_latency)-> Ready
//	Result -(forward)-> result queue -> banks
//	          Done
//	Notices: a warp has started in a context
//
// # Reading
//
// In a cycle each bank serves one register, of the oldest slot that wants one there. Up to supply
// instructions enter free slots, in the order of issue, and may read in the cycle in which they
// enter. An instruction is released when it has read everything, one per cycle and in the order
// of entry; its slot is free in the next cycle. A register that an instruction names twice is
// read once. So a bank conflict costs nothing while the instruction behind has use for the idle
// banks, and the banks keep up. Without conflicts an operation that is visible at t is released
// at t, put on Ready at t + read_latency and in its unit one cycle later.
//
// An operation that its unit does not take waits in a latch of the unit. Operations of other
// units pass it there; when the latches of a unit are full, its next operation stays in its slot,
// and everything behind it.
//
// # Reuse cache
//
// For each operand slot (ir.Timing.Slot) the cache has a few entries, which the warps of the
// sub-core share: the registers that the last fixed-latency instructions read there. Every such
// read enters its slot's entries, and the oldest goes; a register that is there already becomes
// the newest. An operand hits if its warp and register are in an entry of its own slot, and the
// read that brought it bore the flag of reuse (ir.Control.Reuse). Nothing invalidates an entry
// when its register is written: the compiler answers for the flags. With a checker an entry keeps
// the version that it holds, so that a flag that outlives a write is reported. A new warp finds
// nothing of the one before it in its context.
//
// Programs without control words have no flags and no hits.
//
// # Writing
//
// A bank writes one register per cycle, through a port of its own: the measured streams write a
// register per instruction, and those that read a bank in every cycle are no slower for it.
// Results are queued for that port. A read finds what is queued, so a conflict of two results
// delays nobody; only a full queue holds the units up. Done is sent when the Result arrives. A
// Result arrives forward cycles before its value, and the operations that the Done permits read
// two cycles after it at the earliest.
package maxwell
