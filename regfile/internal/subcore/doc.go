// Package subcore has what the register files of NVIDIA's sub-cores have in common, those that
// are one block per scheduler without collectors and crossbar: the banks' result queues and write
// ports (Results), the latches before the execution units (Latches), the way of the sub-cores to
// the units that they share (Join), and the names and places of their banks.
//
// These are parts of a block, not blocks: the block that has them ticks them.
package subcore
