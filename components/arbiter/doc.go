// Package arbiter has the blocks that choose among requesters.
//
// Banks is the arbiter before the banks of a register file: a queue of reads and
// one of writes per bank, from which at most as many accesses are granted per
// cycle as the bank's SRAM ports can start. Ports of the block:
//
//	Read[r]   bank.Request: reads of requester r
//	Write[w]  bank.Access: writes
//	Out[b]    bank.Access: what is granted to bank b
//
// A request can be granted in the cycle in which it is visible: at once if nothing
// is queued for its bank and a port of the bank is free, otherwise it is queued.
// Among the reads that are queued for a bank the requesters take turns, or the
// oldest goes first. Writes go before reads. A read is never granted while a write
// of the same entry waits, so that a read that arrives in the same cycle as a
// write, or later, returns what is written. (A write may overtake an earlier
// read of the same entry: keeping write-after-read order is the scheduler's
// task.) Writes go first at the door too: when the queue of a write is full, no
// read is let in that cycle.
//
// Where there are several ports for reads, those that find the queue of a bank
// full stand in line for its room, so that ports which want the same bank all the
// time get equal shares of it; so do ports for writes. Reads have what writes
// leave.
//
// Conflict cycles: each cycle that a request waits because its bank is taken, by
// another request, by an access that occupies a blocking bank, or by a bank that
// cannot get rid of its values, counts one for each such request.
//
// RoundRobin joins several inputs into one output, a message per cycle, by turn.
// Ports: In[i], Out.
package arbiter
