// Package arbiter implements the blocks that choose among requesters.
//
// Banks is the arbiter before the banks of a register file: a queue of reads and
// one of writes per bank, from which at most as many accesses are granted per
// cycle as the bank's SRAM ports can start. Ports of the block:
//
//	Read[r]   bank.Request: reads of requester r
//	Write[w]  bank.Access: writes
//	Out[b]    bank.Access: accesses granted to bank b
//
// A request can be granted in the cycle in which it is visible: at once if nothing
// is queued for its bank and a port of the bank is free, otherwise it is queued.
// Among the reads that are queued for a bank the requesters take turns, or the
// oldest goes first. Writes go before reads. A read is never granted while a write
// of the same entry waits, so that a read that arrives in the same cycle as a
// write, or later, returns the written value. (A write may overtake an earlier
// read of the same entry: keeping write-after-read order is the scheduler's
// task.) Writes also go first at the input: while the queue of a write is full, no
// read is admitted.
//
// Where there are several read ports, those that find the queue of a bank full
// wait in line for room in it, so that ports that request the same bank all the
// time get equal shares. Write ports do the same. Reads get the room that writes
// leave.
//
// Conflict cycles: each cycle that a request waits because its bank is taken, by
// another request, by an access that occupies a blocking bank, or by a bank that
// cannot pass its values on, counts one for each such request.
//
// RoundRobin joins several inputs into one output, one message per cycle, in turn.
// Ports: In[i], Out.
package arbiter
