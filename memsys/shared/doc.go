// Package shared implements the shared memory of an SM. Each bank serves one word
// per pass, and any number of lanes may read that word at once.
//
// The passes of an instruction are the largest number of distinct words it
// accesses in one bank. Lanes accessing the same word do not conflict (CUDA C
// Programming Guide, compute capability 2.x, shared memory). Wide accesses
// are counted over the whole warp: 32 lanes of 8 bytes on 4-byte banks take two
// passes. Atomics take turns lane by lane, also on the same word. Passes enter
// one per cycle; a result comes Latency cycles after the last of its passes.
//
// Conflicts are the passes beyond the number needed by as many words
// spread evenly over the banks. Neither the second pass of 32 doubles nor the
// cycles of a conflict-free atomic, which reads and then writes, are conflicts.
//
// Ports: In (req.Part); Out (req.Done), whose link is the pipeline.
package shared
