// Package suite measures and tests all built-in applications: on the functional emulator, for the figures of
// package benchmarks/measured and lab/docs/benchmarks.md, and on the timed GPUs. It is separate from the benchmarks
// because these are independent of GPUs. A test of benchmarks/all checks that every application produces the same
// memory contents on timed GPUs as by plain execution.
package suite
