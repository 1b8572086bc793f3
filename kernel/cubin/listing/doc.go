// Package listing reads the text nvdisasm prints of a cubin: the instructions of each function with their operands,
// and what a launch needs beside them, that is parameters, registers, memories and constants.
//
// The instructions are those of Volta and later, one of 16 bytes a line. An instruction of this text has all that
// executing it takes; the words of -hex are read over, except for their control word.
package listing
