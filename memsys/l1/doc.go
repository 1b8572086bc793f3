// Package l1 implements the first-level caches of an SM: the data cache, and, with
// other parameters, the texture cache. A cache is two blocks, its tags and its data array.
//
// Tags looks transactions up in order, each as soon as its banks of the data array are free: one per cycle with
// a single bank, and up to as many as there are banks if they use different ones. With tag banks, each bank
// looks up one transaction of an access per cycle, and the next access comes behind. With a data bank for each
// word of a line, an access takes the cycles of its fullest bank: lines of a tag bank, or words of a data bank.
// A hit is answered after the configured latency, fully pipelined. A miss allocates a miss status holding
// register, and a line if lines are allocated on misses; further misses on the line merge. If a bank or another
// resource is missing, the transaction waits at the head, and the reason is counted. Stores are written through
// or back, for global and local memory separately. Atomics, and accesses with a bypassing cache operator,
// bypass the cache.
//
// Data performs the hits' accesses to the data array, one cycle after their look-up, and answers
// them. The link behind it has the rest of the hit latency. Tags keeps the schedule of the
// banks, because misses take their time too, and the credit for the answers. So an access
// never waits in Data. A cache with single-cycle hits reads its data beside the tags, and has no block Data.
//
// A fill from the L2 takes no bank time. The transactions waiting for the fill are answered one per cycle, or, with
// tag banks, as many per cycle as the banks look up.
//
// With Allocate "on_fill", a line is in the cache from the fill on. If the victim
// is dirty and there is no room for its write-back, the line is not kept: a fill
// must never wait for the request network.
//
// Ports of Tags: In (req.Txn); Access, to Data; Fill (req.Done); Miss (req.Packet), whose link is the
// miss queue; Reply (req.Packet). Ports of Data: In (Access); Hit (req.Done), whose link is
// the rest of the hit pipeline.
package l1
