// Package volta gives the machine code of Volta, Turing and Ampere (sm_70 to sm_86) its meaning: it makes a kernel of
// kernel/ir, one instruction for one, from a function of a listing (kernel/cubin/listing).
//
// rules.go and memory rules have a line for each opcode: the operation, the type, the operands in their order, and the
// suffixes it understands. Everything else is refused with the line and the form, so no suffix is passed over. What
// the disassembler prints is documented only by name in NVIDIA's "CUDA Binary Utilities"; the meanings here are
// PTX's where ptxas translates an instruction of PTX into one of these, and otherwise follow from the sequences in
// which ptxas uses them. Tests compare memory with that of the same PTX compiled by kernel/compiler.
//
// Uniform registers are ordinary registers behind a thread's own, with the same value in all lanes, and uniform
// predicates are predicates from ir.UniformPreds on.
package volta
