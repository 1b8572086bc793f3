// Package port implements the port of an SM to the interconnect. It merges the
// requests of the L1 data cache, the texture cache, the instruction cache and the
// register-file design into one stream, round robin, at the width of the port, and
// sends each reply back to its requester.
//
// A packet is put on the link at once and occupies the port for as many cycles
// as it has flits (virtual cut-through).
//
// The port may have a queue in which packets of the L1 wait for the link. A store joins a store to the same line that
// waits there, so that both leave as one packet, whose acknowledgement answers both.
//
// It passes on one reply per cycle. Replies to a client without room go into a
// store of the client's own, so a reply never waits for another client. The
// store holds at most the replies to the client's requests.
//
// Ports: In[client], ToNet; FromNet, Out[client]; all req.Packet.
package port
