// Package streams measures the properties of a program's use of registers known
// without timing: it follows the instruction streams of its warps, each by
// itself and in program order.
//
// Values (Gebhart et al., ISCA 2011, section 2.2, figure 2): how often the value
// of a write to a warp register is read, and how soon.
//
// Register file caches (the same paper, sections 3.1, 3.3, 5.1 and 5.3): how many
// accesses to the main register file a small cache per warp avoids. Model is the
// definition, one cache in plain code; a Collector simulates several hundred
// configurations in one pass and counts the same.
//
// The measure has no time. So no value is still on its way, no operand comes from a bypass network, and no
// scheduler finds a long-latency result already there. A cache is flushed at every first need of a long-latency
// result and at every barrier. Options leave out these barriers, and results requested before the last
// suspension.
//
// # Summary
//
// A Summary is the measure of one program. In JSON, and for Summary.Value, its
// numbers have these paths; the numbers of the second group are ratios.
//
//	instructions, thread_instructions     warp instructions; executing lanes, summed
//	suspensions.long, suspensions.barrier
//	operands.reads, operands.writes       warp registers read and written; a register named
//	                                      twice by an instruction is read once
//	operands.merged                       reads saved by this
//	operands.lane.reads, .writes          the same in accesses of 128 bits: of the eight
//	                                      clusters of four lanes the ones with an executing lane
//	values.written, values.reads          values, and reads of them (named twice, read twice)
//	values.count.{never,once,twice,more,within_1,within_2,within_3,later}
//
//	values.never, .once, .twice, .more    share of the values read so often
//	values.reads_per_write
//	values.life.1, .2, .3, .more          share of all values read once, so many
//	                                      instructions after they were written
//
//	intervals.{8,16,32}.…                 register-intervals of at most so many registers; absent where an
//	                                      instruction of an executed kernel names more
//	strands.16.…                          strands; below both:
//	  instructions, regions               of the code of the executed kernels
//	  entered                             how often a warp entered a region
//	  named                               registers of the regions entered, summed
//	  fetched                             of these, the ones not named by the region before
//	  optimal                             least number of runs of consecutive instructions, each naming
//	                                      no more registers, in a partition of the streams
//	  real, best                          dynamic instructions per region entered, and per run
//
// A cache's path is caches.POLICY[.source][.bypass][.flush][.live].ENTRIES:
//
//	POLICY   fifo, lru, or aware (first-in first-out among values not read before the next
//	         suspension; a result not read before it is not cached)
//	source   missing operands are allocated, not results alone
//	bypass   results of long-latency operations go to the main file, not into the cache
//	flush    the cache is emptied when the warp is suspended; without, all warps stay cached
//	live     dead values are dropped instead of written back
//	ENTRIES  0 to 13, 16, 32, all
//
// so caches.fifo.live.6 is figure 6's, caches.fifo.bypass.flush.live.6 the combined
// design of section 5.3. Of fifo and lru without source there is every combination of
// bypass and flush, with source neither or both, of aware both. Below it:
//
//	hits                          operands read from the cache
//	main_reads, main_writes       accesses of the main file
//	evict, flush, partial, bypass the writes by cause: replaced, suspended, entry with
//	                              missing lanes, result not cached
//	elided                        dead values not written back
//	cache_reads, cache_writes     of the cache's data; a written-back value is read once
//	lane.{main_reads,main_writes,cache_reads,cache_writes}
//	reads_avoided                 1 - main_reads / operands.reads
//	writes_avoided                1 - main_writes / operands.writes
//	accesses_avoided              of both together
package streams
