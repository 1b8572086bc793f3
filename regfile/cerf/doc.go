// Package cerf is a register file emulated by a cache (Jing et al., "Cache-Emulated Register
// File", 2016). One set-associative memory holds the registers of warps and the lines of the L1
// data cache. Registers have addresses and are looked up by tags. Space of registers that are dead
// or were never allocated serves as cache.
//
// The banks, the collectors and the arbiter are those of a conventional file with one
// sub-core. Between the arbiter and the banks stand the tags; every link has a latency
// of 1 cycle unless said otherwise:
//
//	collectors, write-back -> arbiter -> tags -> banks -> crossbar -> collectors
//	coalescer -> tags -> arbiter                         crossbar -> tags -> access unit
//	tags <-> interconnect; tags -> collectors; residency -> tags
//
// Ports of the block Tags, which has the four tag banks, the MSHRs and the unit that
// replaces, spills and refetches:
//
//	Granted[g]  bank.Access: what the arbiter grants to tag bank g
//	Access[g]   bank.Access: to the data banks of tag bank g
//	Values      bank.Value: data of loads that hit and of what gives way, from the crossbar
//	Operand     bank.Value: registers that come back from the L2, to the collectors
//	Txn         req.Txn: transactions of loads, stores and atomics
//	Read, Write bank.Request, bank.Access: their look-ups, to the arbiter
//	Hit, Fill   req.Done: answers to the access unit
//	Miss, Reply req.Packet: to and from the interconnect
//	CTAs        regfile.CTANotice: what ends
//
// # The tagging stage
//
// The arbiter grants a tag bank as many accesses in a cycle as its data banks have ports. Each is
// looked up and sent on in the next cycle, so the stage costs as much as a pipeline stage before
// the arbiter: a kernel whose registers are all present takes the cycles of a conventional file
// with operand_stages = 1. Data from the L2, and dirty victims that must be read, also take ports
// of the data banks.
//
// A register's number is its warp context times the registers per warp, plus its place in the
// warp. The place is its number in the warp, turned so that register 0 of warp w is in tag bank
// w (bank.Turned), or that number itself (bank.Linear). Its address is its number times 128, behind a
// prefix of the SM's own. The low bits of the number choose the tag bank, the bits above them the
// set in it. Lines have linear addresses and the same index.
//
// # Registers
//
//   - A read that finds its register goes on to the data banks.
//   - A write takes a way: a free one, otherwise the way of the least recently used register or
//     line (lru-fair) or line (lru-prioritized). A dirty victim is read and sent to the L2 first.
//   - lru-fair: a read of a missing register fetches it. The answer goes to the collector and, if
//     there is a way for it, into the memory, clean. A write of some lanes to a missing register
//     fetches the others and merges. With lanes = spilled that is so only if the register has gone
//     to the L2, with lanes = mask never.
//   - lru-prioritized: nothing is fetched, because a missing register was never written or is
//     dead. A read of it reads the first row of the set, whatever the row holds. After its last
//     read a register is inactive.
//   - The registers of a CTA that has ended are inactive, and are not written back.
//
// # Order
//
// Tags, MSHRs and the traffic on its way to the L2 are one block, so that a look-up and its
// effects are one step. A refetch waits while the same register is on its way out. A fill goes
// before the accesses of its cycle and never through the arbiter. So an access that waits at the
// head of a tag bank for an MSHR, for a way, or for the path to the L2 waits for the L2 alone,
// whose replies are always accepted. Misses of loads leave an MSHR and a place in the miss queue
// to registers.
//
// What it is not: the data of lines are not modelled, only their place. As many CTAs are resident
// as in the baseline. Constant and texture caches are as in the baseline.
package cerf
