// Package marks works out what the timing model wants to know of each
// instruction beyond its operands: which operands are read for the last time by
// the whole warp, and which instructions are the first to need the result of a
// long-latency operation.
//
// It also finds the branches on which all lanes of a warp agree, since lanes that a
// branch has sent elsewhere may need what those that are here do not.
package marks
