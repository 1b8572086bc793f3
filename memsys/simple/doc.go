// Package simple implements a memory of fixed latency and limited bandwidth per SM,
// in place of interconnect, L2 and DRAM (the memory of Gebhart et al., ISCA 2011,
// table 4: 400 cycles, 32 bytes per cycle).
//
// A packet occupies the SM's channel for its data, reads as well as writes, and
// is answered Latency cycles after the SM's port sent it, plus its waiting time and
// its own transfer beyond the first cycle. An atomic takes the time of its data.
// Everything hits; nothing is shared between SMs.
//
// Ports: In, Out (req.Packet).
package simple
