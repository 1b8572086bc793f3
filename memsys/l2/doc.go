// Package l2 has a slice of the second-level cache, the point where all SMs see
// the same memory and where atomics are performed.
//
// It looks up one packet at a time, in order, at the width of its data port.
// Lines are allocated on misses and written back when evicted. A write fetches
// nothing: sectors of which it covers every byte become valid, others are
// completed when they are read (lazy fetch on read). An atomic needs its
// sectors, passes the atomic unit, and leaves them dirty. A hit and a returning
// miss may be answered in the same cycle.
//
// A packet with req.NoAllocate makes no place for its line: what is not there is
// read from the DRAM, or written to it. It keeps traffic that nobody will look for
// again, such as parked registers, from driving out lines.
//
// The fixed latency of a slice (what GPGPU-Sim calls ROP latency) is carried by
// the link that feeds it.
//
// Ports: In, Out (req.Packet); ToMemory (req.MemRequest), whose link is the
// miss queue; FromMemory (req.MemReply).
package l2
