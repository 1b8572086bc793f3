// Package tools is a folder of programs and packages that developers of Kumiko need every day. The simulator itself
// needs none of them. What measures the whole, or compares it with papers and chips, is in folder lab.
//
//	golden    a table of results, to detect unintended changes
//	mutation  finds operators in a package not covered by its tests
//	foreign   random kernels, run on the emulator and on the host
//	random    random kernels on every design, with every operand checked
//	pack      the machine code of the built-in programs
//
// mutation, foreign, random and pack are programs.
package tools
