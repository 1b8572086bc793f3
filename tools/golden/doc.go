// Package golden keeps a table of results, to detect unintended changes by refactoring. For every built-in GPU,
// every preset of a register file and every built-in program at size test, the table has the cycles and a hash of
// all counts.
//
// A difference shows only that a result has changed, not which of the two is right.
package golden
