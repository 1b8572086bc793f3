// Package version tells which write a piece of register storage holds, and
// checks that every operand that reaches an execution unit is the newest one.
//
// Every write of a warp register under a mask of lanes makes a version: a
// sequence number, which is the tag of the operation that writes. Content says,
// lane by lane, which version a place (a bank entry, a cache line, a collector's
// operand slot, a message) holds. The package models no hardware: a machine
// works the same without it, and no block may decide anything by it.
//
// Checker knows what each operation should read: the versions that were newest
// in program order when the operation was issued. It is told of every issue and
// of every operand that is handed to an execution unit, and lists those that
// differ with the block and the cycle in which that was seen.
package version
