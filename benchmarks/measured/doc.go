// Package measured has measured figures of the built-in applications, executed on the functional emulator in code
// for the GTX 980 (gtx980): instructions at each size, their mix, the reads of values, and the registers of the
// kernels, also on the other GPUs. No figure depends on timing.
//
// The figures are a committed table, measured.json, made by
//
//	go run ./lab/suite/table
//
// A test of package lab/suite measures size test again and compares.
package measured
