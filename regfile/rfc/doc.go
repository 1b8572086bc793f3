// Package rfc implements a register file cache (Gebhart et al., "Energy-Efficient Mechanisms for Managing Thread
// Context in Throughput Processors", ISCA 2011) between the operand collectors and the banks of a conventional
// file. The cache is small, and most operands and results need not go to the large banks. It saves energy, not
// time.
//
// One sub-core; every link has a latency of 1 cycle unless stated otherwise:
//
//	collectors -> Request -> cache -> Read -> arbiter -> banks -> crossbar -> collectors
//	                         cache -(2)-> collectors
//	write-back -(forward + 1)-> Result -> cache -> Write -> arbiter
//	collectors -> Captured, Fill -> cache
//	schedulers -> Notices -> cache -> gate rfc_flush -> schedulers
//
// The block Cache has the ports of a conventional.Level, with Fill used only with allocate_reads, and one more:
//
//	Captured     bank.Capture: operands captured from the result bus
//
// # Operation
//
// Every active warp has a partition of a few entries, fully associative; or all warps share one set-associative
// cache. An entry has a register, a mask of its present lanes, and three flags: dirty, dead, far.
//
//   - A request is looked up in the cycle of its arrival. A hit reaches its collector two
//     cycles later: tags, then data. A miss reaches the arbiter one cycle later than without the
//     cache. It allocates no entry, except with allocate_reads.
//   - A result allocates an entry, or overwrites the present entry of its register. An entry
//     evicted for it is written to the main file. Results of long-latency operations go to the
//     main file, and their lanes of an older value in the cache are invalidated.
//   - Lanes executing apart share an entry. A read hits when the entry has all executing lanes.
//     If it has some of them, the entry is written to the main file first and the read goes
//     there.
//   - When a warp leaves the active set, its entries are written back. Then its partition is free
//     for the next warp. Until then the next warp's results go to the main file or, with
//     flush_stall, a gate keeps the next warp from issuing. A warp that has ended and read all
//     its operands leaves nothing to write back.
//
// # Order
//
// In each cycle the block accepts notices, then results, then fills, then reads. A waiting result holds up all
// reads. Lookup and read are one step: a value is in the cache, or it has been sent to the arbiter no later than
// the read, and the arbiter lets no read pass a write of its register. So a read always gets the newest value
// arrived. The scheduler ensures that nothing is overwritten before it has been read, as for banks.
//
// # Limits
//
// Values are not copied when a warp is diverged: an entry is a register, whatever path wrote its lanes. The tags
// have as many ports as the requests need. Only the data ports (reads, writes) and the capacity towards the main
// file cost time. If a sub-core has its own cache, the active warps are assumed to be spread evenly over the
// sub-cores.
package rfc
