// Package subcore is the common part of register files with one block per scheduler, without collectors and
// crossbar, like NVIDIA's sub-cores: package maxwell for Maxwell, package allocate for Turing and Ampere.
//
// A File has a Core for each scheduler, and their ports, gate, notices and storage. A Core has the ports of one
// scheduler, the banks' result queues and write ports (Results), the latches before the execution units (Latches)
// and, under control words, a reservation table for results (Timetable). A design embeds both and adds the reading
// of operands.
//
// These are parts of a block, not blocks: the embedding block ticks them.
package subcore
