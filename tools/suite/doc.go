// Package suite measures and tests the built-in applications as a whole: on the
// functional emulator, where the figures of package benchmarks/measured and
// docs/benchmarks.md come from, and on the timed GPUs. It stands beside the
// benchmarks because they know nothing of GPUs. That every application leaves on
// timed GPUs what plain execution leaves is a test of benchmarks/all.
package suite
