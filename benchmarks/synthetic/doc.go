// Package synthetic is a family of generated kernels. Each dial sets one property of the register and memory
// traffic.
//
//	synthetic:dep=1,stride=16,reuse=17
//
// A thread keeps dep accumulators and a pool of reuse values in registers. The body of its loop is a row of 64
// operations
//
//	acc[j mod dep] = acc[j mod dep] * pool[j mod reuse] + pool[(j + stride) mod reuse]
//
// An operation therefore waits for the operation dep before it, and a pool register is read again reuse operations
// later (and stride before that). The two pool registers of an operation lie stride apart, since the allocator
// numbers the pool in order: if stride is a multiple of the number of banks, both are in one bank. In a share mem
// of the operations a load provides the addend. With div above 1 each warp goes through the row once per group of
// 32/div lanes. idle registers stay live throughout and are read after the loop. ramp registers are written at the
// beginning of each turn of the loop and read at its end.
//
// All values are small integers, so that the results are exact in any order.
package synthetic
