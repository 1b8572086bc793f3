// Package randptx writes random PTX kernels for differential tests: loops with trip counts differing between
// threads, nested branches, all integer and floating-point types, vectors, predicates, shared memory, shuffles and
// atomics. Every variable is initialised, and stored at the end, so any compiler error shows in memory.
//
// The kernel is called fuzz and has parameters (u64 in, u64 out, u32 a, s32 b, f32 c, u64 d): in has InBytes bytes,
// out OutBytes per thread and 64 more at its end for atomics.
package randptx

// InBytes and OutBytes are the sizes of the buffers: the input's, and the
// output's per thread.
const (
	InBytes  = 4096
	OutBytes = 512
)
