// Package cfg is the control-flow graph of a kernel: basic blocks, their edges,
// dominators, immediate post-dominators and loop depths.
//
// A block ends at every branch, at every exit and before every instruction that
// a branch names. A guarded branch has two successors, and so has a guarded
// exit: the lanes whose guard is true leave the kernel. The graph says what a
// single lane may do next; how a warp walks it under divergence is the
// emulator's business, with the reconvergence points that SetReconv gives it.
package cfg
