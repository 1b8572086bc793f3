// Package contracttest holds the contract test of register files: a small SM around any design. Its schedulers
// issue random programs under a scoreboard, its execution units delay and reorder operations, and its writeback
// stages return the results. It checks the promises of package regfile: every operation comes out once and at its
// unit, every operand is the newest version, there is one Done per result and one Read per operation with sources,
// nothing sleeps for good, and nothing depends on the tick order of components.
//
// About a third of the operations are in bursts. A burst writes one register several times in a row, each time
// under another mask, and reads it directly behind: results still waiting for their place in the file are read
// there.
//
// The schedulers also serve the control planes, as far as they concern warps: they send the notices requested by a
// design (Started, Activated, Suspended, Issued, Held, Exited, Finished), let warps leave and enter an active set
// at random (Config.Active, Config.Suspend), and obey gates.
//
// It is for tests: a design calls Contract from a test of its own, and this package's test calls it for every
// registered design.
package contracttest
