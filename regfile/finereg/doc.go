// Package finereg implements FineReg (Oh et al., MICRO 2018). The register file is divided into an active part
// (ACRF), in which CTAs have all their registers, and a pending part (PCRF) for the live registers of CTAs waiting
// for memory. When all warps of a CTA wait, its live registers move to the PCRF, and another CTA, a pending or a
// new one, takes its place in the ACRF.
//
// The ACRF is a conventional register file. Beside its collectors stand two blocks; every link has a latency of 1
// cycle unless stated otherwise:
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
// The live vector of each warp is looked up, a warp per cycle. A vector missing from the live register cache is
// read from memory, one vector at a time. The leaving CTA can move if its live registers fit into the free entries
// of the PCRF, including those to be freed by the entering CTA. The switcher asks this before it deschedules a CTA, and
// orders the move when the CTA is descheduled. If a warp has gone on meanwhile, and there is no space any more, the
// order is refused.
//
// Live registers are read from the ACRF, one per cycle, beside the reads of the collectors, and go through the
// transfer buffer to the PCRF, one per cycle. Each entry points to the entry written before it. The first has the
// end bit. Meanwhile the chain of the entering CTA is read, in the cycles in which the port of the PCRF has nothing
// to write. Its first register takes the latency of the PCRF. The others follow one per cycle, or each after the
// latency (chain).
//
// An entering register frees its PCRF entry. If a leaving register still lies in its place in the ACRF, the leaving
// register is read next, and the entering one waits until the leaving one is in the PCRF. So there is always an
// entry for the value about to be overwritten, and with a full PCRF one register at a time is exchanged.
//
// # Late results
//
// A result for a register in the PCRF is written to its entry. The setting returns decides how the entry is found:
// the RMU keeps the entry of each awaited register, or the PCRF searches the chain of the CTA, occupying its port.
// A result for a register in transit waits for it. A result for a dead register is dropped. Late results and moves
// have separate queues, and no move waits for a result.
//
// # Several kernels
//
// Where launches run side by side, CTAs of all of them share the ACRF and the PCRF. Then the SM counts registers
// instead of CTAs: a CTA comes in if the file has room for its registers, without a move or after one. The table of
// live registers is that of the linked program. A CTA that needs more registers than any stalled one leaves waits
// until others have ended.
//
// # Simplification
//
// The compiler makes the table of live registers, and the RMU reads this table directly. A miss of the live
// register cache moves a vector's bytes through the modelled memory, but not its contents.
package finereg
