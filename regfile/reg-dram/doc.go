// Package regdram is Reg+DRAM, with which FineReg (MICRO 2018, section VI) compares itself. When a
// CTA stalls for memory, all its registers go to the DRAM. Another CTA takes its place: one whose
// registers come from the DRAM, or a new one.
//
// The data plane is a conventional register file. Beside its collectors stands the block
// Mover:
//
//	Orders, Answers   regfile.Move, regfile.Moved: from and to the SM's switcher
//	CTAs              regfile.CTANotice
//	Read, Write, Values, Late of each sub-core (package moving)
//	Ask, Answer       req.Packet: to the L2 and the DRAM and from there
//
// # A move
//
// First the registers that go are read, one per cycle, and sent as posted writes of a line each.
// At most as many as the queue holds are between the banks and the SM's port. When the last has
// been read, the registers that come are requested, one per cycle, and written to the banks in the
// order of their arrival. A register's address is its context times the registers that a warp can
// have, plus its number, in the design's region of memory. All registers of a warp move, written
// or not. The registers of a warp that has issued its last instruction do not.
//
// A result for a register that is away is written to memory, in the lanes that the result has. A
// result whose register is on the way waits for it in the Mover.
//
// What it is not: the number of CTAs off the chip is a setting. It is not chosen at run time.
package regdram
