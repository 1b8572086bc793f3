// Package marks works out what the timing model wants to know of each
// instruction beyond its operands: which operands are read for the last time by
// the whole warp, and which instructions are the first to need the result of a
// long-latency operation.
//
// It also finds the branches on which all lanes of a warp agree, since a warp
// register is dead only where no lane can be elsewhere.
package marks
