// Package measured has what the built-in applications were measured to execute
// on the functional emulator in machine form, with the default compiler options:
// instructions at each size, their mix, how values are read, and the registers
// of the kernels. Nothing of it depends on a GPU or on time.
//
// The figures are a committed table, measured.json, made by
//
//	go run ./tools/suite/table
//
// A test of package tools/suite measures size test again and compares.
package measured
