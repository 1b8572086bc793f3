// Package arbiter implements arbiters, blocks choosing among requesters.
//
// Banks is the arbiter before the banks of a register file. Each bank has a queue of reads and a queue of writes.
// The arbiter grants at most as many accesses per cycle as the bank's SRAM ports can start. Ports of the block:
//
//	Read[r]   bank.Request: reads of requester r
//	Write[w]  bank.Access: writes
//	Out[b]    bank.Access: accesses granted to bank b
//
// A request can be granted in the cycle of its arrival, if nothing is queued for its bank and a port of the bank is
// free. Otherwise it is queued. Among the queued reads of a bank the requesters take turns, or the oldest goes
// first. Writes go before reads. A read is never granted while a write of the same entry waits. So a read returns
// the written value if it arrives in the same cycle as the write, or later. (A write may overtake an earlier read
// of the same entry: keeping write-after-read order is the scheduler's task.) Writes also go first at the input:
// while a write finds its queue full, no read is admitted.
//
// With several read ports, a port that finds the queue of a bank full stands in line for space in it. Ports
// competing for a bank all the time therefore get equal shares. Write ports do the same. Reads get the bandwidth
// left by the writes.
//
// Conflict cycles: every waiting request counts one per cycle while its bank is taken. A bank is taken by another
// request, by an access occupying a blocking bank, or by values it cannot pass on.
//
// RoundRobin joins several inputs into one output, one message per cycle, in turn. Ports: In[i], Out.
package arbiter
