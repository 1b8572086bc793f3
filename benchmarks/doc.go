// Package benchmarks is the registry of built-in applications.
//
// Each application has a folder of its own. kernel.cu is CUDA C++ written for this project from a description of
// the published application. kernel.ptx is compiled from it by scripts/kernels.sh. host.go is the host program: it
// makes seeded inputs, launches, reads back between launches if the algorithm requires it, and compares every
// element of the output with a computation in Go without common code. An application registers itself when its
// package is imported. Package benchmarks/all imports all of them.
//
// Several applications in one folder have names with different suffixes after a dot (shader.bump). Arguments of an
// application follow a colon (synthetic:dep=1). The instructions executed by the applications have been measured
// once. Package benchmarks/measured has the figures.
//
// The applications keep the characteristics of the published ones (block size, shared memory, register pressure,
// locality, divergence). They are not the published programs, and their inputs are synthetic.
package benchmarks
