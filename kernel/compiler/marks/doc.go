// Package marks computes properties of instructions used by the timing model: the last reads of operands by the
// whole warp, the first instructions to need the result of a long-latency operation, and how soon values are read
// again.
//
// It also finds the branches on which all lanes of a warp agree. After any other branch, lanes elsewhere may need
// registers not needed by the executing lanes.
package marks
