// Package emu executes kernels functionally: CTA by CTA in grid order, against
// the device's memory, and records what timing needs of the execution. It knows
// nothing of time.
//
// Prepare decodes a kernel once. NewLaunch checks a launch of it. Run executes
// the launch to its end; a Source does so in a goroutine of its own, a bounded
// number of CTAs ahead of a consumer, and hands over a stream.CTA for each.
// Runner does it all for a host program.
//
// A CTA's warps run one after the other, each until it ends or waits, in an
// order that CUDA allows and that is always the same. Divergence is handled by
// a stack of paths that meet at immediate post-dominators. A CTA that cannot end
// before a later one has run is set aside until then. What can never end is
// stopped with an error that names the place.
//
// What each instruction computes, and where that differs from hardware, is in
// docs/ptx-semantics.md. Section numbers are those of PTX ISA 9.0.
package emu
