// Package bank implements one bank of a register file: an SRAM with one warp register per entry (32 lanes x 4 bytes
// = 128 bytes). A group of 16-byte-wide banks stepping together for one warp register also counts as one bank.
//
// Ports of the block:
//
//	In   Access: reads and writes, in the order granted by the arbiter
//	Out  Value: values read, towards the operand crossbar
//	Side Value: with Aside, values read for requesters numbered Aside and above,
//	     towards another network
//
// Accesses start in the order of In. An access starts in the cycle of its arrival if one of the bank's SRAM ports
// is free for it. Otherwise it waits, and all accesses behind it wait too. A value leaves ReadLatency cycles after
// the start of its read. A pipelined bank starts one access per port and cycle; in a blocking bank an access
// occupies its port for its whole latency. The bank forwards: a read started after a write, or behind it in the
// same cycle, returns the written value whatever the write latency.
//
// The data themselves are not modelled. When checking is on, each entry keeps the version content of its last
// write, and values carry it.
//
// A bank does not arbitrate. Its input must come from an arbiter (components/arbiter). The arbiter knows the bank's
// ports and occupancy, and so never makes an access wait.
package bank
