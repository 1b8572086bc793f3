// Package port has the port of an SM to the interconnect: it merges the
// requests of the L1 data cache, of the texture cache, of the instruction cache
// and of the register-file design into one stream, in turns, at the width of the
// port, and sends each reply back to who asked.
//
// A packet is put on the link at once and occupies the port for as many cycles
// as it has flits (virtual cut-through).
//
// A reply is handed over per cycle. Those to a client without room make way for
// those to others, and for what the interconnect still has, into a store of the
// client's own: a reply never waits for another client. The store holds at most
// what the client has asked for.
//
// Ports: In[client], ToNet; FromNet, Out[client]; all req.Packet.
package port
