// Package liveness computes the live registers and predicates of a kernel: a value is live if some path may read it
// before it is written again (backward may-liveness per lane).
//
// A write by a guarded instruction leaves the values of the other lanes alone, so it ends no life. There is one
// exception: if all later reads stand, in the same block, under the very same guard, the unwritten lanes do not
// read either.
//
// Each lane has its own registers. So for one lane, and for register allocation, this is exact under divergence
// too. A warp register is needed as long as one lane needs it. In a diverged warp other lanes wait at other PCs,
// and the warp needs the union of the live vectors at the PCs of all entries of its reconvergence stack. A read is
// the last for the whole warp if no lane needs the register any more, neither on the path of the read nor waiting
// elsewhere (package marks, Dead).
package liveness
