// Package rules makes a kernel of kernel/ir, one instruction for one, from a function of a listing
// (kernel/cubin/listing), by the rules that a family of architectures has for its opcodes. It has what families have in
// common: operands, constant banks, memory accesses, conversions. A family's own package adds its table and what only
// its code has.
//
// A rule has the operation, the type, the operands in their order, and the suffixes it understands. Everything else is
// refused with the line and the form, so no suffix is passed over. What the disassembler prints is documented only by
// name in NVIDIA's "CUDA Binary Utilities"; the meanings here are PTX's where ptxas translates an instruction of PTX
// into one of these, and otherwise follow from the sequences in which ptxas uses them. Tests compare memory with that
// of the same PTX compiled by kernel/compiler.
package rules
