// Package req has the messages that travel inside the memory system: warp
// memory instructions, the transactions they are split into, and the packets
// that cross the interconnect. All are plain values that carry addresses and
// sizes, never data: what is in memory is known to the functional side.
package req
