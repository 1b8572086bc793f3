// Package probe measures the cost of a few machine instructions. It runs a sequence of instructions repeatedly on
// one SM, with instructions and data at hand. For one repetition in the steady state it reports when each
// instruction issued, had its operands and executed, and the causes of its waiting.
//
// The warps of one sub-core run the same sequence. The cost of a repetition is the issue time of one repetition on
// a sub-core: with many warps the inverse of the throughput, with one warp the latency.
package probe
