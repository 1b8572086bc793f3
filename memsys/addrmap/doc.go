// Package addrmap tells which L2 slice serves an address, and where the address
// lies in the memory of the DRAM channel behind that slice.
//
// Memory is interleaved over the slices in blocks. With policy linear, block b
// belongs to slice b mod n; xor and ipoly spread strides by hashing (slices a
// power of two); random places every block by a fixed hash of its number, which
// is what the reference simulator's random indexing comes to, without its
// dependence on the order of first touches.
package addrmap
