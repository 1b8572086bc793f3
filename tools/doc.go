// Package tools is a folder of programs and packages around Kumiko as a whole. The simulator itself needs none of
// them.
//
//	golden        a table of results, to detect unintended changes
//	mutation      finds operators in a package not covered by its tests
//	suite         figures of the benchmarks
//	validation    comparison with GPGPU-Sim
//	foreign       random kernels, run on the emulator and on the host
//	random        random kernels on every design, with every operand checked
//	wholemachine  comparison of a whole chip with a slice of it
//	stages        kernels for tests of the causes of waiting
//	silicon       comparison with published measurements of chips
//	device        measurements for users to make on their own GPUs
//	sampling      accuracy of sampled runs
//	papers        pages of the papers' figures beside Kumiko's
//	speed         processor time and memory of two builds
//
// The folders named crosscheck, lengths, registers and table are programs. They write the tables of the documents.
// mutation, foreign, random, silicon, device, sampling, papers and speed are programs too.
package tools
