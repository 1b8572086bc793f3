// Package compiler is the back end between PTX and the timing model. From a kernel over virtual registers it makes
// a kernel similar to machine code, so that the stream of register accesses and the number of registers are like
// those of a real GPU. Its result depends on its input alone. It changes no result: a compiled kernel leaves the
// same memory contents as its source.
//
// It is not an optimising compiler. The source comes from one (clang or nvcc); the passes here are only those
// between PTX and machine code.
package compiler
