// Package sm implements one streaming multiprocessor: instruction fetch, warp
// schedulers with their scoreboards, execution units, the load/store unit,
// barriers, and the residency of CTAs. The register file (package regfile) and
// the memory side (package memsys) are other blocks, connected by ports.
//
// The blocks are packages of their own, in the order of the pipeline:
//
//	residency   admits CTAs, gives warps their contexts, retires CTAs; the chip's dispatcher
//	fetch       sends instructions of the resident warps to the buffers; instruction caches
//	scoreboard  dependences of instructions
//	sched       instruction buffers, choice of a warp, issue; policies, the active set
//	execute     execution pipelines with latency and initiation interval; writeback
//	memqueue    memory operations of a sub-core waiting for the load/store unit
//	lsu         the load/store unit, towards the memory side
//	barrier     CTA barriers
//	switching   removes CTAs from their scheduler slots and brings them back
//
// They exchange the messages of package message. Packages program, reason and occupancy have the knowledge
// shared by several blocks: kernels as an SM sees them, the fates of issue slots, and how many CTAs fit. This
// package has the configuration of an SM, the assembly, and observers.
//
// Warp context w of an SM belongs to scheduler w mod S and is slot w div S
// there. The model executes nothing: each warp's instructions, lanes and addresses
// come from a stream made by functional execution, so timing cannot change a
// result.
package sm
