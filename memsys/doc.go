// Package memsys assembles the memory system from its blocks.
//
// The side of an SM (SMSide) consists of the access unit, the coalescer, shared memory, the constant cache, the L1
// data and texture caches, and the port to the interconnect. The shared side (System) consists of a crossbar per
// direction, the L2 slices and the DRAM channels, or, instead of all three, a memory of fixed latency and limited
// bandwidth. Links of System.LaneLatency cycles connect the two sides, which may be in different clock domains and
// partitions. The DRAM channels have a clock domain of their own.
//
// The memory system carries addresses, never data: functional state belongs to
// the emulator, so timing cannot change a result.
//
// Ports: SMSide.In receives Access, SMSide.Out sends Reply.
package memsys
