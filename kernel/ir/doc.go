// Package ir is the program representation. Every front end produces it; the emulator, the compiler's passes and
// the timing model use it.
//
// A Kernel is one flat array of instructions; the index of an instruction is its PC. Registers are 32-bit warp
// registers (32 lanes x 4 B). A 64-bit value occupies two consecutive registers, low word first, named by the
// first; after allocation the first is even. A 16- or 8-bit value occupies one register, in its low bits; the bits
// above are zero. Predicates are a file of their own, one bit per lane.
//
// The same representation serves before and after register allocation: before it, registers and predicates are
// numbered without bound.
package ir
