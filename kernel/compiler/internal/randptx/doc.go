// Package randptx writes random PTX kernels for differential tests: loops with
// trip counts that differ between threads, nested branches, all integer and
// floating-point types, vectors, predicates, shared memory, shuffles and
// atomics. Every variable is initialised, and every one is stored at the end, so
// that whatever a compiler gets wrong shows in memory.
//
// The kernel is called fuzz and takes (u64 in, u64 out, u32 a, s32 b, f32 c, u64 d):
// in has InBytes bytes, out OutBytes per thread and 64 more at its end for atomics.
package randptx

// InBytes and OutBytes are the sizes of the buffers: the input's, and the
// output's per thread.
const (
	InBytes  = 4096
	OutBytes = 512
)
