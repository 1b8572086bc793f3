// Package compiler is the back end between PTX and the timing model: it turns a
// kernel over virtual registers into one that looks like machine code, so that
// the stream of register accesses, and the number of registers, is like that of
// a real GPU. It is a function of its input alone and changes no result: a
// compiled kernel leaves the same memory behind as its source.
//
// What it is not: an optimising compiler. The source comes from one (clang or
// nvcc); the passes here are those that stand between PTX and machine code.
package compiler
