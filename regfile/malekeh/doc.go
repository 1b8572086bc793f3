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
//	units -> bound, closed -> schedulers (signals)
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
//     equals the one used last does, as its distance counts from then on. The banks have
//     every value, so nothing is written back.
//
// A warp that issues an operation and has no unit takes one from another warp, and the registers there are lost. It
// takes the unit whose next value is read latest; among equals the one with fewest values to be read. A unit with an
// operation still to request its operands is taken last. An operation whose warp has lost its unit reads the banks.
//
// With a wait the near values are worth some idle cycles: while all units have near values, warps without a unit must
// not issue, until no operation of the sub-core has issued for so many cycles. With prefer the schedulers prefer warps
// that have a unit.
//
// # Order
//
// The block accepts values from the banks, then notices, then results, then requests. A result that waits holds up
// all requests, so no read overtakes a write of its register. Requests are served the oldest first, one of each unit
// in a cycle. A request for a register on its way from the banks waits for the register, and others pass it.
//
// # Limits
//
// In the paper the entries are in the collectors themselves. Here the collectors are the conventional file's, and
// operands come to them from the units two cycles after their request. A read of the banks takes an additional cycle
// for the lookup. lab/docs/deviations/malekeh.md has the other differences.
package malekeh
