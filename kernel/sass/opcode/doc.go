// Package opcode has the properties of the machine instructions of NVIDIA GPUs from Fermi to Hopper needed for
// timing: the pipeline of an instruction, the registers read and written, the number of registers of an operand,
// and the memory space and width of an access.
//
// The names are those of the instruction set reference in NVIDIA's CUDA Binary Utilities (chapter 4, editions 6.5
// to 12.9). The number of registers of an operand is nowhere published. It follows from the suffixes (.64, .128,
// .WIDE, F64), and is confirmed by the register allocation in nvdisasm's output.
//
// Traces name only the first register of each operand, in the order of the instruction's operands, the address of a
// memory instruction first.
package opcode
