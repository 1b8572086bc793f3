// Package sm implements one streaming multiprocessor: instruction fetch, warp
// schedulers with their scoreboards, execution units, the load/store unit,
// barriers, and the residency of CTAs. The register file (package regfile) and
// the memory side (package memsys) are other blocks, connected by ports.
//
// The files follow the pipeline:
//
//	residency   admits CTAs, gives warps their contexts, retires CTAs
//	fetch       sends instructions of the resident warps to the buffers
//	scheduler   instruction buffers, scoreboard, choice of a warp, issue
//	unit        execution pipelines with latency and initiation interval
//	lsu         the load/store unit, towards the memory side
//	writeback   results to the register file's ports
//	barrier     CTA barriers
//	dispatcher  the chip's CTA dispatcher, one for all SMs
//
// Warp context w of an SM belongs to scheduler w mod S and is slot w div S
// there. The model executes nothing: each warp's instructions, lanes and addresses
// come from a stream made by functional execution, so timing cannot change a
// result.
package sm
