// Package cerf implements a register file emulated by a cache (Jing et al., "Cache-Emulated Register File", 2016).
// One set-associative memory holds the registers of warps and the lines of the L1 data cache. Registers have
// addresses and are looked up by tags. Space of dead or never allocated registers serves as cache.
//
// The banks, the collectors and the arbiter are those of a conventional file with one sub-core. Between the arbiter
// and the banks stand the tags; every link has a latency of 1 cycle unless stated otherwise:
//
//	collectors, write-back -> arbiter -> tags -> banks -> crossbar -> collectors
//	coalescer -> tags -> arbiter                         crossbar -> tags -> access unit
//	tags <-> interconnect; tags -> collectors; residency -> tags
//
// Ports of the block Tags, which has the four tag banks, the MSHRs and the unit for replacement, spills and
// refetches:
//
//	Granted[g]  bank.Access: accesses granted by the arbiter to tag bank g
//	Access[g]   bank.Access: to the data banks of tag bank g
//	Values      bank.Value: data of load hits and of victims, from the crossbar
//	Operand     bank.Value: registers coming back from the L2, to the collectors
//	Txn         req.Txn: transactions of loads, stores and atomics
//	Read, Write bank.Request, bank.Access: their lookups, to the arbiter
//	Hit, Fill   req.Done: answers to the access unit
//	Miss, Reply req.Packet: to and from the interconnect
//	CTAs        regfile.CTANotice: ends of CTAs
//
// # The tagging stage
//
// The arbiter grants a tag bank as many accesses in a cycle as its data banks have ports. Each is looked up and
// sent on in the next cycle, so the stage costs as much as a pipeline stage before the arbiter: a kernel whose
// registers are all present takes the cycles of a conventional file with operand_stages = 1. Data from the L2, and
// reads of dirty victims, also use ports of the data banks.
//
// A register's number is its warp context times the registers per warp, plus its place in the warp. With
// bank.Linear the place is the register's number in the warp. With bank.Turned it is this number rotated so that
// register 0 of warp w is in tag bank w. Its address is its number times 128, behind a prefix of the SM's own. The
// low bits of the number choose the tag bank, the bits above them the set in it. Lines have linear addresses and
// the same index.
//
// # Registers
//
//   - A read hit goes on to the data banks.
//   - A write allocates a way: a free one, otherwise the way of the least recently used register
//     or line (lru-fair) or line (lru-prioritized). A dirty victim is read and sent to the L2 first.
//   - lru-fair: a read of a missing register fetches it. The answer goes to the collector and, if
//     there is a way for it, into the memory, clean. A write of some lanes to a missing register
//     fetches the others and merges. With lanes = spilled it does so only if the register has
//     gone to the L2, with lanes = mask never.
//   - lru-prioritized: nothing is fetched, because a missing register was never written or is
//     dead. A read of it reads the first row of the set, whatever its content. After its last
//     read a register is inactive.
//   - The registers of a finished CTA are inactive, and are not written back.
//
// # Order
//
// Tags, MSHRs and the traffic on its way to the L2 are one block, so that a lookup and its effects are one step. A
// refetch waits while the same register is on its way out. A fill goes before the accesses of its cycle and never
// through the arbiter. So an access at the head of a tag bank, waiting for an MSHR, for a way, or for the path to
// the L2, waits for the L2 alone. The replies of the L2 are always accepted. Misses of loads leave an MSHR and a
// place in the miss queue to registers.
//
// Limits: the data of lines are not modelled, only their place. As many CTAs are resident as in the baseline.
// Constant and texture caches are as in the baseline.
package cerf
