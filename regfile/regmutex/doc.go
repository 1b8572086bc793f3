// Package regmutex is RegMutex (Khorasani et al., ISCA 2018), as FineReg (MICRO 2018,
// section VI) compares itself with it: of each warp's registers a base set is its own, and
// the others, the extended set, a warp has only while it executes code that needs them. They
// lie in sections of a pool that warps share (SRP), so that more CTAs are resident than have
// all of their registers.
//
// The data plane is a conventional register file (package conventional), whose ports this
// one's are. Beside it stands one block:
//
//	Sections  Warp  regfile.WarpNotice, from each scheduler: who is held by the gate "srp",
//	                what is issued, who has ended
//	          Closed, a signal: the warps without a section
//
// # Order
//
// The compiler pass (kernel/compiler/regmutex) says which instructions need the extended set.
// A warp without a section is held before such an instruction. It asks, and is given the
// section of its sub-core that is free, first come, first served: the request is seen a cycle
// after the instruction could have issued, and the instruction issues in the cycle after that.
//
// A warp gives its section up when it issues an instruction that does not need it. That
// instruction waits until no operation of the warp reads or writes the extended set
// (regfile.Vacater). The block hears of it a cycle later, and shuts the gate; in that cycle
// the warp may issue one that needs the section again, so the section is free one cycle after
// that, if it has not.
//
// A warp that has lost its scheduler slots (cta.switching) keeps its section, and its request:
// when it is given one it could issue, so that its CTA can come back.
//
// # Deadlocks
//
// A warp that waits for a section waits for a warp that has one. That one can go on: what it
// waits for is memory, or, without slots, that a CTA stalls; one whose warps wait for sections
// counts as one that does where another is ready (sm/switching). It must not wait at a barrier
// for warps that wait for sections: a base set with which a barrier is executed with a section
// held is enlarged until there is none.
//
// # Physical registers
//
// The extended set of a warp lies where its section is (bank.Index, Lift), so that the
// operand check sees it when two warps use one.
//
// # What it is not
//
// RegMutex's own instructions to acquire and to release take no fetch and no issue slot. It
// moves values from the extended to the base set so that regions end earlier; here a region
// lasts as long as a register of the extended set is live.
package regmutex
