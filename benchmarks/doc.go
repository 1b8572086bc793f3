// Package benchmarks is the registry of built-in applications.
//
// Each application lives in a folder of its own: kernel.cu (CUDA C++ written
// for this project from a description of the published application), kernel.ptx
// made from it by scripts/kernels.sh, and host.go, the host program: it makes
// seeded inputs, launches, reads back between launches where the algorithm asks
// for it, and compares every element of the output with a computation in Go
// that shares nothing with the kernel. An application registers itself when its
// package is imported; package benchmarks/all imports them all.
//
// Where a folder has several applications, their names are told apart by what
// follows a dot (shader.bump); an application that takes arguments has them after
// a colon (synthetic:dep=1). What the applications execute was measured once and
// is in package benchmarks/measured.
//
// The applications keep the shape of the published ones (block size, shared
// memory, register pressure, locality, divergence); they are not those
// programs, and their inputs are synthetic.
package benchmarks
