// Package finereg is FineReg (Oh et al., MICRO 2018). The register file is divided into an active
// part (ACRF), in which CTAs have all their registers, and a pending part (PCRF), which keeps the
// live registers of CTAs that wait for memory. When all warps of a CTA wait, its live registers
// move to the PCRF, and another CTA, a pending or a new one, takes its place in the ACRF.
//
// The ACRF is a conventional register file. Beside its collectors stand two blocks; every
// link has a latency of 1 cycle unless said otherwise:
//
//	RMU      Orders, Answers   regfile.Move, regfile.Moved: from and to the SM's switcher
//	         CTAs              regfile.CTANotice
//	         Read, Write, Values, Late of each sub-core (package moving)
//	         ToPCRF            Access: to the PCRF
//	         Taken             Taken: from the PCRF, after its latency
//	         Ask, Answer       req.Packet: live vectors, from the L2 and the DRAM
//	PCRF     In, Out           Access, Taken
//
// # An order
//
// The live vector of each warp is looked up, a warp per cycle. A vector missing from the live
// register cache is read from memory, one vector at a time. The CTA goes if its live registers fit
// into the free entries of the PCRF, those of the CTA that comes included. The switcher asks this
// before it parks a CTA, and orders the move when the CTA is parked. If a warp has gone on
// meanwhile, and there is no room any more, the order is refused.
//
// Live registers are read from the ACRF, one per cycle, beside the reads of the collectors, and go
// through the transfer buffer to the PCRF, one per cycle. An entry points to the entry that was
// written before it. The first has the end bit. Meanwhile the chain of the CTA that comes is read,
// in the cycles in which the port of the PCRF has nothing to write. Its first register takes the
// latency of the PCRF. The others come one per cycle, or each after the latency (chain).
//
// A register that comes frees its entry. If a register that is still to go lies in its place in the
// ACRF, that one is read next, and the register that comes waits until it is in the PCRF. So a value
// that would be overwritten has an entry, and with a full PCRF one register at a time is exchanged.
//
// # Late results
//
// A result for a register in the PCRF is written to its entry (returns): the RMU keeps the
// entry of each awaited register, or the PCRF searches the chain of the CTA, which occupies its
// port. A result whose register is on the way waits for it. A result whose register was not live
// is dropped. Late results and moves have separate queues, and no move waits for a result.
//
// # Simplification
//
// The compiler makes the table of live registers, and the RMU reads this table directly. A miss of the
// live register cache moves a vector's bytes through the modelled memory, but not its contents.
package finereg
