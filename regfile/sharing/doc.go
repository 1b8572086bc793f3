// Package sharing implements register sharing (Jatala et al., Register Sharing; sections below are those of the
// paper). An SM holds more CTAs than its registers would permit, because some CTAs share registers in pairs. A part
// t (threshold) of the registers of each CTA of a pair is private. The rest exists once per pair. Of two warps with
// the same index, only the holder of their lock may use the shared registers.
//
// The data plane is a conventional register file (package conventional) with the same ports. Beside it stand three
// blocks:
//
//	Residency -CTA-> Pairs -Begun-> Locks <-Warp- Schedulers
//	                   ^ <--Taken--- |
//	                   |             Pulses
//	                   +- signals -> Throttle <-> SM 0's Throttle
//
//	Pairs     the pairs of CTA slots, and the owner of each pair
//	Locks     a lock variable per pair of warps; the gate "lock"
//	Throttle  dynamic warp execution; the gate "dynamic"
//
// and package pairing, which computes the number of sharing CTAs.
//
// # Interpretation of the paper
//
// Launching. Let the SM hold g CTAs without sharing, and let there be U unshared CTAs and S pairs. CTA slots 0 to
// S-1 are the first of each pair, slots S to g-1 are unshared, and slots g to g+S-1 are the second of each pair.
// Slots are allocated lowest first. So the first g CTAs are those held by the SM without sharing, and each further
// CTA becomes the partner of one of them. A CTA allocated the slot of a finished one takes over its position in the
// pair. When no more than g CTAs fit, nothing is shared, and the SM behaves to the cycle as with a conventional
// register file.
//
// Several kernels. Where launches run side by side, the CTA dispatcher pairs CTAs, each with one of its own launch, and
// an SM has at most as many pairs of a kernel as alone: a CTA begins a pair, or is unshared beyond these, while there
// are registers for all of it, and joins a CTA without a partner when there are not. A kernel that shares nothing alone
// shares nothing beside others. With one launch these are the CTAs above.
//
// Access. Count registers from 1. A register is shared if its number is more than t times the registers per thread.
// An instruction naming a shared register, source or destination, is held while its warp shares registers and does
// not hold the lock. So a warp takes its lock once, before the first such instruction, and keeps it to its end. A
// request reaches the locks one cycle after the warp was first held. If it is granted, the instruction may issue in
// the cycle after that.
//
// Deadlock rule (section 4, figure 5). A warp gets a lock only while no warp of its partner CTA holds one.
// Otherwise two warps could each hold a lock and wait at a barrier for another warp of their CTA, itself waiting
// for the other's lock.
//
// Owner. The first owner is the CTA alone in its pair, or resident first. Later a CTA becomes the owner when it
// takes a lock while its partner holds none, or when the owner finishes. So a warp waiting for a lock waits for an
// owner, and an owner waits for no lock: with dynamic warp execution at probability 0, owners and then all others
// come to their end.
//
// Priority (owner_first): owner before unshared before non-owner.
//
// Threshold 0 is permitted: no register is private, and as many CTAs as the other limits allow, up to twice the
// number, have a partner.
//
// # Physical registers
//
// The shared registers of a pair of warps have one place in the banks (bank.Index, Lift), so the operand check
// notices if both warps use them. The paper lets physical registers be allocated at their first use and released at
// the end of the warp. Registers are not renamed here, so the choice of physical registers makes no difference.
//
// # Limits
//
// The two comparators of section 6 are part of the gate's table, made once per launch. The paper's sharing of
// scratchpad memory is not modelled.
package sharing
