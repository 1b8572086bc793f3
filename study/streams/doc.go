// Package streams measures what can be known of a program's use of registers
// without timing: it goes over the instruction streams of its warps, each by
// itself and in program order.
//
// Values (Gebhart et al., ISCA 2011, section 2.2, figure 2): how often the value
// that a write leaves in a warp register is read, and how soon.
//
// Register file caches (the same paper, sections 3.1, 3.3, 5.1 and 5.3): how many
// accesses to the main register file a small cache per warp avoids. Model is the
// definition, one cache in plain code; a Collector simulates several hundred
// configurations in one pass and counts the same.
//
// What it is not: there is no time, so no value that is still on its way, none
// that an operand collector takes from a bypass network, and no scheduler that
// would find a long-latency result already there. A cache is flushed at every
// instruction that is the first to need a long-latency result and at every barrier;
// Options leave out those barriers, and results that were asked for before the
// last suspension.
//
// # Summary
//
// A Summary is the measure of one program. In JSON, and for Summary.Value, its
// numbers have these paths; those in the second group are ratios.
//
//	instructions, thread_instructions     warp instructions; lanes that execute, summed
//	suspensions.long, suspensions.barrier
//	operands.reads, operands.writes       warp registers read and written; a register that an
//	                                      instruction names twice is read once
//	operands.merged                       reads saved by that
//	operands.lane.reads, .writes          the same in accesses of 128 bits: of the eight
//	                                      clusters of four lanes those with a lane that executes
//	values.written, values.reads          values, and reads of them (named twice, read twice)
//	values.count.{never,once,twice,more,within_1,within_2,within_3,later}
//
//	values.never, .once, .twice, .more    share of the values read so often
//	values.reads_per_write
//	values.life.1, .2, .3, .more          share of all values that are read once, so many
//	                                      instructions after they were written
//
//	intervals.{8,16,32}.…                 register-intervals of at most so many registers; absent where an
//	                                      instruction of an executed kernel names more
//	strands.16.…                          strands; below both:
//	  instructions, regions               of the code of the executed kernels
//	  entered                             how often a warp entered a region
//	  named                               registers of the regions entered, summed
//	  fetched                             of these, those that the region before does not name
//	  optimal                             into how few runs of consecutive instructions, each naming
//	                                      no more registers, the streams can be cut
//	  real, best                          dynamic instructions per region entered, and per run
//
// A cache's path is caches.POLICY[.source][.bypass][.flush][.live].ENTRIES:
//
//	POLICY   fifo, lru, or aware (first-in first-out of what is not read before the next
//	         suspension, and what is not read before it is not cached)
//	source   operands that miss are allocated, not results alone
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
//	evict, flush, partial, bypass the writes by cause: pushed out, suspended, entry that had not
//	                              all lanes, result not cached
//	elided                        dead values that were not written back
//	cache_reads, cache_writes     of the cache's data; a value that is written back is read once
//	lane.{main_reads,main_writes,cache_reads,cache_writes}
//	reads_avoided                 1 - main_reads / operands.reads
//	writes_avoided                1 - main_writes / operands.writes
//	accesses_avoided              of both together
package streams
