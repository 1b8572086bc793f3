// Package golden keeps a table of results, to detect unintended changes by refactoring. For every built-in GPU,
// every preset of a register file and every built-in program at size test, the table has the cycles and a hash of
// all counts.
//
// A difference shows a changed result. The table does not know which of the two results is right.
package golden
