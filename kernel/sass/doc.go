// Package sass reads and writes traces of machine code in the text format of Accel-Sim (Khairy et al., "Accel-Sim:
// An Extensible Simulation Framework for Validated GPU Modeling", ISCA 2020), tracer versions 3 to 6.
//
// A trace has the instructions executed by every warp: the address, the lanes, the opcode, the general registers
// and the memory addresses of each. Load reads a file once, checks all of it, and recovers the static program: its
// instructions, the registers they read and write, and the control flow. Launch.Source then reads the file again
// and returns the CTAs' streams. Both keep one CTA in memory, whatever the size of the file.
//
// Writer does the reverse for the streams of any launch. The lines are Accel-Sim's. Data without a place in them
// (predicates, constant-bank operands, timing classes, branch targets) is in header lines beginning with "-kumiko".
// Other readers skip these lines. So reading the file back gives the recorded program.
//
// docs/traces.md lists the data missing from any trace.
package sass
