// Package suite measures and tests the built-in applications as a whole: on the
// functional emulator, where the figures of package benchmarks/measured and
// docs/benchmarks.md come from, and on the timed GPUs, where every application
// must leave what plain execution leaves. It stands beside the benchmarks
// because they know nothing of GPUs.
package suite
