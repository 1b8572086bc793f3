// Package synthetic is a family of kernels made to measure: PTX is generated for
// dials that set one property each of the register and memory traffic.
//
//	synthetic:dep=1,stride=16,reuse=17
//
// A thread keeps dep accumulators and a pool of reuse values in registers. The
// body of its loop is a row of 64 operations
//
//	acc[j mod dep] = acc[j mod dep] * pool[j mod reuse] + pool[(j + stride) mod reuse]
//
// so that an operation waits for the one dep before it, a pool register is read
// again reuse operations later (and stride before that), and the two registers
// that an operation takes from the pool, which the allocator numbers in order,
// lie stride apart: at a multiple of the banks they fall into one bank. In a
// share mem of the operations the addend comes from a load of its own. With div
// above 1 each warp goes through the row once per group of 32/div lanes. idle
// registers stay live throughout and are read after the loop; ramp registers are
// written at the beginning of each turn of the loop and read at its end.
//
// All values are small integers, so that the results are exact in any order.
package synthetic
