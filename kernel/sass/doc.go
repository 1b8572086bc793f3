// Package sass reads and writes traces of machine code in the text format of
// Accel-Sim (Khairy et al., "Accel-Sim: An Extensible Simulation Framework for
// Validated GPU Modeling", ISCA 2020), tracer versions 3 to 6.
//
// A trace has what every warp executed: the address, the lanes, the opcode, the
// general registers and the memory addresses of each instruction. Load goes
// over a file once, checks all of it, and recovers the static program: which
// instructions there are, what they read and write, and where control went.
// Launch.Source then goes over it again and gives the thread blocks' streams.
// Both keep one thread block in memory, whatever the size of the file.
//
// Writer does the reverse for the streams of any launch. The lines are
// Accel-Sim's; what they cannot say (predicates, constant-bank operands,
// timing classes, branch targets) stands in header lines that begin with
// "-kumiko", which other readers skip, so that reading the file back gives the
// program that was recorded.
//
// What a trace does not hold at all is written down in docs/traces.md.
package sass
