// Package scalar implements a register file with a scalar file: registers whose lanes have equal values, or values
// with a constant stride, are kept there as a word and a stride, and their reads and writes do not access the banks
// (Collange et al., "Dynamic Detection of Uniform and Affine Vectors in GPGPU Computations", Euro-Par 2009 workshops).
//
// One sub-core; every link has a latency of 1 cycle unless stated otherwise:
//
//	collectors -> Request -> scalars -> Read -> arbiter -> banks -> network -> collectors
//	                         scalars -(2)-> collectors
//	write-back -(forward + 1)-> Result -> scalars -> Write -> arbiter
//	schedulers -> Notices -> scalars
//
// # Operation
//
// Each register has a tag: vector, uniform or affine. A result of all lanes whose value is uniform, or affine where
// these are kept too, goes to the scalar file alone, if its warp has an entry left. Any other result goes to the banks.
// If the register was in the scalar file, a result of all lanes frees its entry; before a result of some lanes its
// value is written to the banks, from where the register is read from then on.
//
// An operand in the scalar file comes from there two cycles after its request, as far as the file has ports. Others
// are read from the banks.
//
// # Order
//
// Results are taken before requests. A result that waits holds up all requests, so no read overtakes a write of its
// register.
//
// # Limits
//
// No operation is executed once in place of once per lane. A read of the banks takes an additional cycle for the
// lookup. lab/docs/deviations/values.md has the other differences.
package scalar
