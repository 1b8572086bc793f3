// Package shrf is a register file hierarchy that the compiler manages (after Gebhart et al., "A
// Compile-Time Managed Multi-Level Register File Hierarchy", MICRO 2011), in the form with which
// LTRF (Sadrosadati et al., ASPLOS 2018, section 2.2) is compared: a small upper level before the
// banks of a conventional file, without prefetching.
//
// One sub-core; every link has a latency of 1 cycle unless said otherwise:
//
//	collectors -> Request -> upper -> Read -> arbiter -> banks -> crossbar -> collectors
//	                         upper -(2)-> collectors
//	write-back -(forward + 1)-> Result -> upper -> Write -> arbiter
//	collectors -> Fill -> upper
//	schedulers -> Notices -> upper
//
// # What it does
//
// The compiler cuts the program into strands, which end at long-latency operations, barriers and
// backward branches. For each strand it chooses the registers that save the most reads of the main
// file (intervals.Select), as many as an active warp has entries. A chosen register has its own
// entry in the strand:
//
//   - A result goes to the entry, and to the main file too if it is needed after the strand.
//   - A read is served from the entry if the entry has all lanes that execute. Otherwise it goes
//     to the main file, and the value read is kept in the entry.
//   - Between strands entries hold nothing.
//
// All other registers are read from the main file and written to it. A strand begins with an
// operation of no bytes in the stream. It stands for the bit of an instruction that ends the
// strand before. It issues when the warp's operations have read their operands, so that no read is
// served from entries of another strand.
//
// # Where lanes part
//
// A value that is needed in a strand alone would be lost when a warp leaves the strand before its
// end: at a branch that some lanes take, or when the warp leaves the active set. So each entry
// records whether the main file lacks its value. Such values that some lane of the warp needs are
// then written back. (Gebhart et al. suspend warps between strands alone. Here a warp is suspended
// at the first use of an awaited value, which can be within a strand.)
//
// # Order
//
// The block takes values from the banks, then notices, then results, then reads. A value that must
// be written back holds up everything behind it in the block. It waits for the main file's writes
// alone, which wait for no read. Look-up and read are one step: a value is in an entry, or it has
// been sent to the arbiter no later than the read, and the arbiter lets no read pass a write of
// its register.
package shrf
