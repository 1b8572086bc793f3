// Package rfc is a register file cache (Gebhart et al., "Energy-Efficient Mechanisms for Managing
// Thread Context in Throughput Processors", ISCA 2011) between the operand collectors and the
// banks of a conventional file. The cache is small, and most operands and results need not go to
// the large banks. It saves energy, not time.
//
// One sub-core; every link has a latency of 1 cycle unless said otherwise:
//
//	collectors -> Request -> cache -> Read -> arbiter -> banks -> crossbar -> collectors
//	                         cache -(2)-> collectors
//	write-back -(forward + 1)-> Result -> cache -> Write -> arbiter
//	collectors -> Captured, Fill -> cache
//	schedulers -> Notices -> cache -> gate rfc_flush -> schedulers
//
// The block Cache has the ports of a conventional.Level, of which Fill is used with allocate_reads,
// and one more:
//
//	Captured     bank.Capture: operands that were captured from the result bus
//
// # What it does
//
// Every active warp has a partition of a few entries, fully associative; or all warps share one
// set-associative cache. An entry has a register, the lanes of it that are there, and three flags:
// dirty, dead, far.
//
//   - A request is looked up in the cycle in which it arrives. A hit reaches its collector two
//     cycles later: tags, then data. A miss reaches the arbiter one cycle later than without the
//     cache. It allocates no entry, except with allocate_reads.
//   - A result allocates an entry, or overwrites the one that its register has. An entry that is
//     evicted for it is written to the main file. Results of long-latency operations go to the
//     main file, and their lanes of an older value in the cache are invalidated.
//   - Lanes that execute apart share an entry. A read hits when the entry has all
//     lanes that execute. If it has some of them, the entry is written to the main
//     file first and the read goes there.
//   - A warp that leaves the active set has its entries written back. Then its partition is free
//     for the next warp. Until then the next warp's results go to the main file or, with
//     flush_stall, a gate holds that warp. A warp that has ended and reads nothing any more
//     leaves nothing.
//
// # Order
//
// In each cycle a block takes notices, then results, then values on their way, then reads. A
// result that must wait holds up all reads. Look-up and read are one step: a value is in the
// cache, or it has been sent to the arbiter no later than the read, and the arbiter lets no read
// pass a write of its register. So no read gets an older value than the newest that had arrived.
// The scheduler ensures that nothing is overwritten before it has been read, as before any bank.
//
// # What it is not
//
// Values are not copied when a warp is diverged: an entry is a register, whatever path wrote its
// lanes. The tags have as many ports as the requests need. Only the data ports (reads, writes) and
// the room towards the main file cost time. Where a sub-core has its own cache, the active warps
// are assumed to be spread evenly over the sub-cores.
package rfc
