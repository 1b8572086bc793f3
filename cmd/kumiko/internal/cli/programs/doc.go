// Package programs opens what a PROGRAM argument names: a built-in benchmark, a file of code with its launch file, or
// traces. It has the flags and the limits of these inputs.
package programs
