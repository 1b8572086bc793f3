// Package alloc gives the virtual registers and predicates of a kernel physical
// ones: linear scan over live ranges with holes, after copy coalescing.
//
// A value of two words gets an even-aligned pair; the elements of a vector
// access that moves whole words get consecutive registers aligned to their
// number. Words of one value live and die apart: the dead half of a pair is
// free for others. Predicates are a file of their own.
//
// Where a maximum is set and reached, values go to local memory at absolute
// per-thread offsets, those with the fewest accesses (weighted by 10 per loop
// around them) per program point of their live range first; a value that a
// constant move makes is made again at its reads instead. Predicates that do
// not fit are kept in registers as 0 and 1.
package alloc
