// Package regpool lets warps give up registers and gain others while they run, by setmaxnreg of PTX (ISA section
// 9.7.19.5). Its settings are those of two machines. On Hopper each CTA has a pool of registers, and requests
// block. With the dynamic VGPRs of RDNA4 (AMD, "RDNA4" Instruction Set Architecture, section 3.3.3) the SM has a
// pool, in blocks of 16 or 32 registers, and requests fail and are repeated.
//
// The data plane is a register file of any kind with regfile.Vacating, and has the same ports. Beside it stands one
// block:
//
//	Registers  Warp    regfile.WarpNotice, from each scheduler: warps held by the gate "registers",
//	                   issues, and ends of warps
//	           CTAs    regfile.CTANotice: begins of CTAs
//	           Closed, a signal: the warps without a granted request
//
// # Registers of a kernel
//
// The compiler allocates registers within the number a warp has for certain at each point (package
// kernel/compiler/maxnreg). Without this design every warp has the most of them all the time, and setmaxnreg takes
// an issue slot and does nothing else. A kernel without a bound of its registers (.maxnreg, compiler.registers)
// does not change them, as PTX permits.
//
// # Order
//
// setmaxnreg.dec issues when no operation in flight of the warp reads or writes a register given up
// (regfile.Vacater). The block is notified a cycle later, and in this cycle it grants the registers to others.
//
// setmaxnreg.inc is held. The block sees the request a cycle after the instruction could have issued, and the
// instruction issues in the cycle after the grant: two cycles late where there are enough registers. Where requests
// block, they are served in the order of arrival, and one without enough registers does not hold up the next. Where
// they fail, each is tried again after retry cycles. The gate is closed to the warp again two cycles after the
// issue. A warp does not ask again before: between two changes it waits for other warps, as the compiler checks.
//
// # Pools
//
// A CTA's pool has the registers of the CTA's launch given up by its warps, or left by their ends. The registers of
// all resident CTAs at their launch fit in the file. So there are always enough for the warps of a new CTA.
//
// In a pool of the SM each resident warp has the registers of its beginning to itself, even after it has given them
// up: they wait for the next warp. The pool has the rest of the file.
//
// # Deadlocks
//
// With a pool for each CTA a request waits for warps of the same CTA alone. It is refused before the launch if it
// could not be met even with the fewest registers of the kernel in all other warps. Apart from this the program
// must not let its warps all wait for one another, as on Hopper.
//
// In a pool of the SM warps of all CTAs meet. With a reserve for a warp, as on RDNA4, a grant leaves enough registers
// for one warp to have the most asked for by the kernel. This warp ends, if it does not wait for other warps, and
// returns enough for any other one. With a reserve for a CTA, a grant leaves the CTAs an order in which the warps of
// each can all have the most, once the CTAs before have ended (Dijkstra's banker's algorithm). So some CTA always gets
// all its requests, and ends, if it does not wait for other CTAs. A CTA with some warps ended returns less than another
// may ask for: one CTA able to end is not enough.
//
// # Limits
//
// A block of registers may lie anywhere in the file, and a register keeps its bank: the number of registers in a
// block is a multiple of the number of banks. Registers are counted for the whole SM, as by the rules of occupancy,
// and not by sub-core. A failing try takes no issue slot.
package regpool
