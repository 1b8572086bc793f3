// Package merge joins loads, and stores, of neighbouring words into accesses of 64 and 128 bits, as NVIDIA's
// assembler does.
//
// The joined accesses have the same block, space, base, guard, size and modifiers, and together fill an aligned 8
// or 16 bytes. Alignment is proved, never assumed: residue.go computes the low bits of addresses. A variable in
// shared, local or constant space has its place already, and dynamic shared memory begins at a multiple of 16. A
// variable in global space has its declared alignment. A pointer parameter has the alignment of ".ptr .align", or
// none.
//
// Joined loads move up to the first of them, joined stores down to the last. No access passes a barrier, a fence, a
// branch, an access possibly touching the same bytes, or an instruction writing or reading a register of the
// access. A volatile access stays as it is, and so do elements below 32 bits and generic addresses. Constant space
// has loads of up to 64 bits.
package merge
