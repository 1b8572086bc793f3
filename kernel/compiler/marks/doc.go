// Package marks computes properties of instructions used by the timing model: the last reads of operands by the
// whole warp, and the first instructions to need the result of a long-latency operation.
//
// It also finds the branches on which all lanes of a warp agree. After any other branch, lanes elsewhere may need
// registers not needed by the executing lanes.
package marks
