// Package regpool lets warps give up registers and gain others while they run, by setmaxnreg of PTX (ISA section
// 9.7.19.5). Its settings are those of two machines: a pool of registers for each CTA and requests that block, as on
// Hopper; or a pool of the SM, blocks of 16 or 32 registers, and requests that fail and are repeated, as with the
// dynamic VGPRs of RDNA4 (AMD, "RDNA4" Instruction Set Architecture, section 3.3.3).
//
// The data plane is a register file of any kind that lets warps vacate registers, with the same ports. Beside it
// stands one block:
//
//	Registers  Warp    regfile.WarpNotice, from each scheduler: warps held by the gate "registers",
//	                   issues, and ends of warps
//	           CTAs    regfile.CTANotice: begins of CTAs
//	           Closed, a signal: the warps without a granted request
//
// # Registers of a kernel
//
// The compiler allocates registers so that at each point a warp needs no more than it has there for certain (package
// kernel/compiler/maxnreg). Without this design every warp has the most of them all the time, and setmaxnreg takes an
// issue slot and does nothing else. A kernel whose launch bounds no registers (.maxnreg, compiler.registers) does not
// change them, as PTX permits.
//
// # Order
//
// setmaxnreg.dec issues when no operation in flight of the warp reads or writes a register given up
// (regfile.Vacater). The block is notified a cycle later, and in this cycle it grants the registers to others.
//
// setmaxnreg.inc is held. The block sees the request a cycle after the instruction could have issued, and the
// instruction issues in the cycle after the grant: two cycles late where there are enough registers. Where requests
// block, they are served in the order of arrival, and one that finds too few registers does not hold up the next.
// Where they fail, each is tried again after retry cycles. The gate is closed to the warp again two cycles after the
// issue. A warp does not ask again before: between two changes it waits for other warps, which the compiler checks.
//
// # Pools
//
// A CTA's pool is what its warps have given up of the registers of their launch, and those of warps that have ended.
// The registers of all resident CTAs at their launch fit in the file, so a CTA always finds those with which its warps
// begin.
//
// In a pool of the SM each resident warp has the registers with which it begins to itself, whatever it gives up: they
// wait for the next warp. The pool has the rest of the file.
//
// # Deadlocks
//
// With a pool for each CTA a request waits for warps of the same CTA alone. A request that could never be met, even if
// all other warps had the fewest registers of the kernel, is refused before the launch. Apart from that it is the
// program that sees to it that its warps do not all wait for one another, as on Hopper.
//
// In a pool of the SM warps of all CTAs meet. A grant leaves the pool with enough registers for one warp, or for all
// warps of one CTA, to have the most that the kernel asks for (reserve). So with a reserve for a CTA there is at any
// time one whose requests can all be met: granting one of them leaves as much for its others as before. It ends, if it
// does not wait for other CTAs, and returns what it has, which is enough for any other one. A reserve for a warp, as on
// RDNA4, shows this for warps that wait for no others.
//
// # Limits
//
// A block of registers may lie anywhere in the file, and a register keeps the bank that it has without the design: the
// number of registers in a block is a multiple of the number of banks. Registers are counted for the whole SM, as by
// the rules of occupancy, and not by sub-core. A try that fails takes no issue slot.
package regpool
