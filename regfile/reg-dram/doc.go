// Package regdram implements Reg+DRAM, used by FineReg (MICRO 2018, section VI) for comparison. When a CTA stalls
// for memory, all its registers go to the DRAM. Another CTA takes its place: one with its registers in the DRAM, or
// a new one.
//
// The data plane is a conventional register file. Beside its collectors stands the block Mover:
//
//	Orders, Answers   regfile.Move, regfile.Moved: from and to the SM's switcher
//	CTAs              regfile.CTANotice
//	Read, Write, Values, Late of each sub-core (package moving)
//	Ask, Answer       req.Packet: to the L2 and the DRAM and from there
//
// # A move
//
// First the leaving registers are read, one per cycle, and sent as posted writes of a line each. The queue bounds
// the registers between the banks and the SM's port. When the last has been read, the entering registers are
// requested, one per cycle, and written to the banks in the order of their arrival. A register's address is its
// context times the most registers of a warp, plus its number, in the design's region of memory. All registers of a
// warp move, written or not. The registers of a warp do not move after its last instruction.
//
// A result for a register in memory is written there, in the lanes of the result. A result for a register in
// transit waits for it in the Mover.
//
// Limits: the number of CTAs off the chip is a setting. It is not chosen at run time.
package regdram
