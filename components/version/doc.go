// Package version records which write a piece of register storage holds, and
// checks that every operand that reaches an execution unit is the newest one.
//
// Every write of a warp register under a mask of lanes makes a version: a
// sequence number, which is the tag of the operation that writes. Content has,
// lane by lane, the version that a place (a bank entry, a cache line, a
// collector's operand slot, a message) holds. The package models no hardware: a
// machine works the same without it, and no block may base a decision on it.
//
// Checker knows the versions that each operation should read: those that were
// newest in program order when the operation was issued. Schedulers report every
// issue to it, and collectors every operand that they pass to an execution unit.
// It lists the operands that differ, with the block and the cycle.
//
// Predicates and uniform registers are in no register file. Their versions become
// readable when their writer is announced to the scheduler, and, where schedulers
// issue by control words, when the result has passed the writeback stage (Timed).
// The predicates in a warp's context, which CTA switching moves as a whole, have
// one version together besides.
package version
