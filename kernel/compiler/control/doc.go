// Package control makes the control words of an allocated kernel (ir.Control), as the hardware's
// compiler does since Kepler: stall counts for results of fixed latency, dependence counters for
// the others, and flags of reuse. The latencies of the machines are those of latency.toml, which
// has their sources.
//
// Instructions are taken block by block in their order, each as early as what is before it lets
// it issue. The stall count of an instruction is the distance to the next one. A block is left
// when every result of fixed latency is there; counters that are up then are waited for by the
// first instruction of the blocks that a warp may enter next, so that every path is right,
// whatever the lanes of a warp do.
//
// Distances, in cycles from issue to issue:
//
//   - a result of fixed latency to an instruction that reads it: by the groups of both;
//   - to one that writes the same register: so that the second result comes last, and at least
//     1; all of the latency where the time of the second is not known;
//   - from a read to an instruction that writes the register: as the machine says for writers of
//     fixed latency and for others;
//   - from an instruction that raises a counter to one that waits for it: 2, because a counter is
//     seen up in the second cycle after issue (Huerta et al., MICRO 2025, section 4).
//
// A guarded write does not end what an earlier one demands: lanes that do not execute it keep the
// older value. Predicates are read at issue, so that no counter is needed before they are written
// again.
//
// An instruction of variable latency has a counter that is up until its results are there, and
// one that is up until its sources are read if one of them is written before anybody waits for the
// results. A counter is free again when an instruction has waited for it. Where none is free, one
// is shared: that of the operations of the same kind whose first use is nearest, because a
// counter for several results that are used together loses nothing (section 4), and waiting for
// the oldest in this place would cost what the instruction is there to hide.
//
// The stall count has four bits. A longer distance, which only matrix operations need, is made
// with instructions that do nothing; branches find their targets behind them. Counts of 12 and more need the flag
// of yielding (section 4; maxas' wiki), which is set nowhere else: an instruction that finds its
// operand in the reuse cache wants its warp to go on.
//
// Operands are left in the order in which they are: equal registers do not come into one slot by
// exchanging them.
package control
