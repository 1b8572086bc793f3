// Package measured has what the built-in applications were measured to execute
// on the functional emulator in the code of the GTX 980 (gtx980): instructions at each size, their mix, how values
// are read, and the registers of the kernels, beside those on the other GPUs. Nothing of it depends on time.
//
// The figures are a committed table, measured.json, made by
//
//	go run ./tools/suite/table
//
// A test of package tools/suite measures size test again and compares.
package measured
