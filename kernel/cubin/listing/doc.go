// Package listing reads the text nvdisasm prints of a cubin: the instructions of each function with their operands, and
// what a launch needs beside them, that is parameters, registers, memories and constants.
//
// An instruction is on a line of its own, with all that executing it takes; the words that -hex adds are skipped,
// except for the control word. Since Volta that is a part of the instruction's own 16 bytes. Before it, each three
// instructions of 8 bytes have one in front of them, and braces around two say that they issue together, as their
// control words do.
package listing
