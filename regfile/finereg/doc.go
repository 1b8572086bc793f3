// Package finereg is FineReg (Oh et al., MICRO 2018): the register file is divided into an
// active part (ACRF), in which CTAs have all their registers, and a pending part (PCRF),
// which keeps the live registers of CTAs that wait for memory. When all warps of a CTA wait,
// its live registers move to the PCRF, and another CTA, a pending or a new one, has its
// place in the ACRF.
//
// The ACRF is a conventional register file. Beside its collectors stand two blocks; every
// link has a latency of 1 cycle unless said otherwise:
//
//	Manager  Orders, Answers   regfile.Move, regfile.Moved: from and to the SM's switcher
//	         CTAs              regfile.CTANotice
//	         Read, Write, Values, Late of each sub-core (package moving)
//	         ToPCRF            Access: to the PCRF
//	         Taken             Taken: from the PCRF, after its latency
//	         Ask, Answer       req.Packet: live vectors, from the L2 and the DRAM
//	PCRF     In, Out           Access, Taken
//
// # An order
//
// The live vector of each warp is looked up, a warp per cycle; what the live register cache
// lacks is read from memory, one vector at a time. The CTA goes if the free entries of the
// PCRF, with those of the CTA that comes, are as many as its live registers. The switcher
// asks so before it parks a CTA, and orders the move when that is parked. If a warp has gone
// on meanwhile, so that there is no room any more, the order is refused.
//
// Live registers are read from the ACRF, one per cycle, beside the reads of the collectors,
// and go through the transfer buffer to the PCRF, one per cycle. An entry points to the one
// that was written before it; the first has the end bit. When all have gone, the chain of
// the CTA that comes is read: the first register after the latency of the PCRF, the others a
// register per cycle, or each after the latency (chain).
//
// While no entry is free, a register that comes makes room for one that goes: its entry is
// read, which frees it; if a register that is still to go lies in its place, that one is read
// into the buffer; then the register that comes is written to the ACRF, and the buffer to the
// entry. So there is always an entry or the buffer for what would be overwritten.
//
// # Late results
//
// A result that comes for a register in the PCRF is written to its entry: the manager keeps
// the entry of each register that is awaited, or the PCRF looks for it along the chain of the
// CTA, which takes its port (returns). One whose register is on the way waits for it.
// One whose register was not live is dropped. Late results and moves have queues of their
// own; what moves waits for no result.
//
// What it is not: which registers are live is a table that the compiler makes and the
// manager reads; the contents of live vectors are not read from the modelled memory.
package finereg
