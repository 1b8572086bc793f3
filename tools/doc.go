// Package tools is the folder of what measures Kumiko as a whole: the table of
// results that work on the structure must not change (golden), what the tests of a
// package notice (mutation), the figures of the benchmarks (suite), the comparison with
// GPGPU-Sim (validation), whether random kernels do on the emulator what they do on the
// host (foreign), what a whole chip and a slice of it differ by (wholemachine),
// kernels that test what warps wait for (stages), what was measured on chips (silicon), and what
// a person measures on theirs (device), and how good sampled runs are (sampling).
// No command of the simulator needs any of it. The folders named crosscheck, lengths, registers and table are programs,
// which write the tables of the documents; mutation, foreign, silicon, device and sampling are programs too.
package tools
