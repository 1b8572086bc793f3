// Package shared has the shared memory of an SM: banks that serve one word each
// per pass, a word being read by any number of lanes at once.
//
// An instruction takes as many passes as the most distinct words that it wants
// of one bank, so lanes on the same word are free, in every bank (CUDA C
// Programming Guide, compute capability 2.x, shared memory). Wide accesses
// are counted over the whole warp: 32 lanes of 8 bytes on 4-byte banks take two
// passes. Atomics take turns lane by lane, also on the same word. Passes enter
// one per cycle; a result comes Latency cycles after the last of its passes.
//
// Only passes beyond those that as many words take when they are spread evenly
// over the banks count as conflicts: neither the second pass of 32 doubles nor
// the cycles of a conflict-free atomic, which reads and then writes.
//
// Ports: In (req.Part); Out (req.Done), whose link is the pipeline.
package shared
