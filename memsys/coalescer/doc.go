// Package coalescer implements the address coalescing unit of an SM. It turns the
// lane addresses of a warp memory instruction into one transaction per distinct
// line, and sends Spec.Rate of them per cycle, in the order of the first lane
// touching each line.
//
// Loads fetch whole lines of 128 bytes where Spec.Segment is 128 (compute
// capability 2.x with L1; CUDA C Programming Guide, compute capability 2.x,
// global memory) and only the touched sectors of 32 bytes where it is 32 (later
// ones). Loads bypassing the L1 follow Spec.Around: compute capability 2.x
// fetches 32 bytes for them, and 128 into its L1. Stores always carry the touched
// sectors.
//
// Local addresses are per-thread offsets. Word w of thread l of warp context c lies at word (w x contexts + c)
// x 32 + l of the SM's local memory. So lanes at one offset touch consecutive words.
//
// Ports: In (req.Part); L1 and Texture (req.Txn).
package coalescer
