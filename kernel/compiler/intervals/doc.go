// Package intervals forms register-intervals: parts of the control-flow graph
// with one entry whose instructions name at most N registers, so that a warp
// can fetch them all when it enters (LTRF: Sadrosadati et al., ASPLOS 2018,
// algorithms 1 and 2). It works on bare graphs of register sets, which a kernel
// gives as well as a disassembly.
//
// The printed algorithms are followed with these corrections: algorithm 1 sets
// a block's output list when the block ends normally too, not only when it is
// cut; the instruction that overflows belongs to the second part; algorithm 2
// tests the union of the working sets that are to be merged, as the text says;
// and edges of a merged node to itself are ignored, or no loop would ever be
// reduced.
package intervals
