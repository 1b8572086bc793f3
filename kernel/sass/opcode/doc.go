// Package opcode knows the machine instructions of NVIDIA GPUs from Fermi to
// Hopper as far as timing needs them: which pipeline executes one, which of its
// registers are read and written, how many registers an operand spans, and what
// memory it accesses, how wide.
//
// The names are those of the instruction set reference in NVIDIA's CUDA Binary
// Utilities (chapter 4, editions 6.5 to 12.9). What an operand spans is nowhere
// published; it follows from the suffixes (.64, .128, .WIDE, F64) and is
// confirmed by which registers nvdisasm's output keeps apart.
//
// Traces name the first register of each operand alone, in the order in which
// the instruction has them, the address of a memory instruction first.
package opcode
