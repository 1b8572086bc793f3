// Package merge joins loads, and stores, of neighbouring words into ones of 64 and 128 bits, as
// the vendor's assembler does.
//
// Joined are accesses of one block, space, base, guard and size, without any difference in
// modifiers, that fill an aligned 8 or 16 bytes. Alignment is proved, never assumed: residue.go finds
// the low bits of addresses. Addresses in shared, local and constant space are those that the variables
// have been given, the beginning of dynamic shared memory a multiple of 16. Of a variable in global
// space the declared alignment is known, and of a pointer among the parameters that of
// ".ptr .align", nothing where the parameter has none.
//
// A load moves up to the first of those that it is joined with, a store down to the last. They pass
// no barrier, fence, branch, or access that may touch the same bytes, and nothing that writes or reads
// the registers that they need. A volatile access stays as it is, and so do elements below 32 bits
// and generic addresses. Constant space has loads of up to 64 bits.
package merge
