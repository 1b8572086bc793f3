// Package intervals forms register-intervals: single-entry parts of the control-flow graph with at most N registers
// named by their instructions. So a warp can fetch all registers of a part when it enters (LTRF: Sadrosadati et
// al., ASPLOS 2018, algorithms 1 and 2). The package works on bare graphs of register sets, made from a kernel or
// from a disassembly.
//
// The printed algorithms are followed with these corrections. Algorithm 1 sets a block's output list when the block
// ends normally too, not only when it is cut. The overflowing instruction belongs to the second part. Algorithm 2
// tests the union of the two working sets, as the text says. And edges of a merged node to itself are ignored, or
// no loop would ever be reduced.
package intervals
