// Package emu executes kernels functionally: CTA by CTA in grid order, on the device's memory. It records the data
// of the execution needed by the timing model, but itself has no notion of time.
//
// Prepare decodes a kernel once. NewLaunch checks a launch of it. Run executes the launch to its end; a Source does
// so in a goroutine of its own, a bounded number of CTAs ahead of a consumer, and hands over a stream.CTA for each.
// Runner does it all for a host program.
//
// A CTA's warps run one after the other, each until it ends or waits. This order is allowed by CUDA, and always the
// same. Divergence is handled by a stack of paths, reconverging at immediate post-dominators. A CTA that cannot end
// before a later one has run is suspended until then. A launch that can never end is stopped with an error naming
// the place.
//
// The results of each instruction, and their differences from hardware, are in docs/ptx-semantics.md. Section
// numbers are those of PTX ISA 9.0.
package emu
