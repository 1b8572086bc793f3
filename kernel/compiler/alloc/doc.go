// Package alloc replaces the virtual registers and predicates of a kernel by physical ones: linear scan over live
// ranges with holes, after copy coalescing.
//
// A value of two words gets an even-aligned pair. The elements of a vector access of whole words get consecutive
// registers, aligned to their number. Words of one value live and die separately: the dead half of a pair is free
// for others. Predicates are a file of their own.
//
// If a register limit is set and reached, values are spilled to local memory at absolute per-thread offsets. The
// first to go are those with the fewest accesses (weighted by 10 per loop around them) per program point of their
// live range. The value of a constant move is recomputed at its reads instead. Predicates without a place are kept
// in registers as 0 and 1.
package alloc
