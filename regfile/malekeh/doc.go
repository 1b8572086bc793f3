// Package malekeh implements a register file with cache collector units: operand collectors with entries for the
// registers of one warp, whose contents the compiler's reuse distances decide (Abaie Shoushtary et al., "Lightweight
// Register File Caching in Collector Units for GPUs", DATE 2023: Malekeh). An operand found in the unit of its warp
// is not read from the banks.
//
// One sub-core; every link has a latency of 1 cycle unless stated otherwise:
//
//	collectors -> Request -> units -> Read -> arbiter -> banks -> crossbar -> collectors
//	                         units -(2)-> collectors
//	write-back -(forward + 1)-> Result -> units -> Write -> arbiter
//	collectors -> Fill -> units
//	schedulers -> Notices -> units
//	units -> bound -> schedulers (a signal)
//
// # Operation
//
// A unit belongs to one warp at a time, and a warp has at most one. Each operand and each result has a hint of the
// compiler: the instructions until the value is read again (ir.Timing.NextSrc, NextDst), or one bit, whether these
// are at most near.
//
//   - An operand with all of its lanes in the unit comes from there. Any other is read from the
//     banks, and takes an entry.
//   - A result goes to the banks, and to the unit of its warp. With writes = "near" only near
//     results take entries; a register with an entry keeps it.
//   - The entry with the value read latest, or never, gives way to another register. Among
//     equals the one not used for longest does. The banks have every value, so nothing is
//     written back.
//   - A unit collects the operands of one instruction at a time. The next request waits until the
//     last operand has come from the banks.
//
// A request of a warp without a unit takes one from another warp, and the registers there are lost. Of the free
// units it takes the one whose next value is read latest; among equals the one with fewest values to be read. If all
// free units have near values, the request waits: near values are worth a wait, as their warp is about to use them.
// After wait such cycles in a sub-core a unit is taken in spite of them. With prefer the schedulers prefer warps that
// have a unit.
//
// # Order
//
// The block accepts values from the banks, then notices, then results, then requests. A result that waits holds up
// all requests, so no read overtakes a write of its register. Requests are served the oldest first, those of warps
// with a unit before others; among the others only the oldest may take a unit in a cycle. A request waits at most for
// operands on their way and for the cycles of wait.
//
// # Limits
//
// In the paper the entries are in the collectors themselves. Here the collectors are the conventional file's, and
// operands come to them from the units two cycles after their request. A read of the banks takes an additional cycle
// for the lookup. docs/deviations/malekeh.md has the other differences.
package malekeh
