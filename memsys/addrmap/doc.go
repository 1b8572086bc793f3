// Package addrmap maps an address to its L2 slice, and to its place
// in the memory of the DRAM channel behind that slice.
//
// Memory is interleaved over the slices in blocks. With policy linear, block b
// belongs to slice b mod n; xor and ipoly spread strides by hashing (slices a
// power of two); random places every block by a fixed hash of its number. This
// is equivalent to the reference simulator's random indexing, without its
// dependence on the order of first touches.
package addrmap
