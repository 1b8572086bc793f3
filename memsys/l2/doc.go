// Package l2 implements a slice of the second-level cache, the point where all SMs
// see the same memory and where atomics are performed. A slice is two blocks, its tags
// and its data array.
//
// Tags looks up one packet at a time, in order, at the width of its data port.
// Lines are allocated on misses and written back when evicted. A write fetches
// nothing: a sector becomes valid if the write covers every byte of it, and is
// otherwise completed when it is read (lazy fetch on read). An atomic needs its
// sectors, passes the atomic unit, and leaves them dirty. A hit and a returning
// miss may be answered in the same cycle.
//
// A packet with req.NoAllocate does not allocate its line: a missing line is read
// from the DRAM, or written to it. So traffic without reuse, such as parked
// registers, does not evict lines.
//
// Data performs the hits' accesses to the data array, one cycle after their look-up, and sends every answer.
// The link to the interconnect is one cycle shorter for it. Tags keeps the schedule of the data port, because
// misses take its time too, and the credit for the answers. So a packet never waits in Data.
//
// The fixed latency of a slice (GPGPU-Sim's ROP latency) is carried by
// the link feeding it.
//
// Ports of Tags: In (req.Packet); Access, to Data; ToMemory (req.MemRequest), whose link is
// the miss queue; FromMemory (req.MemReply). Ports of Data: In (Access); Out (req.Packet).
package l2
