// Package noc implements the interconnect between the SMs and the L2 slices: a
// crossbar for each direction, so that replies never wait for requests.
//
// Packets are moved whole and cut through: a packet of f flits occupies its
// input and its output for f cycles and leaves f-1 cycles after its grant.
// Each output grants its inputs round robin. An input offers its oldest packet
// only, so a waiting packet blocks the packets behind it. Queues are counted in
// packets, links included.
//
// A crossbar has one stage. There are no routers and no virtual channels.
//
// Ports: In[i], Out[o]; all req.Packet.
package noc
