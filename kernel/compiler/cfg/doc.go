// Package cfg is the control-flow graph of a kernel: basic blocks, their edges, dominators, immediate
// post-dominators and loop depths.
//
// A block ends at every branch, at every exit, behind every wait at a convergence barrier, and before every branch
// target. A guarded branch has two successors, and so has a guarded exit: the lanes with a true guard leave the kernel.
// A wait at a meeting place is a branch to the places that it may be (ir.OpMeet). The graph shows the possible paths of
// a single lane. The walk of a diverged warp is up to the emulator, with the reconvergence points set by SetReconv.
package cfg
