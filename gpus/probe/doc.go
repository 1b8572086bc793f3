// Package probe measures what a few machine instructions cost: it runs a sequence of them over and
// over on one SM, with instructions and data at hand, and says of one repetition in the steady
// state when each instruction issued, when it had its operands, when it was executed, and what it
// waited for.
//
// Warps of one sub-core run the same sequence. The cost of a repetition is the time in which one
// of its sub-core's warps' repetitions issues: with many warps the inverse of the throughput, with
// one warp its latency.
package probe
