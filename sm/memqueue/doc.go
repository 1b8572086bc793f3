// Package memqueue implements what stands between the sub-cores of an SM and its load/store unit
// on NVIDIA's GPUs since Turing: a queue in each sub-core, which computes addresses, and the
// grants by which the SM takes one operation after the other from them.
//
// Source: Huerta et al., MICRO 2025, section 5.4, whose tables 1 and 2 the times of this package
// reproduce with hits. Ports, every link with a latency of 1 cycle:
//
//	register file -> Queue.In    Queue.Out -> Grants.In -> Grants.Out -> load/store unit
//	load/store unit -> Queue.Back    Queue.Result -> writeback stage
//	Queue.Read -> scheduler (sources have been read)
//	Queue.Done -> scheduler (a load without a result, such as a copy to shared memory, is done)
//	Grants.Left -> scheduler (a place in the queue is free)
//
// # Queue
//
// An operation has a place in its sub-core's queue from its issue on: the scheduler knows how many
// are free. Operations leave in order. One may leave a number of cycles after its issue (what the
// way through the register file and the computation of addresses take), and as many cycles after
// the one before it as addresses take: those that differ by lane take longer than one for all
// lanes. Grants take one operation every few cycles, the queues in turn, and with that the place
// is free.
//
// Sources are read while addresses are computed. The registers of a store's data follow, two
// cycles each.
//
// Results come back over a path of so many bits per cycle, one operation after the other. The lines
// of a wide access follow one another, while the registers before are transferred.
package memqueue
