// Package control makes the control words of an allocated kernel (ir.Control), as NVIDIA's compiler does since
// Kepler: stall counts for results of fixed latency, dependence counters for the others, and reuse flags. The
// latencies of the machines, with their sources, are in latency.toml.
//
// Instructions are placed block by block in their order, each at the earliest cycle allowed by the earlier ones.
// The stall count of an instruction is the distance to the next one. A block ends when every result of fixed
// latency is there. Counters still in use are waited for by the first instruction of every block the warp may enter
// next. So every path is right, whatever the lanes of a warp do.
//
// Distances, in cycles from issue to issue:
//
//   - from a write of fixed latency to a read: by the groups of both instructions;
//   - from a write to another write of the same register: the second result must come last, at least
//     1 cycle later; the full latency if the time of the second is unknown;
//   - from a read to a write of the register: by the machine, for writers of fixed latency and for
//     others;
//   - from raising a counter to waiting for it: 2, because a raised counter is visible in the second
//     cycle after issue (Huerta et al., MICRO 2025, section 4).
//
// An instruction that gives up registers waits until all of them are read and written, as for a result in each.
//
// A guarded write does not replace an earlier write as a dependence: lanes with a false guard keep the older value.
// Predicates are read at issue, so no counter protects a predicate against a later write.
//
// An instruction of variable latency has a counter in use until its results are there. If one of its sources is
// written before an instruction waits for the results, it has a second counter, in use until the sources are read.
// A counter is free again once an instruction has waited for it. If none is free, one is shared: the counter of the
// same kind of operation with the nearest first use. A counter for several results used together loses nothing
// (section 4). Waiting here for the oldest counter instead would expose the latency of the new instruction.
//
// The stall count has four bits. A longer distance, needed by matrix operations only, takes additional NOPs; branch
// targets are corrected. Counts of 12 and more need the yield flag (section 4; maxas' wiki). No other instruction
// has the yield flag, because a warp that yields loses its operands in the reuse cache.
//
// Operands keep their order: they are not exchanged to bring equal registers into one operand slot.
package control
