// Package regmutex implements RegMutex (Khorasani et al., ISCA 2018), in the form used for comparison by FineReg
// (MICRO 2018, section VI). A base set of each warp's registers is its own. A warp has the others, the extended
// set, only while it executes code in need of them. They lie in sections of a pool shared by the warps (SRP). So
// more CTAs are resident than the register file holds with all their registers.
//
// The data plane is a conventional register file (package conventional) with the same ports. Beside it stands one
// block:
//
//	Sections  Warp  regfile.WarpNotice, from each scheduler: warps held by the gate "srp",
//	                issues, and ends of warps
//	          Closed, a signal: the warps without a section
//
// # Order
//
// The compiler pass (kernel/compiler/regmutex) lists the instructions in need of the extended set. A warp without a
// section is held before such an instruction. It requests a section, and gets a free section of its sub-core, first
// come, first served. The block sees the request a cycle after the instruction could have issued, and the
// instruction issues in the cycle after that.
//
// A warp gives its section up when it issues an instruction without need of it. That instruction waits until no
// operation in flight of the warp reads or writes the extended set (regfile.Vacater). The block is notified a cycle
// later, and closes the gate. In that cycle the warp may still issue an instruction that needs the section again.
// If it does not, the section is free one cycle after that.
//
// A warp without scheduler slots (cta.switching) keeps its section, and its request. When its request is granted it
// could issue, so its CTA can come back.
//
// # Several kernels
//
// Where launches run side by side, their warps share one pool. It has its share of the registers (pool), and sections
// as large as the largest extended set; the CTA dispatcher deals the rest to the base sets. A kernel that shares
// nothing alone has all of its registers.
//
// # Deadlocks
//
// A warp waiting for a section waits for a holder, and the holder can go on. It waits for memory or, without slots,
// for a CTA to stall. A CTA with warps waiting for sections counts as stalled if another is ready (sm/switching).
// The holder must not wait at a barrier for warps that wait for sections. So the base set is enlarged until no warp
// holds a section at a barrier.
//
// # Physical registers
//
// The extended set of a warp lies in the place of its section (bank.Index, Lift), so that the operand check notices
// if two warps use one section.
//
// # Limits
//
// RegMutex's own instructions to acquire and to release take no fetch and no issue slot. RegMutex moves values from
// the extended to the base set so that regions end earlier. Here a region lasts as long as a register of the
// extended set is live.
package regmutex
