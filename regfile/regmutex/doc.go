// Package regmutex is RegMutex (Khorasani et al., ISCA 2018), in the form with which FineReg
// (MICRO 2018, section VI) compares itself. A base set of each warp's registers is its own. A warp
// has the others, the extended set, only while it executes code that needs them. They lie in
// sections of a pool that warps share (SRP). So more CTAs are resident than the register file
// holds with all their registers.
//
// The data plane is a conventional register file (package conventional) with the same ports.
// Beside it stands one block:
//
//	Sections  Warp  regfile.WarpNotice, from each scheduler: warps held by the gate "srp",
//	                issues, and warps that have ended
//	          Closed, a signal: the warps without a section
//
// # Order
//
// The compiler pass (kernel/compiler/regmutex) lists the instructions that need the extended set.
// A warp without a section is held before such an instruction. It asks, and is given a free
// section of its sub-core, first come, first served. The block sees the request a cycle after the
// instruction could have issued, and the instruction issues in the cycle after that.
//
// A warp gives its section up when it issues an instruction that does not need it. That
// instruction waits until no operation of the warp reads or writes the extended set
// (regfile.Vacater). The block hears of it a cycle later, and shuts the gate. In that cycle the
// warp may still issue an instruction that needs the section again. If it does not, the section is
// free one cycle after that.
//
// A warp that has lost its scheduler slots (cta.switching) keeps its section, and its request.
// When its request is granted it could issue, so its CTA can come back.
//
// # Deadlocks
//
// A warp that waits for a section waits for a warp that has one. The holder can go on. It waits
// for memory or, without slots, for a CTA to stall. A CTA whose warps wait for sections counts as
// stalled where another is ready (sm/switching). The holder must not wait at a barrier for warps
// that wait for sections. So a base set with which a barrier would be executed with a section held
// is enlarged until there is no such barrier.
//
// # Physical registers
//
// The extended set of a warp lies where its section is (bank.Index, Lift), so that the operand
// check sees it when two warps use one section.
//
// # What it is not
//
// RegMutex's own instructions to acquire and to release take no fetch and no issue slot. RegMutex
// moves values from the extended to the base set so that regions end earlier. Here a region lasts
// as long as a register of the extended set is live.
package regmutex
