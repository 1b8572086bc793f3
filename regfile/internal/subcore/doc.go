// Package subcore is the common part of register files with one block per scheduler, without
// collectors and crossbar, as NVIDIA's sub-cores have them: package maxwell for Maxwell, package
// allocate for Turing and Ampere.
//
// A File has a Core for each scheduler, and their ports, gate, notices and storage. A Core has the
// ports of one scheduler, the banks' result queues and write ports (Results), the latches before the
// execution units (Latches) and, under control words, the cycles that results need (Timetable). A
// design embeds both and adds how operands are read.
//
// These are parts of a block, not blocks: the block that has them ticks them.
package subcore
