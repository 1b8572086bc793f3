// Package version follows the values of registers. It records the last write of each place of register storage, and
// checks every operand at its execution unit: the operand must be the newest value of the register.
//
// Every write of a warp register under a mask of lanes makes a version: a sequence number, equal to the tag of the
// writing operation. Content is the version of each lane of a place (a bank entry, a cache line, a collector's
// operand slot, a message). The package models no hardware: a machine works the same without it, and no block may
// base a decision on it.
//
// Checker knows the versions to be read by each operation: the newest in program order when the operation was
// issued. Schedulers report every issue to it, and collectors every operand passed to an execution unit. It lists
// the operands with other versions, with the block and the cycle.
//
// Predicates and uniform registers are in no register file. Their versions become readable when their writer is
// announced to the scheduler. Where schedulers issue by control words, they become readable when the result has
// passed the writeback stage (Timed). In addition, the predicates in a warp's context have one common version,
// because CTA switching moves them as a whole.
package version
