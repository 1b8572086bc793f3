// Package bank is one bank of a register file: an SRAM whose entries are warp
// registers (32 lanes x 4 bytes = 128 bytes), or the group of 16-byte-wide
// banks that step together to hold one.
//
// Ports of the block:
//
//	In   Access: reads and writes, in the order in which the arbiter grants them
//	Out  Value: values read, towards the operand crossbar
//	Side Value: with Aside, values read for requesters from that number on,
//	     towards another network
//
// Accesses start in the order of In. An access starts in the cycle in which it
// is visible if one of the bank's SRAM ports can take it; otherwise it waits
// and all behind it wait. A value leaves ReadLatency cycles after its read has
// started. A pipelined bank starts an access per port and cycle; in a blocking
// one an access occupies its port for its whole latency. A read that starts
// after a write, or in the same cycle behind it, returns the written value,
// whatever the write latency: the bank forwards.
//
// The data themselves are not modelled. When checking is on, each entry keeps
// the version content of its last write, and values carry it.
//
// A bank does not arbitrate. Its input must come from an arbiter
// (components/arbiter), which knows the bank's ports and occupancy and so never
// makes an access wait.
package bank
