// Package regfile is the contract between a streaming multiprocessor and its
// register file. Each design is a package of its own under regfile, known by
// name to a registry; package designs links all of them in.
//
// # Data plane
//
// Every design offers Ports: operations in as they are issued, operations out
// when their operands are there, results in, and notices out that results can
// be read. It must deliver every operation exactly once to its execution unit,
// and the version checker must find every operand right.
//
// # Control planes
//
// What a design wants of the rest of the SM beyond that, it says by implementing
// small optional interfaces: Gater and Prioritiser (which warps may issue, and
// which first), Listener (notices of what happens to warps and CTAs), Planned (what
// was decided about a launch), MemoryUser (traffic of its own to the L2 and the DRAM)
// and DataCache (it is the L1 itself). How many CTAs may be resident its kind decides, by a
// function of settings and launch (Kind.Admit). A conventional register file has
// none of these.
//
// What the package is not: it has no blocks. Banks, arbiters, crossbars and
// collectors are in components; those of one design in that design's package.
package regfile
