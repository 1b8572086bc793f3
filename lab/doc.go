// Package lab is the laboratory: the evidence about Kumiko, and what makes it. Nothing of the simulator imports it.
//
//	kumiko         kumiko with the studies and claims of the published designs
//	studies        the studies of the published designs
//	claims         the claims of their papers, and the rules of the verdicts
//	deviations     known differences from the papers
//	evidence       claims and deviations in reports of studies
//	energy         energies by the papers' tables, in expressions
//	papers         pages of the papers' figures beside Kumiko's
//	silicon        comparison with published measurements of chips
//	device         measurements for users to make on their own GPUs
//	suite          figures of the built-in programs
//	validation     comparison with GPGPU-Sim
//	sampling       accuracy of sampled runs
//	vendor         built-in programs by machine code of NVIDIA's assembler, beside our own compiler's
//	applications   published suites of CUDA applications, built, run and checked
//	speed          processor time and memory of two builds
//	wholemachine   comparison of a whole chip with a slice of it
//	docs           the pages
//
// kumiko, papers, silicon, device, sampling, vendor, applications and speed are programs, and so are the folders named
// crosscheck, lengths, loaduse, registers and table, which write the tables of the pages.
package lab
