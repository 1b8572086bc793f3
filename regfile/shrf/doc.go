// Package shrf is a register file hierarchy that the compiler manages (after Gebhart et
// al., "A Compile-Time Managed Multi-Level Register File Hierarchy", MICRO 2011), as LTRF
// (Sadrosadati et al., ASPLOS 2018, section 2.2) compares itself with it: a small upper
// level before the banks of a conventional file, without prefetching.
//
// One sub-core; every link has a latency of 1 cycle unless said otherwise:
//
//	collectors -> Request -> upper -> Read -> arbiter -> banks -> crossbar -> collectors
//	                         upper -(2)-> collectors
//	write-back -(forward + 1)-> Write -> upper -> Main -> arbiter
//	collectors -> Fill -> upper
//	schedulers -> Notices -> upper
//
// # What it does
//
// The compiler cuts the program into strands, which end at long-latency operations,
// barriers and backward branches, and chooses for each the registers that save the most
// reads of the main file (intervals.Select). Each active warp has so many entries. In a
// strand a register that was chosen has an entry of its own:
//
//   - A result goes there, and to the main file too where it is needed behind the strand.
//   - A read is served from there if all lanes that execute are there. Otherwise it goes to
//     the main file, and what it reads is kept.
//   - Between strands entries hold nothing.
//
// All others are read from the main file and written to it. Strands begin with an
// operation in the stream of no bytes, which stands for the bit of an instruction that ends
// them. It issues when the warp's operations have read their operands, so that no read
// is served from entries of another strand.
//
// # Where lanes part
//
// What the compiler knows to be needed in a strand alone would be lost when a warp leaves
// the strand in its middle: at a branch that some lanes take, or when it leaves the active
// set. So entries know whether the main file lacks their value, and those that some lane of
// the warp needs then are written back. (Gebhart et al. suspend warps between strands alone;
// a warp is suspended here at the first use of an awaited value, which can be within one.)
//
// # Order
//
// The block takes what came from the banks, then notices, then results, then reads. What
// must be written back holds up everything behind it in the block, and needs the main file's
// writes alone, which wait for no read. Look-up and read are one step: a value is in an
// entry, or it has been sent to the arbiter no later than the read, and the arbiter lets no
// read pass a write of its register.
package shrf
