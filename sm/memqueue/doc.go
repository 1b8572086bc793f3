// Package memqueue implements the path from the sub-cores of an SM to its load/store unit
// on NVIDIA's GPUs since Turing: a queue in each sub-core, which computes addresses, and the
// grants, by which the SM accepts one operation after the other from the queues.
//
// Source: Huerta et al., MICRO 2025, section 5.4. The times of this package reproduce
// its tables 1 and 2 for hits. Ports, every link with a latency of 1 cycle:
//
//	register file -> Queue.In    Queue.Out -> Grants.In -> Grants.Out -> load/store unit
//	load/store unit -> Queue.Back    Queue.Result -> writeback stage
//	Queue.Read -> scheduler (sources have been read)
//	Queue.Done -> scheduler (a load without a result, such as a copy to shared memory, is done)
//	Grants.Left -> scheduler (a place in the queue is free)
//
// # Queue
//
// An operation has a place in its sub-core's queue from its issue on: the scheduler counts the free places.
// Operations leave in order. The earliest cycle of an operation has two bounds. One is a number of cycles after
// its issue, for the way through the register file and the computation of addresses. The other is a number of
// cycles after the operation before it, for the computation of that operation's addresses: addresses per lane
// take longer than one address for all lanes, and so may the registers of a store's data and the passes of an access
// with conflicts, which all cross the way between the sub-core and the SM. Grants accept one operation every few
// cycles, from the queues in turn. Then the place is free.
//
// Sources are read while addresses are computed. The registers of a store's data follow, two
// cycles each.
//
// Results return over a path of limited width, one operation after the other. The lines
// of a wide access follow one another, while the registers before are transferred.
package memqueue
