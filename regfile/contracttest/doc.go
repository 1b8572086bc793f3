// Package contracttest holds the contract test of register files: a small SM,
// made of schedulers that issue random programs under a scoreboard, execution
// units that delay and reorder, and writeback stages, around any design. It
// checks what package regfile promises: every operation comes out once and at
// its unit, every operand is the newest version, one Done per result and one
// Read per operation with sources, nothing sleeps for good, and nothing depends
// on the order in which components tick.
//
// About a third of the operations are in bursts, which write one register several times
// in a row, under masks of their own, and read it right behind: results that wait
// for their place in the file are read there.
//
// The schedulers serve the control planes too, as far as they have to do with
// warps: they send the notices that a design listens to (Started, Activated,
// Suspended, Issued, Held, Exited, Finished), let warps leave and enter an active
// set at random (Config.Active, Config.Suspend), and obey gates.
//
// It is for tests: a design calls Contract from a test of its own, and this
// package's test calls it for every design that is registered.
package contracttest
