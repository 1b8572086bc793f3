// Package shrf implements a compiler-managed register file hierarchy (after Gebhart et al., "A Compile-Time Managed
// Multi-Level Register File Hierarchy", MICRO 2011), in the form used for comparison with LTRF (Sadrosadati et al.,
// ASPLOS 2018, section 2.2): a small upper level before the banks of a conventional file, without prefetching.
//
// One sub-core; every link has a latency of 1 cycle unless stated otherwise:
//
//	collectors -> Request -> upper -> Read -> arbiter -> banks -> crossbar -> collectors
//	                         upper -(2)-> collectors
//	write-back -(forward + 1)-> Result -> upper -> Write -> arbiter
//	collectors -> Fill -> upper
//	schedulers -> Notices -> upper
//
// # Operation
//
// The compiler divides the program into strands. Strands end at long-latency operations, barriers and backward
// branches. For each strand the compiler chooses the registers saving the most reads of the main file
// (intervals.Select), as many as an active warp has entries. A chosen register has its own entry in the strand:
//
//   - A result goes to the entry, and to the main file too if it is needed after the strand.
//   - A read is served from the entry if the entry has all executing lanes. Otherwise it goes
//     to the main file, and the value read is kept in the entry.
//   - Between strands entries hold nothing.
//
// All other registers are read from the main file and written to it. A strand begins with an operation of no bytes
// in the stream. It stands for a bit in the last instruction of the strand before. It issues when the warp's
// operations have read their operands, so that no read is served from entries of another strand.
//
// # Diverged lanes
//
// A value needed only within a strand would be lost when a warp leaves the strand before its end: at a divergent
// branch, or when the warp leaves the active set. So each entry records whether its value is missing in the main
// file. Missing values still needed by some lane of the warp are then written back. (Gebhart et al. suspend warps
// only between strands. Here a warp is suspended at the first use of an awaited value, possibly within a strand.)
//
// # Order
//
// The block accepts values from the banks, then notices, then results, then reads. A value waiting to be written
// back holds up everything behind it in the block. It waits only for the main file's writes, and writes wait for no
// read. Lookup and read are one step: a value is in an entry, or it has been sent to the arbiter no later than the
// read, and the arbiter lets no read pass a write of its register.
package shrf
