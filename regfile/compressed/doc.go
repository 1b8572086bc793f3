// Package compressed implements a register file that stores warp registers compressed, as a word of the first lane and
// the differences of the others (Lee et al., "Warped-Compression", ISCA 2015). A compressed register occupies, and so
// switches on, fewer of the 16-byte banks that hold a warp register together.
//
// One sub-core; every link has a latency of 1 cycle unless stated otherwise:
//
//	collectors -> Request -> compressors -> Read -> arbiter -> banks -> network -> Ends -> decompressors
//	write-back -(forward + 1)-> Result -> compressors -> Write -> arbiter
//	decompressors -> Operand -> collectors
//	decompressors -> Moved -> compressors
//	schedulers -> Notices -> compressors
//
// # Forms
//
// A register has a form, by the class of its value (kernel/stream.Value):
//
//	form    differences   bytes   banks
//	equal   none              4       1
//	byte    8 bits           35       3
//	half    16 bits          66       5
//	full                    128       8
//
// The forms of all registers are a table beside the arbiter. A read looks its form up and carries it to the
// decompressors.
//
// # Operation
//
// A result of all lanes takes a compressor, which gives it its form. A result of some lanes, or of a warp with fewer
// than 32 threads, is written as it is, and needs its register to be full. If the register is compressed it is first
// read, decompressed and written back, as by an inserted move.
//
// Results of different registers pass one another, those of one register do not. A read waits while a result of its
// register is here.
//
// Operands that are not compressed pass the stage of the decompressors too.
//
// # Limits
//
// Banks are not switched off: the file counts for how long each 16-byte bank holds a register, and no write waits for
// a bank to wake up. lab/docs/deviations/values.md has the other differences.
package compressed
