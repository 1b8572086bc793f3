// Package ltrf implements a latency-tolerant register file (LTRF: Sadrosadati et al., "LTRF: Enabling High-Capacity
// Register Files for GPUs via Hardware/Software Cooperative Register Prefetching", ASPLOS 2018). A small cache
// stands before the banks of a conventional file, the main register file (MRF), which may be large and slow. The
// compiler divides the program into register-intervals. A prefetch at the start of each interval brings the warp's
// working set into the cache. Within the interval every operand and result is in the cache.
//
// One sub-core; every link has a latency of 1 cycle unless stated otherwise:
//
//	collectors -> Request -> WCB -> arbiter -> cache banks -> crossbar -> collectors
//	write-back -(forward + 1)-> Write -> WCB -> arbiter -> cache banks
//	schedulers -> Notices -> WCB -> gates prefetch, refetch -> schedulers
//
//	WCB -> Sequencer -> Allocation -> WCB -> Fill -> MRF's arbiter -> MRF's banks
//	       MRF's banks -(read_latency)-> MRF's crossbar -(4)-> WCB -> arbiter -> cache banks
//
//	Sequencer -> WCB -> Back -> arbiter -> cache banks -> Back
//	                    Back -> crossbar -(4)-> Back -> MRF's arbiter
//	                    WCB (results without a place in the cache) -> Back
//
// The arbiter, banks and crossbars of the cache are components of the conventional file. The MRF's crossbar ends at
// the WCB, its only requester.
//
// # Operation
//
// The cache has as many banks as an interval has registers. Each bank has an entry for each active warp. The
// entries of all banks at one offset belong to one warp, with each of its registers in a different bank. So no warp
// evicts another's registers, and no warp's registers conflict in a bank.
//
//   - A prefetch is an operation in the instruction stream (regfile.Inserter). It issues when
//     the warp's operations have read their operands. From then on the gate prefetch is closed
//     to the warp, until the working set is in the cache.
//   - Registers of the last interval outside the new one leave. Registers of both stay. The
//     others enter. Per cycle and warp the sequencer names as many leaving and as many entering
//     registers as the rate.
//   - A leaving register is read from the cache, crosses back and is written to the MRF. Its
//     bank is free when the register has left it.
//   - An entering register gets the bank that has been free for longest, and is read from
//     the MRF. It is not read if its result is awaited in all lanes or, with liveness, if no lane
//     needs it.
//   - When a warp leaves the active set, all its registers are written back. Its offset is free
//     at once, and each of its banks when its register is on its way; with handover = whole the
//     offset is free when the last bank is. The working set stays known. When the warp becomes
//     active again, the set is fetched, and the gate refetch is closed until it is there. Both
//     transfers are counted with cause flush. The traffic at a change of intervals is counted
//     with prefetch (to the cache) and eviction.
//   - The address table directs a result when it arrives: to the cache, or to the MRF if
//     its register has no place. So a returning load never waits for its warp.
//
// # Time
//
// A prefetch issued at cycle t is known to the WCB at t+1. Its first register is at the sequencer at t+2, at the
// allocation unit at t+3, back at the WCB with a bank at t+4, at the fill arbiter at t+5, at the MRF's arbiter at
// t+6 and at its bank at t+7. Its value is at the crossbar at t+7+read_latency and crosses in 4 cycles. The gate
// opens a cycle after that. So with n registers in different banks the warp issues again at t + 12 + read_latency +
// (n-1)/rate, rounded down, if the fill arbiter grants as many as the rate in a cycle. With no registers it issues
// again at t+5.
//
// A read takes a cycle more than in a conventional file with one-cycle banks, for the lookup. A warp's block has
// two read ports, so a third operand is looked up a cycle later (section 4.1). Results have a port of their own;
// the paper does not mention it.
//
// # Order
//
// The WCB accepts results before reads, and a waiting result holds up all reads, as the contract of
// conventional.Extension requires. Each goes to the arbiter over a link of its own, and the arbiter lets no read
// pass a write of its entry. Fills and results go over one link, so a bank gets them in the order of their
// acceptance by the WCB.
//
// No fill brings an older value than the newest:
//
//   - A register or its result may be on its way back to the MRF. The register is fetched when
//     that value has been sent to the MRF's arbiter (Landed). The read is sent later, over a
//     link of the same latency, and the arbiter does not let it pass a write of its entry. A
//     warp also waits for Landed if the register gets a place without being fetched, so that no
//     register is on its way twice.
//   - A result for a register on its way back waits for the register at Back, so that the older
//     value does not overwrite the newer one.
//   - A result that arrives while its register is being filled is written to the cache. The fill
//     leaves out the lanes written by the result.
//
// No entry is reassigned too early. Its bank is free when its register has been read (Freed), or when nothing is to
// be read. No operand is left to be read then, because prefetches and suspensions wait for the operands of the
// warp's operations (regfile.Notices.Drained).
//
// The working set of a new interval is fetched after the vectors of the last one have been processed, since the
// gate opens no sooner. So a warp has at most two jobs: leaving one interval and entering another.
//
// # Freedom from deadlock
//
//   - All output of the cache's banks is accepted: operands by the collectors, registers on their
//     way back by Back, which reads a register only when it has space. So writes of the cache
//     wait for their banks alone.
//   - So fills are accepted from the MRF's crossbar, whatever results and reads wait for. So
//     reads of the MRF proceed, and its writes wait for nothing but its banks.
//   - So the MRF accepts registers on their way back, and results with them. They wait for no
//     prefetch and for no warp.
//   - So banks and offsets become free. There are as many offsets as active warps. A warp waits
//     only for offsets and banks of warps outside the active set.
//   - Warps at a barrier leave their places if the scheduler has more warps than places.
//
// # Limits
//
// A register not named by any instruction of an interval has no place in it, so there is no miss. A read of such a
// register is a fault of the model, and stops it. With lanes apart, liveness is that of the whole warp. If a
// sub-core has its own cache, the active warps are assumed to be spread evenly over the sub-cores.
package ltrf
