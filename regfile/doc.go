// Package regfile is the contract between a streaming multiprocessor and its register file. Each design is a
// package of its own under regfile, known by name to a registry; package designs links all of them in.
//
// # Data plane
//
// Every design has Ports: issued operations in, operations with their operands out, results in, and notices of
// readable results out. It must deliver every operation exactly once to its execution unit, and the version checker
// must find every operand right.
//
// # Control planes
//
// A design requests further services of the SM by implementing small optional interfaces: Gater and Prioritiser
// (which warps may issue, and which first), Vacater (registers given up by warps), Listener (notices of the events
// of warps and CTAs), Planned (the decisions about a launch), MemoryUser (traffic of its own to the L2 and the
// DRAM), DataCache (the design is the L1), Mover (registers of switched CTAs) and Sizer (the size of its state).
// Its kind decides how many CTAs may be resident, by a function of settings and launch (Kind.Admit). A conventional
// register file has no gates, priorities, notices or traffic.
//
// The package has no blocks. Banks, arbiters, crossbars and collectors are in components, and the blocks of one
// design in that design's package.
package regfile
