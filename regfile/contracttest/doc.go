// Package contracttest holds the contract test of register files: a small SM,
// made of schedulers that issue random programs under a scoreboard, execution
// units that delay and reorder, and writeback stages, around any design. It
// checks what package regfile promises: every operation comes out once and at
// its unit, every operand is the newest version, one Done per result and one
// Read per operation with sources, nothing sleeps for good, and nothing depends
// on the order in which components tick.
//
// It is for tests: a design calls Contract from a test of its own, and this
// package's test calls it for every design that is registered.
package contracttest
